/**
 * What is read as latin1 has no other characters than ASCII. esbuild escapes those of strings and templates, but not those of regular
 * expressions, which would match nothing then: write them as \\u276F.
 */
export function assertAscii(text, what) {
  const found = /\P{ASCII}/u.exec(text);
  if (found === null) return;
  const around = text.slice(Math.max(0, found.index - 60), found.index + 20);
  throw new Error(`${what} has "${found[0]}", which is not ASCII: …${around}…`);
}
