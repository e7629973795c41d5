/** Modes of a screen under the names of the wire, which have underscores. */
export function wireModes(modes: object): Record<string, boolean | string | number> {
  return Object.fromEntries(
    Object.entries(modes).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value as boolean | string | number,
    ]),
  );
}
