import type { Clock } from '../../base/clock.js';
import { type HasParts, PartKey } from '../../base/parts.js';
import type { AwaitingInput } from '../../events/awaiting-input.js';
import { spawnDefaults } from '../../protocol/spawn-shape.js';
import { isT4aError, T4aError } from '../../protocol/errors.js';
import { defaultPicture, type PictureParams } from '../../protocol/picture.js';
import { MAX_TIMEOUT_MS } from '../../protocol/limits.js';
import type { Params, Reply } from '../../protocol/registry.js';
import type { HandlerResult, Call, Handler } from '../../rpc/service.js';
import { type Capture, capture, checkPicture } from '../pictures/capture.js';
import type { Launcher } from '../core.js';
import type { LookingCore } from '../pictures/looking-core.js';
import { senderOf } from '../../terminal/input/input-gate.js';
import { anyPictureWarning, pictureWarning } from '../pictures/unshown-picture.js';
import { noteRunLook } from '../reading/looked-text.js';
import { outputLines } from '../reading/output-lines.js';
import { outputFromNow } from '../../terminal/command-range.js';
import { regionRange } from '../../vt/region.js';
import { admitAct } from '../../terminal/admitted-act.js';
import { MOST_WINDOW_BYTES, type StreamedRun, type StreamedRuns } from '../../terminal/streamed-runs.js';
import { shellLine } from './shell-line.js';
import { hasLineToResume, resumeAtPrompt, runAtPrompt } from './run-at-prompt.js';
import type { ShellRun } from './running-line.js';
import { HAS_DROPPED } from './worthless-line.js';
import { leftModes } from '../reading/commands.js';
import { identityOf } from '../../terminal/identity.js';
import type { Terminal } from '../../terminal/terminal.js';
import { until } from '../../terminal/until.js';
import { failedLook } from '../reading/failed-look.js';

/** Its end is the answer to a run. */
const ANSWERS_RUN = new PartKey<boolean>(() => false);

/** Of a run that a daemon before has begun, until its client goes on with it. */
const IS_TO_RESUME = new PartKey<boolean>(() => false);

/** Its terminal stays, however the run ends. */
const KEEPS_RUN = new PartKey<boolean>(() => false);

/** For a client to go on with its run: then it has gone. */
const RESUME_WITHIN_MS = 30_000;

/** Ids of terminals whose runs are under way, or are still to go on, and whether they stay. */
export function runsUnderWay(terminals: readonly Terminal[]): ReadonlyMap<string, boolean> {
  const runs = terminals.filter((each) => each.part(IS_TO_RESUME).value || answersRun(each));
  return new Map(runs.map((each) => [each.id, each.part(KEEPS_RUN).value] as const));
}

/** @param remove the terminal, whose client has gone */
export function isToResume(terminal: Terminal, stays: boolean, remove: () => void): void {
  const part = terminal.part(IS_TO_RESUME);
  part.value = true;
  terminal.part(KEEPS_RUN).value = stays;
  terminal.clock.after(RESUME_WITHIN_MS, () => {
    const isLeft = part.value;
    part.value = false;
    if (isLeft && !stays) remove();
  });
}

export function answersRun(terminal: HasParts): boolean {
  return terminal.part(ANSWERS_RUN).value;
}

export interface RunOwner {
  readonly core: LookingCore;
  readonly launcher: Launcher;
  readonly streamedRuns: StreamedRuns;
}

export const run =
  (owner: RunOwner): Handler<'run'> =>
  (params, call) => {
    const { core } = owner;
    core.assertOpen();
    if (typeof params.screenshot === 'object') checkPicture(params.screenshot, core.looks.themes);
    if (params.resume !== undefined) return resumed(owner, params.resume, params, call);
    if (params.id === undefined) refuseConditions(params);
    return params.id === undefined ? inNewTerminal(owner, params, call) : inGivenTerminal(owner, params, call);
  };

