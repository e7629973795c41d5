/** Output in its parts: text, control strings, and control characters and sequences. */

export type TokenKind = 'text' | 'string' | 'control';

/* oxlint-disable no-control-regex */
/** Forms of whole tokens: text, a control string with its end, a control character or a sequence. */
const TOKENS: readonly (readonly [TokenKind, RegExp])[] = [
  ['text', /[^\x00-\x1f\x7f-\x9f]{1,1024}/uy],
  ['string', /(?:\x1b[\]PX^_k]|[\x90\x98\x9d\x9e\x9f])[^\x07\x1b\x18\x1a\x9c]*(?:\x07|\x1b\\|[\x18\x1a\x9c])/y],
  ['control', /[\r\n]|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b(?![[\]PX^_k])[ -/]*[0-~]/y],
  ['control', /[\x00-\x0c\x0e-\x1a\x1c-\x1f\x7f-\x8f\x91-\x97\x99\x9a\x9c]/y],
  // Within a string it is none of its end.
  ['string', /(?:\x1b[\]PX^_k]|[\x90\x98\x9d\x9e\x9f])[^\x07\x1b\x18\x1a\x9c]*(?=\x1b[^\\])/y],
  // Neither begins nor is anything that is known.
  ['control', /(?:\x1b\[|\x9b)[0-?]*[ -/]*(?=[^ -~])|\x1b[ -/]*(?=[^ -~])/y],
];
/* oxlint-enable no-control-regex */

/** Undefined where the end of what begins there has not come. */
export function tokenAt(
  raw: string,
  at: number,
  isEnd: boolean,
): { readonly kind: TokenKind; readonly text: string } | undefined {
  // The other half of a character.
  if (at === raw.length - 1 && !isEnd && isHighSurrogate(raw.charCodeAt(at))) return undefined;
  for (const [kind, regex] of TOKENS) {
    regex.lastIndex = at;
    const text = regex.exec(raw)?.[0];
    if (text !== undefined && text !== '') return { kind, text };
  }
  return undefined;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
