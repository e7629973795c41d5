/** The methods of vtr's API with one reply: each a few requests to the daemon. */
import { isT4aError, quote } from '../protocol/errors.js';
import { Mirror } from '../mirror/mirror.js';
import type { Ask, SessionDaemon } from './daemon.js';
import { type Request, millisecondsOf } from './messages.js';
import { screenMessageOf } from './screen.js';
import { sessionOf } from './session.js';
import { invalidArgument, noSession, notRecorded } from './status.js';

export interface MethodContext {
  readonly daemon: SessionDaemon;
  /** Daemon's answers, in the name of the caller. */
  readonly ask: Ask;
  readonly force: { readonly force?: true };
  readonly options: MethodOptions;
  /** Aborted when the caller has cancelled, or its deadline has passed. */
  readonly signal: AbortSignal;
}

export interface MethodOptions {
  /** Directory of programs whose request names none. */
  readonly home: string;
  /** Program of sessions whose request names none. Default: the daemon's. */
  readonly shell?: string | undefined;
  readonly cols?: number | undefined;
  readonly rows?: number | undefined;
  /** Lines above the viewport. Default: the daemon's. */
  readonly scrollback?: number | undefined;
  /** Time between SIGTERM and SIGKILL of Remove. */
  readonly killTimeoutMs: number;
  /** Record new sessions, for DumpAsciinema. */
  readonly records?: boolean | undefined;
  /** An asciicast of a recording. */
  readonly exportCast: (path: string) => Promise<readonly Uint8Array[]>;
}

export type Method = (request: Request, context: MethodContext) => Promise<object>;

const DEFAULT_MAX_MATCHES = 100;
const MAX_MATCHES = 10_000;
const DEFAULT_IDLE_MS = 5000;
const DEFAULT_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000;

export const METHODS: Readonly<Record<string, Method>> = {
  async Spawn(request, { ask, options }) {
    const { shell } = options;
    const program =
      request.command !== '' ? { command: request.command } : shell === undefined ? {} : { cmd_args: [shell] };
    const { id } = await ask('create', {
      name: nameOfNew(request),
      ...program,
      cwd: request.working_dir || options.home,
      env: request.env,
      ...defined('cols', request.cols || options.cols),
      ...defined('rows', request.rows || options.rows),
      ...defined('scrollback', options.scrollback),
      ...(options.records === true ? { record: true } : {}),
    });
    return { session: sessionOf(await ask('status', { id })) };
  },

  async List(_request, { ask }) {
    return { sessions: (await ask('list', {})).terminals.map(sessionOf) };
  },

  async Info(request, { ask }) {
    return { session: sessionOf(await ask('status', { id: methodName(request) })) };
  },

  async Kill(request, { ask, force }) {
    await ask('kill', { id: methodName(request), signal: request.signal || 'TERM', ...force });
    return {};
  },

  async Remove(request, { daemon, ask, force, options, signal }) {
    const id = methodName(request);
    const { alive } = await ask('status', { id });
    if (alive) {
      await unlessEnded(ask('kill', { id, signal: 'TERM', ...force }));
      await daemon.wait({ id, until: { event: 'exit' }, timeout_ms: options.killTimeoutMs, tail: 0 }, signal);
    }
    // What is left gets SIGKILL at once.
    await ask('kill', { id, grace_ms: 0, ...force });
    return {};
  },

  async GetScreen(request, { daemon, ask }) {
    const mirror = new Mirror();
    const id = methodName(request);
    mirror.apply(await ask('watch', { id }));
    return screenMessageOf(id, mirror, await daemon.theme());
  },

  async Grep(request, { ask }) {
    const max = request.max_matches || DEFAULT_MAX_MATCHES;
    if (max < 0 || max > MAX_MATCHES) throw invalidArgument(`max_matches is ${max}: expected 1 to ${MAX_MATCHES}.`);
    if (request.pattern === '') throw invalidArgument('pattern is empty.');
    const { matches } = await ask('grep', {
      id: methodName(request),
      pattern: request.pattern,
      before: request.context_before,
      after: request.context_after,
      max,
    });
    return {
      matches: matches.map(({ line, text, before, after }) => ({
        line_number: line,
        line: text,
        context_before: before.map((one) => one.text),
        context_after: after.map((one) => one.text),
      })),
    };
  },

  async SendText(request, { ask }) {
    await ask('send', { id: methodName(request), input: request.text });
    return {};
  },

  async SendKey(request, { ask }) {
    if (request.key === '') throw invalidArgument('key is empty.');
    await ask('press', { id: methodName(request), keys: [request.key] });
    return {};
  },

  async SendBytes(request, { ask }) {
    const bytes = Buffer.from(request.data);
    await ask('send', { id: methodName(request), input_base64: bytes.toString('base64') });
    return {};
  },

  async Resize(request, { ask }) {
    await ask('resize', { id: methodName(request), cols: request.cols, rows: request.rows });
    return {};
  },

  async WaitFor(request, { daemon, signal }) {
    if (request.pattern === '') throw invalidArgument('pattern is empty.');
    const reply = await daemon.wait(
      {
        id: methodName(request),
        until: { regex: request.pattern },
        timeout_ms: timeoutOf(request),
        fresh: true,
        tail: 0,
        observe: { text: true },
      },
      signal,
    );
    // An exit without a match counts as a timeout, as in vtr.
    if (reply.outcome !== 'matched') return { matched: false, timed_out: true };
    const { row = -1, text = '' } = reply.match ?? {};
    const lines = reply.observed !== undefined && 'lines' in reply.observed ? reply.observed.lines : undefined;
    return { matched: true, matched_line: lines?.[row]?.trimEnd() ?? text };
  },

  async WaitForIdle(request, { daemon, signal }) {
    const idleMs = millisecondsOf(request.idle_duration) || DEFAULT_IDLE_MS;
    const reply = await daemon.wait(
      { id: methodName(request), until: { idle_ms: idleMs }, timeout_ms: timeoutOf(request), tail: 0 },
      signal,
    );
    const isIdle = reply.outcome !== 'timeout';
    return { idle: isIdle, timed_out: !isIdle };
  },

  async DumpAsciinema(request, { ask, options }) {
    const id = methodName(request);
    const { created_at: createdAt } = await ask('status', { id });
    const { recordings } = await ask('recordings', {});
    // Of whole seconds. An older one is of another terminal of that name.
    const since = Math.floor(createdAt / 1000) * 1000;
    const own = recordings.findLast((one) => one.terminal === id && (one.started_at ?? 0) >= since);
    if (own === undefined) return { data: await ofHistory(id, ask) };
    return { data: Buffer.concat(await options.exportCast(own.path)) };
  },
};

