/**
 * A copy of a text with memory of its own. V8 keeps a whole string alive for any part of it (a slice, a match, a part
 * of a split): 40 notifications of 4 KB, cut from payloads of 1 MB, kept 40 MB. So a text that outlives its payload is
 * copied first.
 *
 * The way through UTF-16 keeps halves of surrogate pairs, which UTF-8 would replace, and a text of Latin-1 comes back
 * with one byte a character.
 */
export function ownCopy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