/** @throws T4aError invalid_field */
function refuseConditions(params: Params<'run'>): void {
  const field = (['if_inputs', 'if_hold'] as const).find((name) => params[name] !== undefined);
  if (field === undefined) return;
  throw new T4aError('invalid_field', `"${field}" of "run" goes with "id": a new terminal has had no input.`, {
    field,
  });
}

async function inNewTerminal(owner: RunOwner, params: Params<'run'>, call: Call): Promise<HandlerResult<'run'>> {
  const { core, launcher, streamedRuns } = owner;
  const cmdArgs = withStdin(params.stdin, programOf(params));
  const streamed = params.stream === undefined ? undefined : streamedRuns.open(params.stream);
  try {
    const recording = launcher.recordFromStart({});
    const startRecording = recording && (await recording);
    core.assertOpen();
    const { id: _id, ...spawnFields } = params;
    const spawnParams = { ...spawnDefaults(), ...given(spawnFields), cmd_args: cmdArgs };
    // One that goes with the command is no terminal to come back to.
    const asker = params.keep === true ? call : { as: call.as };
    const mostWindowBytes = streamed === undefined ? undefined : MOST_WINDOW_BYTES;
    const terminal = launcher.spawn({ ...spawnParams, mostWindowBytes }, asker);
    streamed?.start(terminal);
    return await toItsEnd(owner, terminal, { params, call, startRecording, streamed });
  } finally {
    streamed?.close();
  }
}

/** Fields of a start, which do not go with `resume`. */
const OF_ITS_START = ['id', 'command', 'cmd_args', 'stdin', 'if_inputs', 'if_hold'] as const;

/** The daemon before had begun it. @throws T4aError invalid_field, run_not_found, control_held */
async function resumed(
  owner: RunOwner,
  { id, elapsed_ms: elapsedMs }: NonNullable<Params<'run'>['resume']>,
  params: Params<'run'>,
  call: Call,
): Promise<HandlerResult<'run'>> {
  const field = OF_ITS_START.find((name) => params[name] !== undefined);
  if (field !== undefined) {
    throw new T4aError('invalid_field', `"${field}" of "run" does not go with "resume": nothing is started.`, {
      field,
    });
  }
  const terminal = owner.core.terminals.use(id, call);
  const part = terminal.part(IS_TO_RESUME);
  if (hasLineToResume(terminal)) return resumedAtShell(owner, terminal, params, call, elapsedMs);
  if (!part.value) {
    throw new T4aError('run_not_found', `No run of ${id} is to go on.`, { hint: `t4a wait ${id} --exit` });
  }
  // A run ends its terminal at its deadline, and with its client.
  if (call.as === undefined || call.as !== identityOf(terminal).owner)
    admitAct(owner.core.terminals, [terminal], false, call);
  part.value = false;
  const streamed = params.stream === undefined ? undefined : owner.streamedRuns.open(params.stream);
  try {
    streamed?.start(terminal);
    return await toItsEnd(owner, terminal, { params, call, startRecording: undefined, streamed, elapsedMs });
  } finally {
    streamed?.close();
  }
}

interface NewRun {
  /** Before this daemon. */
  readonly elapsedMs?: number;
  readonly params: Params<'run'>;
  readonly call: Call;
  readonly startRecording: ((terminal: Terminal) => Promise<unknown>) | undefined;
  readonly streamed: StreamedRun | undefined;
}

