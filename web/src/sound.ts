// Sounds, synthesised: a knock of wood for a move, a heavier one for a capture, a bell for check and for the end.

import { settings } from "./settings.svelte";

let context: AudioContext | null = null;

/** The audio context; null while the browser allows no sound or the visitor wants none. */
function audio(): AudioContext | null {
  if (!settings.sound || !navigator.userActivation?.hasBeenActive) return null;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  return context;
}

/** A tone that fades: frequency in hertz, times in seconds. */
function tone(frequency: number, length: number, volume: number, delay = 0, shape: OscillatorType = "sine") {
  const out = audio();
  if (!out) return;
  const start = out.currentTime + delay;
  const [source, gain] = [
    new OscillatorNode(out, { frequency, type: shape }),
    new GainNode(out, { gain: 0 }),
  ];
  gain.gain.setValueAtTime(volume, start);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  // A falling pitch sounds like struck wood.
  source.frequency.setValueAtTime(frequency, start);
  source.frequency.exponentialRampToValueAtTime(frequency * 0.6, start + length);
  source.connect(gain).connect(out.destination);
  source.start(start);
  source.stop(start + length);
}

export const sound = {
  move() {
    tone(420, 0.07, 0.35, 0, "triangle");
    tone(1300, 0.025, 0.12);
  },
  capture() {
    tone(260, 0.12, 0.45, 0, "triangle");
    tone(900, 0.04, 0.16, 0.015);
  },
  check() {
    tone(880, 0.25, 0.14, 0.06);
  },
  end() {
    tone(660, 0.35, 0.14);
    tone(440, 0.6, 0.14, 0.18);
  },
};
