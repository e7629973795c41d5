/** Secrets in a control string: a title, a link, the clipboard, a request to the terminal. */
import { MASK, merged, type SecretFinder } from './redactor.js';

/** A text in the place of a part of the output. */
export interface OutputEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/* oxlint-disable no-control-regex */
const INTRODUCER = /^(?:\x1b.|[\x80-\x9f])/s;
/** Beginnings of device control strings, and of titles in their old form. */
const COMMAND = /^(?:(?:\x1bP|\x90)[0-?]*[ -/]*[@-~]|(?:\x1b\]|\x9d)[lLI])/;
const TERMINATOR = /(?:\x07|\x1b\\|\x9c|[\x18\x1a])?$/;
/** Clipboard sequence of xterm and of iTerm2. */
const CLIPBOARD = /^((?:\x1b\]|\x9d)(?:52;[^;]*;|1337;Copy=[^:;]*:))([A-Za-z0-9+/=]+)/;
/* oxlint-enable no-control-regex */

/** @param text from its introducer to its end @returns places in it; `count` is of secrets */
export function secretsOfString(
  text: string,
  redactor: SecretFinder,
): { readonly edits: readonly OutputEdit[]; readonly count: number } {
  const clipboard = CLIPBOARD.exec(text);
  if (clipboard?.[1] !== undefined && clipboard[2] !== undefined) {
    const masked = redactor.mask(Buffer.from(clipboard[2], 'base64').toString('utf8'));
    if (masked.count === 0) return { edits: [], count: 0 };
    const start = clipboard[1].length;
    const end = start + clipboard[2].length;
    return { edits: [{ start, end, text: Buffer.from(masked.text).toString('base64') }], count: masked.count };
  }
  const [introducer = ''] = INTRODUCER.exec(text) ?? [];
  const [command = ''] = COMMAND.exec(text) ?? [];
  const body = text.slice(0, text.search(TERMINATOR));
  // A letter before a secret may be a command, or a part of the secret.
  const spans = merged(
    [introducer.length, Math.max(introducer.length, command.length)].flatMap((from) =>
      redactor.spansIn(body.slice(from)).map(({ start, end }) => ({ start: start + from, end: end + from })),
    ),
  );
  const edits = spans.map(({ start, end }) => ({ start, end, text: MASK.repeat(end - start) }));
  return { edits, count: edits.length };
}