async function toItsEnd(
  { core, launcher }: RunOwner,
  terminal: Terminal,
  { params, call, startRecording, streamed, elapsedMs = 0 }: NewRun,
): Promise<HandlerResult<'run'>> {
  let stays = params.keep === true;
  let hasExited = false;
  const { clock } = core;
  const startedMs = clock.now() - elapsedMs;
  try {
    terminal.part(ANSWERS_RUN).value = true;
    terminal.part(KEEPS_RUN).value = stays;
    const followed = outputFromNow(terminal);
    await startRecording?.(terminal);
    const { outcome, awaiting } = await waitForEnd(terminal, clock, params.timeout_ms, call.signal);
    terminal.part(ANSWERS_RUN).value = outcome === 'exited';
    const durationMs = Math.round(clock.now() - startedMs);
    await terminal.settle();
    const { screen } = terminal;
    const facts = {
      outcome,
      ...(awaiting === undefined ? {} : { awaiting_input: awaiting }),
      duration_ms: durationMs,
      output_bytes: terminal.output.total,
      ...outputLines(screen, regionRange(screen, 'all'), params.max_lines, params.max_length),
      lost_lines: followed.lost,
      rev: screen.rev,
      ...anyPictureWarning(terminal),
    };
    const drawn = await draw(core, pictureOf(terminal, params), call);
    await streamed?.untilRead(facts.output_bytes, call.signal);
    const goesOn = outcome === 'awaiting_input' || (outcome === 'timeout' && params.on_timeout === 'keep');
    stays = params.keep ?? (goesOn || (params.keep_omitted && facts.omitted_lines > 0));
    if (stays && goesOn) core.terminals.use(terminal.id, call);
    // A client that reads what is left out later reads what is new, too.
    if (goesOn && params.keep_omitted && facts.omitted_lines === 0)
      noteRunLook(terminal, true, { asker: call, nowMs: clock.now() });
    if (outcome === 'timeout' && !goesOn) await terminal.end({ graceMs: core.config.kill_grace_ms });
    const { code: exit_code, signal } = terminal.exit;
    hasExited = outcome === 'exited';
    const left = hasExited && !stays ? terminal.leftBehind() : undefined;
    const reply = {
      id: terminal.id,
      exit_code,
      signal,
      ...facts,
      ...(stays ? {} : { omitted: undefined }),
      kept: stays,
      ...(left === undefined || left.ended.length === 0 ? {} : { ended_processes: left.ended }),
      ...(left === undefined || left.living.length === 0 ? {} : { living_processes: left.living }),
      seq: core.bus.lastSeq,
      ...drawn.facts,
    };
    return { reply, ...drawn.bytes };
  } catch (error) {
    if (!isT4aError(error) || error.code !== 'replaced') throw error;
    throw inAnotherDaemon(error, terminal, params, clock.now() - startedMs);
  } finally {
    // A run that is left by its caller takes everything with it.
    if (!stays || call.signal.aborted) await launcher.remove(terminal, undefined, hasExited && !call.signal.aborted);
  }
}

/** The program goes on there, and so does the run. */
function inAnotherDaemon(error: T4aError, { id }: Terminal, params: Params<'run'>, elapsedMs: number): T4aError {
  const { timeout_ms: timeoutMs, on_timeout, max_lines, max_length, screenshot, keep, keep_omitted, stream } = params;
  const left = timeoutMs === undefined ? {} : { timeout_ms: Math.max(1, Math.round(timeoutMs - elapsedMs)) };
  const fields = given({ on_timeout, max_lines, max_length, screenshot, keep, keep_omitted, stream });
  const resume = {
    cmd: 'run',
    ...fields,
    ...left,
    resume: { id, elapsed_ms: Math.min(Math.round(elapsedMs), MAX_TIMEOUT_MS) },
  };
  return new T4aError(error.code, error.message, { ...error.details, acted: true, resume });
}

/** Nothing was typed: it is asked again. */
function notWritten(error: T4aError, { timeout_ms: timeoutMs, ...params }: Params<'run'>, elapsedMs: number): T4aError {
  const left = timeoutMs === undefined ? {} : { timeout_ms: Math.max(1, Math.round(timeoutMs - elapsedMs)) };
  return new T4aError(error.code, error.message, {
    ...error.details,
    acted: false,
    resume: { cmd: 'run', ...given(params), ...left },
  });
}

