/** Colour specifications of XParseColor, as in OSC 4, 10, 11 and 12. X11 colour names are not supported. */

/**
 * @returns 0xRRGGBB, or undefined if it is not a colour: `rgb:h/h/h` to `rgb:hhhh/hhhh/hhhh`, `#RGB` to `#RRRRGGGGBBBB`
 */
export function parseColorSpec(spec: string): number | undefined {
  const channels = channelsOf(spec);
  if (channels === undefined) return undefined;
  const [red, green, blue] = channels;
  return red * 0x1_0000 + green * 0x100 + blue;
}

/** Format of answers: 16 bits a channel. */
export function formatColorSpec(color: number): string {
  const channel = (shift: number) => ((color >> shift) & 0xff).toString(16).padStart(2, '0').repeat(2);
  return `rgb:${channel(16)}/${channel(8)}/${channel(0)}`;
}

function channelsOf(spec: string): [number, number, number] | undefined {
  const scaled = /^rgb:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})$/i.exec(spec);
  if (scaled !== null) return [scale(scaled[1]), scale(scaled[2]), scale(scaled[3])];
  const [, digits] = /^#([\da-f]{3}|[\da-f]{6}|[\da-f]{9}|[\da-f]{12})$/i.exec(spec) ?? [];
  if (digits === undefined) return undefined;
  const size = digits.length / 3;
  const channel = (index: number) => leading(digits.slice(index * size, (index + 1) * size));
  return [channel(0), channel(1), channel(2)];
}

/** `f` is full intensity, as `ffff` is. */
function scale(digits = '0'): number {
  return Math.round((Number.parseInt(digits, 16) * 255) / (16 ** digits.length - 1));
}

/** `#f` is `#f0`: the digits are the most significant ones. */
function leading(digits: string): number {
  return Number.parseInt(digits.padEnd(2, '0').slice(0, 2), 16);
}
