/**
 * Reports of programs beside the screen: directory, progress, notifications, clipboard. A table of parsers by OSC
 * number; shell marks are in osc-marks.ts, titles belong to the screen.
 *
 * OSC 7: `file://HOST/PATH`. OSC 9: a notification (iTerm2), or one of ConEmu's numbered commands, of which 4 is
 * progress and 9 the directory. OSC 777: `notify;TITLE;BODY` (urxvt). OSC 99: kitty's, in osc-99.ts. OSC 52: clipboard
 * (xterm); only writes are reported, and a program that asks to read gets no answer.
 */
import { ownCopy } from '../base/own-copy.js';
import { Osc99 } from './osc-99.js';
import { decodePercent } from './percent.js';

/** An operating system command from vt: its number, and the undecoded text after the first semicolon. */
export interface OscSequence {
  readonly code: number;
  readonly data: string;
}

export type ProgressState = 'none' | 'normal' | 'error' | 'indeterminate' | 'paused';

export type OscNotice =
  /** `host` as in the message; '' if it has none. */
  | { readonly notice: 'cwd'; readonly cwd: string; readonly host: string }
  | { readonly notice: 'notification'; readonly title: string; readonly body: string }
  | { readonly notice: 'progress'; readonly state: ProgressState; readonly percent: number | null }
  | { readonly notice: 'clipboard'; readonly selection: string; readonly text: string; readonly bytes: number };

/** Bytes of a clipboard text in an event; `bytes` is their full number. */
export const MAX_CLIPBOARD_BYTES = 16 * 1024;
/** Code units of a notification's title and of its body. */
export const MAX_NOTIFICATION_LENGTH = 4096;
const MAX_PATH_LENGTH = 4096;

/** One per terminal: notifications of OSC 99 come in pieces. */
export class OscNotices {
  readonly #osc99 = new Osc99(MAX_NOTIFICATION_LENGTH);

  feed({ code, data }: OscSequence): OscNotice | undefined {
    if (code !== 99) return PARSERS[code]?.(data);
    const whole = this.#osc99.feed(data);
    return whole === undefined ? undefined : notification(whole.title, whole.body);
  }
}

const PARSERS: Readonly<Record<number, (data: string) => OscNotice | undefined>> = {
  7: parseCwdUrl,
  9: parseOsc9,
  52: parseClipboard,
  777: parseOsc777,
};

/** The numbers of https://github.com/mintty/mintty/wiki/CtrlSeqs and ConEmu's own page; index: code of the state. */
const PROGRESS_STATES: readonly ProgressState[] = ['none', 'normal', 'error', 'indeterminate', 'paused'];

function parseCwdUrl(data: string): OscNotice | undefined {
  const parts = /^(file|kitty-shell-cwd):\/\/([^/]*)(\/.*)$/s.exec(data);
  if (parts === null) return undefined;
  const [, scheme, host = '', path = ''] = parts;
  return cwd(scheme === 'file' ? decodePercent(path) : path, host);
}

function parseOsc9(data: string): OscNotice | undefined {
  const numbered = /^(\d{1,2})(?:;(.*))?$/s.exec(data);
  if (numbered === null) return notification('', data);
  const [, number, rest = ''] = numbered;
  if (number === '4') return parseProgress(rest);
  if (number === '9') return cwd(rest.replace(/^"(.*)"$/s, '$1'), '');
  return Number(number) <= 12 ? undefined : notification('', data);
}

function parseProgress(rest: string): OscNotice | undefined {
  const [stateCode = '', value = ''] = rest.split(';');
  const state = /^\d$/.test(stateCode) ? PROGRESS_STATES[Number(stateCode)] : undefined;
  if (state === undefined) return undefined;
  const hasPercent = state !== 'none' && state !== 'indeterminate' && /^\d{1,3}$/.test(value);
  return { notice: 'progress', state, percent: hasPercent ? Math.min(100, Number(value)) : null };
}

function parseOsc777(data: string): OscNotice | undefined {
  const [verb, title = '', ...body] = data.split(';');
  return verb === 'notify' ? notification(title, body.join(';')) : undefined;
}

function parseClipboard(data: string): OscNotice | undefined {
  const [selection = ''] = CLIPBOARD_SELECTION.exec(data) ?? [];
  const encoded = data.slice(selection.length + 1).replace(/={1,2}$/, '');
  if (data.charAt(selection.length) !== ';' || NOT_BASE64.test(encoded)) return undefined;
  // The characters that encode the bytes to keep: no more is decoded, however long the text is.
  const head = Buffer.from(encoded.slice(0, Math.ceil((MAX_CLIPBOARD_BYTES * 4) / 3)), 'base64');
  const text = new TextDecoder().decode(head.subarray(0, MAX_CLIPBOARD_BYTES), { stream: true });
  const bytes = Math.floor((encoded.length * 3) / 4);
  return { notice: 'clipboard', selection: selection === '' ? 's0' : ownCopy(selection), text, bytes };
}

/** Each letter once would be twelve. */
const CLIPBOARD_SELECTION = /^[cpqs0-7]{0,12}/;
const NOT_BASE64 = /[^A-Za-z0-9+/]/;

function cwd(path: string, host: string): OscNotice | undefined {
  if (!path.startsWith('/') || path.length > MAX_PATH_LENGTH || path.includes('\0')) return undefined;
  return { notice: 'cwd', cwd: ownCopy(path), host: ownCopy(host.slice(0, 255)) };
}

function notification(title: string, body: string): OscNotice | undefined {
  if (title === '' && body === '') return undefined;
  return { notice: 'notification', title: cut(title), body: cut(body) };
}

function cut(text: string): string {
  return ownCopy(text.length <= MAX_NOTIFICATION_LENGTH ? text : `${text.slice(0, MAX_NOTIFICATION_LENGTH - 1)}…`);
}