function programOf(params: Params<'run'>): string[] {
  return exactlyOne(
    params,
    (words) => [...words],
    (line) => ['/bin/sh', '-c', line],
  );
}

/** The shell opens it, so that a FIFO may wait for its writer without holding anything else up. */
function withStdin(path: string | undefined, words: string[]): string[] {
  return path === undefined ? words : ['/bin/sh', '-c', 'in=$1; shift; exec "$@" <"$in"', 'sh', path, ...words];
}

/** The fields that have a value. */
function given<T extends object>(fields: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as ReturnType<
    typeof given<T>
  >;
}

const OF_NEW_TERMINALS = [
  'cols',
  'rows',
  'cwd',
  'env',
  'inherit_env',
  'keep_agent_env',
  'scrollback',
  'term',
  'term_program',
  'shell_integration',
  'idle_timeout_ms',
  'stdin',
  'stream',
] as const;

async function inGivenTerminal(owner: RunOwner, params: Params<'run'>, call: Call): Promise<HandlerResult<'run'>> {
  const { core } = owner;
  const endsIt = params.on_timeout === 'end' ? 'on_timeout' : undefined;
  const unfit = endsIt ?? OF_NEW_TERMINALS.find((field) => params[field] !== undefined);
  if (unfit !== undefined) {
    throw new T4aError(
      'invalid_field',
      `"${unfit}" of "run" applies to a new terminal, and "id" names an existing one.`,
      {
        field: unfit,
        hint: 'Leave one of the two out.',
      },
    );
  }
  const field = params.command === undefined ? 'cmd_args' : 'command';
  const line = exactlyOne(
    params,
    (words) => (shell: string | undefined) => shellLine(words, shell),
    (text) => () => text,
  );
  const terminal = core.terminals.use(params.id ?? '', call);
  const startedMs = core.clock.now();
  let isWritten = false;
  const options = {
    line,
    field,
    timeoutMs: params.timeout_ms,
    signal: call.signal,
    sender: senderOf(call, params),
    onWritten: () => void (isWritten = true),
  };
  const running = runAtPrompt(terminal, core.clock, options, atShell(owner, terminal, params));
  const seen = await running.catch((error: unknown) => {
    if (!isT4aError(error) || error.code !== 'replaced') throw error;
    const elapsedMs = core.clock.now() - startedMs;
    throw isWritten ? inAnotherDaemon(error, terminal, params, elapsedMs) : notWritten(error, params, elapsedMs);
  });
  return drawnAtShell(owner, terminal, params, { seen, call });
}

/** The daemon before had written the line. */
async function resumedAtShell(
  owner: RunOwner,
  terminal: Terminal,
  params: Params<'run'>,
  call: Call,
  elapsedMs: number,
): Promise<HandlerResult<'run'>> {
  const { clock } = owner.core;
  const startedMs = clock.now() - elapsedMs;
  const options = { timeoutMs: params.timeout_ms, signal: call.signal, sender: senderOf(call, params) };
  const running = resumeAtPrompt(terminal, clock, options, atShell(owner, terminal, params));
  const seen = await running.catch((error: unknown) => {
    if (!isT4aError(error) || error.code !== 'replaced') throw error;
    throw inAnotherDaemon(error, terminal, params, clock.now() - startedMs);
  });
  return drawnAtShell(owner, terminal, params, { seen, call });
}

type SeenAtShell = { readonly facts: Omit<Reply<'run'>, 'len'>; readonly picture: RequestedPicture };

