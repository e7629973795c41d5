/**
 * Replies of a far daemon as they are taken here. Its words are never ours: an error has our own sentence for its code, and
 * what it says is quoted; it gives no hints. Of its lists the entries that are whole are kept, and it is said how many were
 * not. Pure.
 */
import { ERRORS, quote } from '../protocol/errors.js';
import type { CommandName } from '../protocol/registry.js';
import type { Header } from '../client/reply-reader.js';
import { farEvent } from './far-event.js';
import { plainFields } from './far-fields.js';
import { ID, says, short } from './far-words.js';
import { plainPong } from './greeting.js';
import { quoted } from './quoted.js';

/** Beyond this a list is cut: twenty times the terminals that a daemon has by default. */
const MAX_ENTRIES = 10_000;
const MAX_NAME_LENGTH = 64;
/** Bound of the JSON of one entry. */
const MAX_ENTRY_LENGTH = 64 * 1024;

/** @param cmd that was asked, if that is known @param bytes of its line */
export function farReply(host: string, header: Header, cmd?: string, bytes?: number): Header {
  // That of a wait may have an event within.
  if ('event' in header && !('ok' in header)) return farEvent(host, header, bytes);
  if (header['ok'] !== true) return { ...pick(header, ['ok', 'req', 'first']), ...farError(host, header, cmd) };
  if (cmd === 'list' && !Array.isArray(header['terminals'])) return noList(host, header);
  const { hint: _hint, unreachable: _unreachable, aliases: _aliases, ...fields } = header;
  const kept = plainFields(fields);
  Object.assign(kept, wordsIn(host, kept));
  for (const part of ['wait', 'observed'] as const) if (isObject(kept[part])) kept[part] = farPart(host, kept[part]);
  if ('protocol' in kept) Object.assign(kept, plainPong(kept));
  if (Array.isArray(kept['asks'])) Object.assign(kept, wholeAsks(host, kept['asks']));
  if (Array.isArray(kept['terminals'])) return { ...kept, ...wholeTerminals(host, kept['terminals']) };
  return kept;
}

/** The end of a wait, or the look after an act. Security: a client would send `resume` to its gateway, whatever it is. */
function farPart(host: string, { hint: _hint, resume: _resume, ...part }: Header): Header {
  const error = typeof part['error'] === 'string' ? farError(host, part) : {};
  return { ...part, ...wordsIn(host, part), ...error };
}

/** Sentences for people, quoted; of another type they are none. */
function wordsIn(host: string, part: Header): Record<string, unknown> {
  const given = ['warning', 'error'].filter((field) => field in part);
  return Object.fromEntries(
    given.map((field) => [field, typeof part[field] === 'string' ? says(host, part[field]) : undefined]),
  );
}

function farError(
  host: string,
  { code: given, error, field, closest, acted, resume }: Header,
  cmd?: string,
): Record<string, unknown> {
  const code = typeof given === 'string' && /^[a-z][a-z0-9_]{0,39}$/.test(given) ? given : 'internal';
  const meaning = Object.hasOwn(ERRORS, code)
    ? ERRORS[code as keyof typeof ERRORS].meaning
    : 'It refuses the request, for a reason that is not known here.';
  const words = typeof error === 'string' && error.trim() !== '' ? ` It says ${quoted(error)}.` : '';
  // A name of one of its terminals, as its list has them.
  const isName = typeof closest === 'string' && ID.test(closest) && closest.length <= MAX_NAME_LENGTH;
  const isField = typeof field === 'string' && /^[\w.]{1,64}$/.test(field);
  return {
    code,
    error: `The host ${quote(host)} answers: ${meaning}${words}`,
    ...(isField ? { field } : {}),
    ...(isName ? { closest } : {}),
    ...(typeof acted === 'boolean' ? { acted } : {}),
    ...(code === 'replaced' && goesOn(resume, cmd) ? { resume: plainFields(resume) } : {}),
  };
}

