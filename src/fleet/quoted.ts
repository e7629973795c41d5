/** Words of a far program in a sentence of ours: one line without controls or marks of direction, and not much of it. Pure. */
export const MAX_QUOTED = 200;

export function quoted(text: string): string {
  // Of a long text the rest is not looked at.
  const plain = text
    .slice(0, 4 * MAX_QUOTED)
    .replace(/[\p{C}\p{Z}\s]+/gu, ' ')
    .trim();
  const isCut = plain.length > MAX_QUOTED || text.length > 4 * MAX_QUOTED;
  return JSON.stringify(isCut ? `${plain.slice(0, MAX_QUOTED - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : plain);
}
