// The western set: one symbol per kind, drawn within -40…40.

export const SYMBOLS: Record<string, string> = {
  // A crown.
  K: "M-27 24 L-32 -16 L-15 0 L0 -28 L15 0 L32 -16 L27 24 Z M-27 29 H27 V35 H-27 Z M-5 -33 H5 V-27 H-5 Z",
  // An official's hat with its two wings.
  A: "M-20 12 V-4 Q-20 -14 -11 -15 Q-9 -30 0 -30 Q9 -30 11 -15 Q20 -14 20 -4 V12 Z M-24 16 H24 V26 H-24 Z M-24 0 Q-42 -12 -42 2 Q-42 14 -24 8 Z M24 0 Q42 -12 42 2 Q42 14 24 8 Z",
  // The head of an elephant, seen from the front.
  B: "M-15 -26 Q0 -34 15 -26 Q38 -34 37 -8 Q36 12 20 12 Q17 18 9 20 L9 26 Q9 36 19 34 L21 40 Q2 44 1 26 L0 22 L-9 20 Q-17 18 -20 12 Q-36 12 -37 -8 Q-38 -34 -15 -26 Z M-13 -6 a4 4 0 1 0 0.1 0 Z M13 -6 a4 4 0 1 0 0.1 0 Z",
  // The head of a horse.
  N: "M-20 36 H27 Q31 2 16 -16 Q10 -24 2 -26 L-2 -36 L-10 -26 Q-16 -22 -20 -12 L-34 8 Q-37 16 -28 19 L-20 18 Q-10 10 -2 10 Q-18 18 -20 36 Z M-9 -16 a4 4 0 1 0 0.1 0 Z",
  // A wheel.
  R: "M0 -36 A36 36 0 1 0 0.1 -36 Z M0 -27 A27 27 0 1 1 -0.1 -27 Z M-3.5 -30 H3.5 V30 H-3.5 Z M-30 -3.5 V3.5 H30 V-3.5 Z M-23.7 -18.7 L-18.7 -23.7 L23.7 18.7 L18.7 23.7 Z M18.7 -23.7 L23.7 -18.7 L-18.7 23.7 L-23.7 18.7 Z M0 -10 A10 10 0 1 0 0.1 -10 Z",
  // A gun on its wheel.
  C: "M-34 -2 L22 -30 L30 -14 L-22 14 Q-34 16 -36 6 Z M24 -33 L30 -36 L40 -16 L34 -13 Z M-4 8 A15 15 0 1 0 -3.9 8 Z M-4 16 A7 7 0 1 1 -4.1 16 Z M-40 34 H28 V39 H-40 Z",
  // A soldier with his shield and spear.
  P: "M-8 -34 A11 11 0 1 0 -7.9 -34 Z M-24 34 V6 Q-24 -8 -8 -8 Q8 -8 8 6 V34 Z M20 -36 L27 -18 H23 V34 H17 V-18 H13 Z M12 2 H28 V8 H12 Z",
};
