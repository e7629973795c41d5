/** What a terminal that waits for somebody asks: in the words of its program, else in those of its screen. */
import type { CallOptions, DaemonConnection } from '../client/connection.js';
import { needOf } from '../protocol/needs-person.js';
import { isT4aError } from '../protocol/errors.js';
import type { ListedTerminal } from './members.js';

/** `Client` and `DaemonConnection` alike. */
export type Caller = Pick<DaemonConnection, 'call'>;

export interface Question {
  /** For `if_entry` of `press`: id@version. Null: no rule has found it. */
  readonly entry: string | null;
  readonly text: string;
  /** Row of the screen at which it begins; undefined if it is in none. */
  readonly top?: number;
}

const KINDS = ['permission_request', 'question'];

/** @returns undefined: it waits for nobody, or has gone */
export async function questionOf(
  caller: Caller,
  { id, doing }: Pick<ListedTerminal, 'id' | 'doing'>,
  options: CallOptions = {},
): Promise<Question | undefined> {
  if (doing?.is !== 'waiting' || needOf({ doing }) === null) return undefined;
  const [found, words] = await Promise.all([
    questionOnScreen(caller, id, options),
    doing.source === '7501' || doing.source === 'report' ? wordsOf(caller, id, doing.source, options) : undefined,
  ]);
  const text = words ?? found?.text ?? doing.evidence ?? '';
  return { entry: null, ...found, text };
}

/** An open question that its rules have found; whatever else is said of the terminal. */
export async function questionOnScreen(
  caller: Caller,
  id: string,
  options: CallOptions = {},
): Promise<Question | undefined> {
  const reply = await there(caller.call('entries', { id, kinds: KINDS, open: true }, options));
  const open = reply?.entries ?? [];
  // A request for permission before another question, such as those of a first start: trust, theme, login.
  const asked = open.findLast(({ kind }) => kind === KINDS[0]) ?? open.findLast(({ kind }) => kind === KINDS[1]);
  if (asked === undefined) return undefined;
  const { version, data, region } = asked;
  const said = data['question'] ?? data['text'];
  const text = typeof said === 'string' ? said : '';
  return { entry: `${asked.id}@${version}`, text, ...(region ? { top: region.top } : {}) };
}

/** Of the report that decides. */
async function wordsOf(
  caller: Caller,
  id: string,
  source: '7501' | 'report',
  options: CallOptions,
): Promise<string | undefined> {
  const status = await there(caller.call('status', { id }, options));
  const record = source === '7501' ? status?.reported : status?.report;
  return record?.state === 'blocked' ? (record.msg ?? record.title ?? undefined) : undefined;
}

async function there<T>(reply: Promise<T>): Promise<T | undefined> {
  try {
    return await reply;
  } catch (error) {
    if (isT4aError(error) && error.code === 'terminal_not_found') return undefined;
    throw error;
  }
}
