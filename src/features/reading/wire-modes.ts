/** Modes of a screen under the names of the wire, which have underscores. */
export function wireModes(modes: object): Record<string, boolean | string | number> {
  return Object.fromEntries(
    Object.entries(modes).map(([name, value]) => [wireName(name), value as boolean | string | number]),
  );
}

export function wireName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
