/** Percent-encoding as shells use it in OSC 7 and 133: of bytes, not of characters. */

const PERCENT = 0x25;

/** Broken escapes stay unchanged, and invalid UTF-8 becomes U+FFFD: the result is for display. */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text;
  const bytes = new TextEncoder().encode(text);
  const decoded: number[] = [];
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    const hex = byte === PERCENT ? String.fromCharCode(...bytes.subarray(i + 1, i + 3)) : '';
    if (/^[0-9A-Fa-f]{2}$/.test(hex)) {
      decoded.push(Number.parseInt(hex, 16));
      i += 2;
    } else {
      decoded.push(byte);
    }
  }
  return new TextDecoder().decode(Uint8Array.from(decoded));
}