function atShell(
  { core }: RunOwner,
  terminal: Terminal,
  params: Params<'run'>,
): (ended: ShellRun & { readonly hasDropped: boolean }) => SeenAtShell {
  return (ended) => {
    const { screen, detectors } = terminal;
    const { code, signal } = terminal.exit;
    const { record, output, outcome } = ended;
    const facts: Omit<Reply<'run'>, 'len'> = {
      id: terminal.id,
      outcome,
      ...(ended.awaiting === undefined ? {} : { awaiting_input: ended.awaiting }),
      output_bytes: terminal.output.total,
      exit_code: outcome === 'exited' ? code : (record?.code ?? null),
      signal,
      duration_ms: ended.durationMs,
      ...(output === undefined
        ? { lines: [], omitted_lines: 0 }
        : outputLines(screen, output, params.max_lines, params.max_length)),
      lost_lines: ended.isHandedOn ? null : (output?.lost ?? null),
      ...(params.keep === false ? { omitted: undefined } : {}),
      kept: params.keep !== false,
      ...(record === undefined ? {} : { n: record.n, ...leftModes(record) }),
      ...(ended.level === 0 ? {} : { shell_level: ended.level }),
      ...(detectors.cwd === undefined ? {} : { cwd: detectors.cwd }),
      rev: screen.rev,
      ...pictureWarning(terminal),
      ...(ended.hasDropped ? { warning: HAS_DROPPED } : {}),
      seq: core.bus.lastSeq,
    };
    return { facts, picture: pictureOf(terminal, params) };
  };
}

async function drawnAtShell(
  { core, launcher }: RunOwner,
  terminal: Terminal,
  params: Params<'run'>,
  { seen, call }: { readonly seen: SeenAtShell; readonly call: Call },
): Promise<HandlerResult<'run'>> {
  try {
    const drawn = await draw(core, seen.picture, call);
    return { reply: { ...seen.facts, ...drawn.facts }, ...drawn.bytes };
  } finally {
    if (params.keep === false) await launcher.remove(terminal);
  }
}

/** @throws T4aError invalid_field */
function exactlyOne<T>(
  { cmd_args: words, command }: Params<'run'>,
  ofWords: (words: readonly string[]) => T,
  ofLine: (line: string) => T,
): T {
  if (words !== undefined && command === undefined) return ofWords(words);
  if (words === undefined && command !== undefined) return ofLine(command);
  throw new T4aError('invalid_field', 'Exactly one of "cmd_args" and "command" is needed.', {
    field: 'cmd_args',
    hint: 'For example t4a run -- make test, or t4a run --command "make 2>&1 | tail".',
  });
}

type RequestedPicture = { readonly capture: Capture; readonly params: PictureParams } | undefined;

function pictureOf(terminal: Terminal, { screenshot }: Params<'run'>): RequestedPicture {
  if (screenshot === false) return undefined;
  const params = screenshot === true ? defaultPicture() : screenshot;
  return { capture: capture(terminal, params), params };
}

async function draw(core: LookingCore, picture: RequestedPicture, call: Call) {
  if (picture === undefined) return { facts: {}, bytes: {} };
  try {
    const { facts, bytes } = await core.looks.draw(picture.capture, picture.params, call);
    return { facts, bytes: { bytes } };
  } catch (error) {
    return { facts: { observed: failedLook(error, call.signal) }, bytes: {} };
  }
}

interface End {
  readonly outcome: 'exited' | 'awaiting_input' | 'timeout';
  readonly awaiting?: AwaitingInput;
}

/** Resolves at the end of the program, when it waits for somebody, or at the deadline. */
function waitForEnd(
  terminal: Terminal,
  clock: Clock,
  timeoutMs: number | undefined,
  signal: AbortSignal,
): Promise<End> {
  return until<End>(signal, ({ resolve, reject }, scope) => {
    const ended = new AbortController();
    scope.defer(() => ended.abort());
    terminal.exited(ended.signal).then(() => resolve({ outcome: 'exited' }), reject);
    scope.add(terminal.detectors.onLastingRead((awaiting) => resolve({ outcome: 'awaiting_input', awaiting })));
    if (timeoutMs !== undefined) scope.add(clock.after(timeoutMs, () => resolve({ outcome: 'timeout' })));
  });
}
