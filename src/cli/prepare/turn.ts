/** A turn on the command line: `--wait`, and what to look at when the wait has ended. */
import { T4aError, quote } from '../../protocol/errors.js';
import { EXPECTED_DURATION, milliseconds } from '../argv/duration.js';
import type { Fields } from '../argv/invocation.js';
import type { Host } from '../host.js';
import { DEFAULT_IDLE_MS, settingOf } from '../settings.js';
import { attachedPicture } from './picture-file.js';

/** Longer than the pause of a program between two writes of one answer. */
const DEFAULT_SETTLED_MS = 300;

/** Conditions by the word before `=`; the value follows it. */
const CONDITIONS: Readonly<Record<string, (value: string | undefined, host: Host) => Fields>> = {
  settled: (ms) => ({ settled_ms: duration(ms, DEFAULT_SETTLED_MS) }),
  idle: (ms, host) => ({ idle_ms: duration(ms, idleSetting(host)) }),
  text: (text) => ({ text: needed(text, 'text=Done') }),
  regex: (regex) => ({ regex: needed(regex, 'regex=^Done') }),
  gone: (text) => ({ gone: needed(text, 'gone=Loading') }),
  event: (type) => ({ event: needed(type, 'event=bell') }),
  control: (whose) => ({ control: needed(whose, 'control=free') }),
  doing: (what) => ({ doing: needed(what, 'doing=idle') }),
  done: () => ({ done: true }),
  exit: () => ({ exit: true }),
  input: (kind) => ({ awaiting_input: kind ?? true }),
  published: (name) => ({ published: needed(name, 'published=tests.passed') }),
};

/** @param host asked for its setting where the silence is not given */
export function turnFields(options: Fields, host: Host): Fields {
  const until = listOf(options['wait']).map((given) => condition(given, host));
  const fail = listOf(options['fail']).map((regex) => ({ regex }));
  const timeout = options['timeout_ms'];
  const atCursor = options['at_cursor'];
  if (until.length === 0 && (fail.length > 0 || timeout !== undefined || atCursor === true)) {
    throw new T4aError('usage', '--fail, --at-cursor and --timeout go with --wait.', {
      hint: 'For example --wait settled.',
    });
  }
  const observe = {
    ...(options['observe_text'] === true ? { text: true } : {}),
    ...(options['observe_changed'] === true ? { text: { changed: true } } : {}),
    ...(options['screenshot'] === undefined ? {} : { screenshot: attachedPicture(options['screenshot']) }),
  };
  return {
    ...(until.length === 0
      ? {}
      : {
          wait: {
            until,
            ...(fail.length === 0 ? {} : { fail }),
            ...(atCursor === true ? { at_cursor: true } : {}),
            ...(timeout === undefined ? {} : { timeout_ms: timeout }),
          },
        }),
    ...(Object.keys(observe).length === 0 ? {} : { observe }),
  };
}

function listOf(option: unknown): string[] {
  return option === undefined ? [] : ([option].flat() as string[]);
}

/** @throws T4aError usage */
export function condition(given: string, host: Host): Fields {
  const equals = given.indexOf('=');
  const word = equals === -1 ? given : given.slice(0, equals);
  const make = Object.hasOwn(CONDITIONS, word) ? CONDITIONS[word] : undefined;
  if (make === undefined) {
    throw new T4aError('usage', `--wait is ${quote(given)}: expected one of ${Object.keys(CONDITIONS).join(', ')}.`, {
      hint: word === 'awaiting_input' ? 'Did you mean "input"?' : 'For example --wait settled, --wait text=Done.',
    });
  }
  return make(equals === -1 ? undefined : given.slice(equals + 1), host);
}

function idleSetting(host: Host): number {
  return Number(settingOf('idle', undefined, host).value ?? DEFAULT_IDLE_MS);
}

function duration(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const ms = milliseconds(text);
  if (ms !== undefined) return ms;
  throw new T4aError('usage', `--wait has ${quote(text)} for a time: expected ${EXPECTED_DURATION}.`);
}

function needed(value: string | undefined, example: string): string {
  if (value !== undefined && value !== '') return value;
  throw new T4aError('usage', `--wait ${example.split('=')[0]} needs a value.`, {
    hint: `For example --wait ${example}`,
  });
}
