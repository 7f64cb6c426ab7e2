// Short fingerprints of texts (FNV-1a). Not for security.

/** A fingerprint of about ten letters and digits. */
export function hashOf(text: string): string {
  let [one, two] = [0x811c9dc5, 0x9747b28c];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    one = Math.imul(one ^ code, 0x01000193);
    two = Math.imul(two ^ code, 0x85ebca6b);
  }
  return (one >>> 0).toString(36) + (two >>> 0).toString(36);
}
