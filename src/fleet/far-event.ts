/**
 * Events of a far daemon as they are taken here. One that is malformed, wrongly typed or huge is left out, and `lagged` in
 * its place says so; words of that daemon for people are quoted. Fields and types that are not known here may be those of a
 * newer daemon. Pure.
 */
import type { Header } from '../client/reply-reader.js';
import { quote } from '../protocol/errors.js';
import type { DaemonEventType, EventType } from '../protocol/events.js';
import { ID, says, short } from './far-words.js';

/** Bound of a line of events. Sixteen KiB of a clipboard, all of it escaped, have a hundred. */
export const MAX_EVENT_BYTES = 256 * 1024;

type Is = (value: unknown) => boolean;
type Shape = Readonly<Record<string, Is>>;

const isText: Is = (value) => typeof value === 'string';
const isFlag: Is = (value) => typeof value === 'boolean';
const isNumber: Is = (value) => Number.isFinite(value);
const isCount: Is = (value) => Number.isSafeInteger(value);
const isNull: Is = (value) => value === null;
/** Word of a list, which may be longer in a newer daemon. */
const isWord: Is = (value) => typeof value === 'string' && /^[a-z][a-z0-9_]{0,39}$/.test(value);
const isId: Is = (value) => typeof value === 'string' && ID.test(value);
const isTextOrNull: Is = (value) => isText(value) || isNull(value);
const isCountOrNull: Is = (value) => isCount(value) || isNull(value);
const isWordOrNull: Is = (value) => isWord(value) || isNull(value);
const isObject = (value: unknown): value is Header =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isRecordOf =
  (is: Is): Is =>
  (value) =>
    isObject(value) && Object.values(value).every(is);
const isListOf =
  (is: Is): Is =>
  (value) =>
    Array.isArray(value) && value.every(is);
const isLike =
  (shape: Shape): Is =>
  (value) =>
    isObject(value) && Object.entries(shape).every(([field, is]) => is(value[field]));

const BY: Is = isLike({ pid: isCount, process: isTextOrNull });

/** Fields of events as the protocol has them. An older daemon may lack some of the first level, and what is within one is whole. */
export const EVENT_SHAPES: { readonly [Type in EventType | DaemonEventType]: Shape } = {
  created: { pid: isCount, owner: isText },
  replaced: { from: isCount, pid: isCount, pause_ms: isCount },
  idle: { after_ms: isCount },
  activity: {},
  bell: { count: isCount },
  title: { title: isText },
  command_done: { code: isCountOrNull, command: isTextOrNull, duration_ms: isCountOrNull, shell_level: isCount },
  command_started: { command: isTextOrNull, shell_level: isCount },
  awaiting_input: { kind: isWord, pid: isCount, process: isText, certain: isFlag, secrecy: isWord },
  settled: { after_ms: isCount, ignored: isListOf(isLike({ row: isCount, col: isCount, cols: isCount })) },
  cwd: { cwd: isText, host: isText },
  notification: { title: isText, body: isText },
  progress: { state: isWord, percent: isCountOrNull },
  reported: {
    record: isLike({
      state: isWord,
      kind: isWordOrNull,
      id: isText,
      app: isTextOrNull,
      title: isTextOrNull,
      msg: isTextOrNull,
      progress: isCountOrNull,
      since: isNumber,
      by: (value) => isNull(value) || BY(value),
    }),
    was: isWordOrNull,
    skipped: isCount,
  },
  doing: {
    is: isWord,
    kind: isWordOrNull,
    source: isTextOrNull,
    since: (value) => isNull(value) || isNumber(value),
    needs_you: isWordOrNull,
    was: isWordOrNull,
  },
  clipboard: { selection: isText, text: isText, bytes: isCount },
  alt_screen: { on: isFlag },
  control: {
    holder: isTextOrNull,
    person: isFlag,
    was: isTextOrNull,
    cause: isWord,
    of: isText,
    reason: isText,
    note: isText,
  },
  control_requested: { as: isText, person: isFlag, reason: isText },
  resized: { cols: isCount, rows: isCount },
  entry: {
    op: isWord,
    entry: isLike({
      id: isText,
      kind: isText,
      rule: isText,
      version: isCount,
      open: isFlag,
      ts: isNumber,
      rev: isCount,
      line: isCountOrNull,
      lines: isCount,
      confidence: isNumber,
      data: isObject,
    }),
  },
  triggered: { trigger: isCount, name: isTextOrNull, text: isTextOrNull, notify: isTextOrNull },
  labelled: { labels: isRecordOf(isText) },
  exit: { code: isCountOrNull, signal: isTextOrNull },
  restarted: { pid: isCount, generation: isCount },
  marker: { label: isText },
  removed: {},
  memory: { state: isWord, bytes: isCount },
  asked: { ask: isCount, kind: isWord, as: isText },
  answered: { ask: isCount, outcome: isWord, by: isTextOrNull, person: isFlag },
  published: { name: isText, data: isText, as: isText },
  warning: { code: isWord, message: isText },
};