/** Commands that read, and have a deadline: those that go on behind a replacement. */
export const READING: ReadonlySet<string> = new Set<CommandName>([
  'screenshot',
  'text',
  'grep',
  'find',
  'cursor',
  'output',
  'debug',
  'wait',
  'watch',
]);

/** Security: what goes on is what was asked; it only reads, or is a `run` that has begun. Input is never of it. */
function goesOn(resume: unknown, cmd: string | undefined): resume is Record<string, unknown> {
  if (cmd === undefined || !isObject(resume) || resume['cmd'] !== cmd) return false;
  if (JSON.stringify(resume).length > MAX_ENTRY_LENGTH) return false;
  return READING.has(cmd) || (cmd === 'run' && isObject(resume['resume']));
}

function noList(host: string, header: Header): Header {
  const error = `The host ${quote(host)} gives no list of its terminals.`;
  return { ...pick(header, ['req']), ok: false, code: 'host_unreachable', error };
}

function wholeTerminals(host: string, given: readonly unknown[]): Record<string, unknown> {
  const looked = given.slice(0, MAX_ENTRIES);
  const terminals = looked.filter(isWhole).map(shortened);
  const malformed = looked.length - terminals.length;
  const reasons = [
    ...(malformed === 0 ? [] : [`${malformed} of ${looked.length} terminals are malformed`]),
    ...(looked.length === given.length ? [] : [`${given.length - looked.length} are beyond the first ${MAX_ENTRIES}`]),
  ];
  if (reasons.length === 0) return { terminals };
  const error = `Its list is not whole: ${reasons.join(', ')}, and left out.`;
  return { terminals, unreachable: [{ host, code: 'host_unreachable', error }] };
}

const isString = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isText = (value: unknown): boolean => value === undefined || value === null || isString(value);
const isCount = (value: unknown): boolean => value === undefined || value === null || isNumber(value);

/** Fields that clients rely on. Others may be missing (an older daemon), or be new ones. */
const FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  id: (value) => typeof value === 'string' && ID.test(value),
  alive: (value) => typeof value === 'boolean',
  cols: isNumber,
  rows: isNumber,
  idle_ms: isNumber,
  title: isString,
  cwd: isString,
  cmd: (value) => Array.isArray(value) && value.every(isString),
  pid: isCount,
  exit_code: isCount,
  signal: isText,
  foreground: isText,
  parent: isText,
  labels: (value) => value === undefined || (isObject(value) && Object.values(value).every(isString)),
};

function isWhole(entry: unknown): entry is Record<string, unknown> {
  return hasFields(entry, FIELDS);
}

function hasFields(entry: unknown, fields: typeof FIELDS): boolean {
  if (!isObject(entry)) return false;
  if (!Object.entries(fields).every(([field, is]) => is(entry[field]))) return false;
  return JSON.stringify(entry).length <= MAX_ENTRY_LENGTH;
}

const ASK: Readonly<Record<string, (value: unknown) => boolean>> = {
  ask: Number.isSafeInteger,
  kind: isString,
  question: isString,
  as: isString,
  id: isText,
  foreground: isText,
  choices: (value) => value === undefined || (Array.isArray(value) && value.every(isString)),
};

function wholeAsks(host: string, given: readonly unknown[]): Record<string, unknown> {
  const asks = given.slice(0, MAX_ENTRIES).filter((one) => hasFields(one, ASK));
  const lost = given.length - asks.length;
  if (lost === 0) return { asks };
  const warning = `The host ${quote(host)} has sent ${lost} of ${given.length} questions malformed: they are left out.`;
  return { asks, warning };
}

/** Titles, programs and the like have no more characters here than other words of that host. */
function shortened(entry: Record<string, unknown>): Record<string, unknown> {
  const changed: Record<string, unknown> = { ...entry, cmd: (entry['cmd'] as string[]).map(short) };
  for (const field of ['title', 'foreground', 'signal']) {
    const text = entry[field];
    if (typeof text === 'string') changed[field] = short(text);
  }
  return changed;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function pick(header: Header, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(fields.filter((field) => field in header).map((field) => [field, header[field]]));
}
