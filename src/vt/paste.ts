/**
 * Text to what a terminal writes when it is pasted.
 *
 * Security: what is pasted must not leave the bracket or act as a key, so every control character but tab and newline is
 * taken out: ESC and U+009B, without which no spelling of `ESC [ 201 ~` is left, and Ctrl+C, Ctrl+D and the like, which a
 * terminal in cooked mode would act upon. How many were taken out is counted, for the reply to say.
 *
 * A newline becomes CR, as Enter sends it, whether bracketed or not: xterm and VTE do the same, and programs that read
 * bracketed pastes (readline, vim) turn it back. In cooked mode the line discipline (ICRNL) does.
 */
import type { InputModes } from './input-modes.js';

export interface EncodedPaste {
  /** `ESC [ 200 ~` or empty. Whoever has written it must write `close` too, also when the rest is abandoned. */
  readonly open: string;
  /** To be written as UTF-8; may be cut between any two characters. */
  readonly body: string;
  /** `ESC [ 201 ~` or empty. */
  readonly close: string;
  /** Control characters that were taken out. */
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

/** UTF-8 cannot hold it; U+FFFD is what an encoder writes for it. */
const LONE_SURROGATE = /\p{Cs}/gu;
