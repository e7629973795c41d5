/**
 * Records the program's queries before the handlers that answer them. A program that waits for an answer that never
 * comes hangs silently, so unanswered queries must be visible.
 */
import type { Emulator } from '../xterm/emulator.js';
import type { SequenceParams } from '../xterm/patch-target.js';
import type { UnknownSequence } from './sequences.js';

interface CsiQuery {
  readonly prefix?: string;
  readonly intermediates?: string;
  readonly final: string;
  /** Needed if the same final byte has other meanings. */
  readonly asks?: (params: SequenceParams) => boolean;
}

/** XTWINOPS operations that report. */
const REPORTING_OPERATIONS: readonly unknown[] = [11, 13, 14, 15, 16, 18, 19, 20, 21];

const CSI_QUERIES: readonly CsiQuery[] = [
  { final: 'c' },
  { prefix: '>', final: 'c' },
  { prefix: '=', final: 'c' },
  { final: 'n' },
  { prefix: '?', final: 'n' },
  { intermediates: '$', final: 'p' },
  { prefix: '?', intermediates: '$', final: 'p' },
  { prefix: '>', final: 'q' },
  { prefix: '?', final: 'u' },
  { prefix: '?', final: 'm' },
  { prefix: '?', final: 'S' },
  { intermediates: '*', final: 'y' },
  { final: 'x' },
  { final: 't', asks: ([operation]) => REPORTING_OPERATIONS.includes(operation) },
];

/** Colours, the clipboard, iTerm's own, and the status of programs. */
const OSC_QUERIES: readonly number[] = [4, 5, 10, 11, 12, 13, 14, 17, 19, 52, 7501];

/** DECRQSS and XTGETTCAP. */
const DCS_QUERIES: readonly string[] = ['$', '+'];

/** A `?` among the fields of an OSC. */
const ASKS = /(?:^|;)\?(?:;|$)/;

/** Call it once all handlers that answer are registered. */
export function noteQueries(emulator: Emulator, note: (query: UnknownSequence) => void): void {
  for (const { asks, ...identifier } of CSI_QUERIES) {
    const { prefix = '', intermediates = '', final } = identifier;
    emulator.onCsi(identifier, (params) => {
      const text = `${prefix}${paramsText(params)}${intermediates}${final}`;
      if (asks === undefined || asks(params)) note({ kind: 'csi', text });
      return false;
    });
  }
  for (const code of OSC_QUERIES) {
    emulator.onOsc(code, (payload) => {
      if (code === 7501 ? payload === '?' : ASKS.test(payload)) note({ kind: 'osc', text: `${code};${payload}` });
      return false;
    });
  }
  for (const intermediates of DCS_QUERIES) {
    emulator.onDcs({ intermediates, final: 'q' }, (payload) => {
      note({ kind: 'dcs', text: `${intermediates}q${payload}` });
      return false;
    });
  }
}

/** Parameters as in the sequence; empty for a single 0, which means no parameters. */
export function paramsText(params: SequenceParams): string {
  let text = '';
  for (const param of params) {
    if (typeof param === 'number') text += text === '' ? param : `;${param}`;
    else text += param.map((sub) => `:${sub < 0 ? '' : sub}`).join('');
  }
  return text === '0' ? '' : text;
}
