/** A run in a terminal that is there: its command is typed at the prompt of the shell. */
import { T4aError, isT4aError } from '../../protocol/errors.js';
import type { Params, Reply } from '../../protocol/registry.js';
import type { Call, HandlerResult } from '../../rpc/service.js';
import { senderOf } from '../../terminal/input/input-gate.js';
import type { Terminal } from '../../terminal/terminal.js';
import { pictureWarning } from '../pictures/unshown-picture.js';
import { leftModes } from '../reading/commands.js';
import { outputLines } from '../reading/output-lines.js';
import {
  drawnPicture,
  exactlyOne,
  inAnotherDaemon,
  notWritten,
  requestedPicture,
  type RequestedPicture,
  type RunOwner,
} from './run-request.js';
import { resumeAtPrompt, runAtPrompt } from './run-at-prompt.js';
import type { ShellRun } from './running-line.js';
import { shellLine } from './shell-line.js';

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

export async function inGivenTerminal(
  owner: RunOwner,
  params: Params<'run'>,
  call: Call,
): Promise<HandlerResult<'run'>> {
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
export async function resumedAtShell(
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
): (ended: ShellRun & { readonly dropped?: string | undefined }) => SeenAtShell {
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
      ...lineWarning(terminal, params.command, ended),
      seq: core.bus.lastSeq,
    };
    return { facts, picture: requestedPicture(terminal, params) };
  };
}

const RAN_BEHIND =
  'Other text stood on the command line before the command, and ran with it: "commands" has the whole line.';

/** zsh and bash report the line that they run. fish reports one with its abbreviations expanded. */
function lineWarning(
  { detectors }: Terminal,
  command: string | undefined,
  { dropped, record }: ShellRun & { readonly dropped?: string | undefined },
): { warning?: string } {
  const asked = command?.trim() ?? '';
  const ran = record?.command ?? asked;
  if (detectors.shell.name !== 'fish' && asked !== '' && ran.trim() !== asked && ran.trimEnd().endsWith(asked))
    return { warning: RAN_BEHIND };
  return dropped === undefined ? {} : { warning: dropped };
}

async function drawnAtShell(
  { core, launcher }: RunOwner,
  terminal: Terminal,
  params: Params<'run'>,
  { seen, call }: { readonly seen: SeenAtShell; readonly call: Call },
): Promise<HandlerResult<'run'>> {
  try {
    const drawn = await drawnPicture(core, seen.picture, call);
    return { reply: { ...seen.facts, ...drawn.facts }, ...drawn.bytes };
  } finally {
    if (params.keep === false) await launcher.remove(terminal);
  }
}
