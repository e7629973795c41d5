import type { Clock } from '../../base/clock.js';
import type { AwaitingInput } from '../../events/awaiting-input.js';
import { isT4aError, T4aError } from '../../protocol/errors.js';
import type { Params } from '../../protocol/registry.js';
import { spawnDefaults } from '../../protocol/spawn-shape.js';
import type { Call, Handler, HandlerResult } from '../../rpc/service.js';
import { admitAct } from '../../terminal/admitted-act.js';
import { outputFromNow } from '../../terminal/command-range.js';
import { identityOf } from '../../terminal/identity.js';
import { MOST_WINDOW_BYTES, type StreamedRun } from '../../terminal/streamed-runs.js';
import type { Terminal } from '../../terminal/terminal.js';
import { until } from '../../terminal/until.js';
import { regionRange } from '../../vt/region.js';
import type { Screen } from '../../vt/screen.js';
import { checkPicture } from '../pictures/capture.js';
import { anyPictureWarning } from '../pictures/unshown-picture.js';
import { noteRunLook } from '../reading/looked-text.js';
import { outputLines } from '../reading/output-lines.js';
import { hasLineToResume } from './run-at-prompt.js';
import { inGivenTerminal, resumedAtShell } from './run-in-terminal.js';
import { drawnPicture, exactlyOne, given, inAnotherDaemon, requestedPicture, type RunOwner } from './run-request.js';
import { ANSWERS_RUN, IS_TO_RESUME, KEEPS_RUN } from './runs-under-way.js';

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
      ...outputLines(screen, wholeOutput(screen, followed.lost), params.max_lines, params.max_length),
      lost_lines: followed.lost,
      rev: screen.rev,
      ...anyPictureWarning(terminal),
    };
    const drawn = await drawnPicture(core, requestedPicture(terminal, params), call);
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

/** Rows above the cursor are output, unless a program draws on its screen. */
function wholeOutput(screen: Screen, lost: number | null): Parameters<typeof outputLines>[1] {
  const range = regionRange(screen, 'all');
  return screen.altScreen || lost !== 0
    ? range
    : { ...range, knownEnd: screen.scrollbackLines + screen.snapshot().cursor.row };
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
