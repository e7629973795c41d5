/** Modes of a screen under the names of the wire, which have underscores. */
export function wireModes(modes: object): Record<string, boolean | string | number> {
  const wire: Record<string, boolean | string | number> = {};
  for (const [name, value] of Object.entries(modes)) wire[wireName(name)] = value as boolean | string | number;
  return wire;
}

/** Bounded by the modes there are. */
const NAMES = new Map<string, string>();

export function wireName(name: string): string {
  let wire = NAMES.get(name);
  if (wire === undefined) {
    wire = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    NAMES.set(name, wire);
  }
  return wire;
}
