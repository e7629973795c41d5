import { spawnDefaults } from '../../protocol/commands/create.js';
import { T4aError } from '../../protocol/errors.js';
import { defaultPicture, type PictureParams } from '../../protocol/picture.js';
import type { Params, Reply } from '../../protocol/registry.js';
import type { HandlerResult, Call, Handler } from '../../rpc/service.js';
import { type Capture, capture, findMarks } from '../pictures/capture.js';
import type { Daemon } from '../daemon.js';
import { senderOf } from '../input/input-gate.js';
import { outputLines } from '../reading/output-lines.js';
import { regionRange } from '../reading/region.js';
import { shellLine } from '../shell/line.js';
import { runAtPrompt } from '../shell/run.js';
import { spawnTerminal } from '../launching/spawn.js';
import { isRecorded, recordFromStart } from './record.js';
import type { Terminal } from '../terminal/terminal.js';

export const run =
  (daemon: Daemon): Handler<'run'> =>
  (params, call) => {
    daemon.assertOpen();
    if (params.id === undefined) refuseConditions(params);
    return params.id === undefined ? inNewTerminal(daemon, params, call) : inGivenTerminal(daemon, params, call);
  };

/** @throws T4aError invalid_field */
function refuseConditions(params: Params<'run'>): void {
  const field = (['if_inputs', 'if_hold'] as const).find((name) => params[name] !== undefined);
  if (field === undefined) return;
  throw new T4aError('invalid_field', `"${field}" of "run" goes with "id": a new terminal has had no input.`, {
    field,
  });
}

async function inNewTerminal(daemon: Daemon, params: Params<'run'>, call: Call): Promise<HandlerResult<'run'>> {
  const cmdArgs = exactlyOne(
    params,
    (words) => [...words],
    (line) => ['/bin/sh', '-c', line],
  );
  const startRecording = isRecorded(daemon, undefined) ? await recordFromStart(daemon, undefined) : undefined;
  daemon.assertOpen();
  const { id: _id, ...spawnFields } = params;
  // One that goes with the command is no terminal to come back to.
  const asker = params.keep === true ? call : {};
  const terminal = spawnTerminal(daemon, { ...spawnDefaults(), ...given(spawnFields), cmd_args: cmdArgs }, asker);
  try {
    const startedMs = daemon.options.clock.now();
    await startRecording?.(terminal);
    const outcome = await waitForExit(terminal, params.timeout_ms, call.signal);
    const durationMs = Math.round(daemon.options.clock.now() - startedMs);
    await terminal.settle();
    const { screen } = terminal;
    const facts = {
      outcome,
      duration_ms: durationMs,
      ...outputLines(screen, regionRange(screen, 'all'), params.max_lines),
      lost_lines: screen.altScreen ? 0 : screen.firstLineNumber,
      rev: screen.rev,
    };
    const drawn = await draw(daemon, pictureOf(terminal, params), call);
    if (outcome === 'timeout') await terminal.end();
    const { code: exit_code, signal } = terminal.exit;
    const reply = { id: terminal.id, exit_code, signal, ...facts, seq: daemon.bus.lastSeq, ...drawn.facts };
    return { reply, ...drawn.bytes };
  } finally {
    if (params.keep !== true || call.signal.aborted) await daemon.remove(terminal);
  }
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
  'scrollback',
  'term',
  'shell_integration',
  'idle_timeout_ms',
] as const;

async function inGivenTerminal(daemon: Daemon, params: Params<'run'>, call: Call): Promise<HandlerResult<'run'>> {
  const unfit = OF_NEW_TERMINALS.find((field) => params[field] !== undefined);
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
  const terminal = daemon.terminals.use(params.id ?? '', call);
  const options = { line, field, timeoutMs: params.timeout_ms, signal: call.signal, sender: senderOf(call, params) };
  const seen = await runAtPrompt(terminal, daemon.options.clock, options, (ended) => {
    const { screen, detectors } = terminal;
    const { code, signal } = terminal.exit;
    const { record, output, outcome } = ended;
    const facts: Omit<Reply<'run'>, 'len'> = {
      id: terminal.id,
      outcome,
      exit_code: outcome === 'exited' ? code : (record?.code ?? null),
      signal,
      duration_ms: ended.durationMs,
      ...(output === undefined ? { lines: [], omitted_lines: 0 } : outputLines(screen, output, params.max_lines)),
      lost_lines: output?.lost ?? null,
      ...(record === undefined ? {} : { n: record.n }),
      ...(detectors.cwd === undefined ? {} : { cwd: detectors.cwd }),
      rev: screen.rev,
      seq: daemon.bus.lastSeq,
    };
    return { facts, picture: pictureOf(terminal, params) };
  });
  try {
    const drawn = await draw(daemon, seen.picture, call);
    return { reply: { ...seen.facts, ...drawn.facts }, ...drawn.bytes };
  } finally {
    if (params.keep === false) await daemon.remove(terminal);
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

async function draw(daemon: Daemon, picture: RequestedPicture, call: Call) {
  if (picture === undefined) return { facts: {}, bytes: {} };
  const marked = await findMarks(picture.capture, daemon.parts.work, call.signal);
  const { facts, bytes } = await daemon.pictures.draw(marked, picture.params, call);
  return { facts, bytes: { bytes } };
}

async function waitForExit(
  terminal: Terminal,
  timeoutMs: number | undefined,
  caller: AbortSignal,
): Promise<'exited' | 'timeout'> {
  if (timeoutMs === undefined) {
    await terminal.exited(caller);
    return 'exited';
  }
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    await terminal.exited(AbortSignal.any([caller, deadline]));
    return 'exited';
  } catch (error) {
    if (deadline.aborted && !caller.aborted) return 'timeout';
    throw error;
  }
}
