/**
 * Converts text to the bytes of a paste.
 *
 * Security: pasted text must not leave the bracket or act as a key, so every control character but tab and newline is
 * removed: ESC and U+009B, without which no spelling of `ESC [ 201 ~` is left, and Ctrl+C, Ctrl+D and the like, on
 * which a terminal in cooked mode would act. The reply reports how many were removed.
 *
 * A newline becomes CR, as Enter sends it, whether bracketed or not: xterm and VTE do the same, and programs that read
 * bracketed pastes (readline, vim) convert it back. In cooked mode the line discipline (ICRNL) does.
 */
import type { InputModes } from './input-modes.js';

export interface EncodedPaste {
  /** `ESC [ 200 ~` or empty. After it `close` must be written too, even if the rest is abandoned. */
  readonly open: string;
  /** To be written as UTF-8; may be cut between any two characters. */
  readonly body: string;
  /** `ESC [ 201 ~` or empty. */
  readonly close: string;
  /** Number of removed control characters. */
  readonly removed: number;
}

export function encodePaste(text: string, modes: Pick<InputModes, 'bracketedPaste'>): EncodedPaste {
  let removed = 0;
  const body = text
    .replaceAll(REMOVED, () => {
      removed++;
      return '';
    })
    .replaceAll(LONE_SURROGATE, '\ufffd')
    .replaceAll(/\r\n|\n/gu, '\r');
  return modes.bracketedPaste
    ? { open: PASTE_OPEN, body, close: PASTE_CLOSE, removed }
    : { open: '', body, close: '', removed };
}

const PASTE_OPEN = '\x1b[200~';
const PASTE_CLOSE = '\x1b[201~';

/** C0 but HT, LF and CR; DEL; C1. */
// oxlint-disable-next-line no-control-regex -- removing control characters is the purpose
const REMOVED = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/gu;

/** Not representable in UTF-8; an encoder writes U+FFFD for it. */
const LONE_SURROGATE = /\p{Cs}/gu;