/** Output that the daemon remembers of a session that is not recorded: all of it, unless that is more than it keeps. */
async function ofHistory(id: string, ask: Ask): Promise<Uint8Array> {
  try {
    const { bytes } = await ask('export', { id, format: 'asciicast-v2' });
    return bytes ?? Buffer.alloc(0);
  } catch (error) {
    if (!isT4aError(error) || !NO_HISTORY.includes(error.code)) throw error;
    throw notRecorded(`Terminal "${id}" has no history, and is not being recorded: start t4a grpc with --record.`);
  }
}

/** Errors of a daemon whose `history_bytes` is 0. */
const NO_HISTORY: readonly string[] = ['moment_lost', 'revision_unknown'];

/** Every method but List names a session. */
export function methodName({ name }: Request): string {
  if (name === '') throw invalidArgument('name is empty.');
  // For the daemon "@" is the terminal used last, which is another client's.
  if (name.startsWith('@')) throw noSession(`No session is named ${quote(name)}; "@" stands for none.`);
  return name;
}

function nameOfNew(request: Request): string {
  const { name } = request;
  if (name.startsWith('@')) throw invalidArgument(`name is ${quote(name)}: it begins with a letter, a digit or "_".`);
  return methodName(request);
}

function timeoutOf({ timeout }: Request): number {
  const ms = millisecondsOf(timeout) ?? DEFAULT_WAIT_MS;
  if (ms < 0) throw invalidArgument('timeout is negative.');
  return Math.min(ms, LONGEST_WAIT_MS);
}

function defined<Name extends string>(name: Name, value: number | undefined): { [Key in Name]?: number } {
  return value === undefined ? {} : ({ [name]: value } as { [Key in Name]?: number });
}

async function unlessEnded(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!isT4aError(error) || error.code !== 'terminal_exited') throw error;
  }
}