/** Events of the whole daemon. A terminal is the one concerned, if any. */
const DAEMONS: readonly string[] = [
  'memory',
  'asked',
  'answered',
  'replaced',
  'published',
  'warning',
] satisfies DaemonEventType[];

const ENVELOPE: Shape = { seq: isCount, ts: isNumber, rev: isCount, terminal: isId, host: isText };

/** Event of a gateway on that host. */
const HOST: Shape = { host: isText, state: isWord, instance: isText, code: isWord, error: isText };

/** @param bytes of its line */
export function farEvent(host: string, line: Header, bytes = 0): Header {
  if (bytes > MAX_EVENT_BYTES) return leftOut(host, `of ${bytes} bytes`);
  const { event: type } = line;
  if (typeof type !== 'string' || !isWord(type)) return leftOut(host, 'without a type');
  if (type === 'lagged') return lagged(host, line);
  const { hint: _hint, ...event } = line;
  if (type === 'host') return ofHost(host, event);
  const isKnown = Object.hasOwn(EVENT_SHAPES, type);
  const shape: Shape = isKnown ? EVENT_SHAPES[type as EventType] : {};
  const isOfTerminal = isKnown && !DAEMONS.includes(type);
  const wrong =
    ['seq', ...(isOfTerminal ? ['terminal'] : [])].find((field) => !(field in event)) ??
    wrongField(event, ENVELOPE) ??
    wrongField(event, shape);
  if (wrong !== undefined) return leftOut(host, `"${type}" whose "${wrong}" is malformed`);
  return { ...event, ...wordsOf(host, type, event) };
}

/** Event that stands for a line that is no event at all. */
export function leftOut(host: string, what: string): Header {
  return { event: 'lagged', missed: 1, error: `The host ${quote(host)} has sent an event ${what}: it is left out.` };
}

function lagged(host: string, { missed, after }: Header): Header {
  if (isCount(missed) && Number(missed) > 0) return { event: 'lagged', missed, ...(isCount(after) && { after }) };
  return leftOut(host, '"lagged" whose "missed" is malformed');
}

function ofHost(host: string, event: Header): Header {
  const wrong = wrongField(event, HOST);
  if (wrong !== undefined) return leftOut(host, `"host" whose "${wrong}" is malformed`);
  const words: Record<string, unknown> = {};
  for (const field of ['host', 'instance']) {
    const name = event[field];
    if (typeof name === 'string') words[field] = short(name);
  }
  return { ...event, ...words, ...(isText(event['error']) ? { error: says(host, String(event['error'])) } : {}) };
}

/** Fields of the daemon's own words, and of what lists show as well. */
function wordsOf(host: string, type: string, event: Header): Header {
  if (type === 'warning') return { message: says(host, String(event['message'])) };
  if (type === 'title') return { title: short(String(event['title'])) };
  return {};
}

function wrongField(given: Header, shape: Shape): string | undefined {
  return Object.keys(shape).find((field) => given[field] !== undefined && shape[field]?.(given[field]) !== true);
}
