import type { Params, Reply } from '../../protocol/registry.js';
import { T4aError } from '../../protocol/errors.js';
import type { Handler } from '../../rpc/service.js';
import { DEFAULT_PICTURE, type PictureParams } from '../../protocol/picture.js';
import { capture } from '../capture.js';
import type { Daemon } from '../daemon.js';
import type { DrawnPicture } from '../pictures.js';
import { plainLine } from '../line-formats.js';
import { type LineSpan, linesIn, regionRange } from '../region.js';
import { spawnTerminal } from '../spawn.js';
import type { Terminal } from '../terminal.js';

export const run =
  (daemon: Daemon): Handler<'run'> =>
  async (params, call) => {
    daemon.assertOpen();
    const terminal = spawnTerminal(daemon, { ...params, cmd_args: commandOf(params) });
    try {
      const startedMs = daemon.options.clock.now();
      const outcome = await waitForExit(terminal, params.timeout_ms, call.signal);
      const durationMs = Math.round(daemon.options.clock.now() - startedMs);
      await terminal.settle();
      const facts = { outcome, duration_ms: durationMs, ...outputOf(terminal, params.max_lines) };
      const picture = params.screenshot === false ? undefined : await drawFinal(daemon, terminal, params.screenshot);
      if (outcome === 'timeout') await terminal.end();
      const reply = {
        id: terminal.id,
        exit_code: terminal.exit.code,
        signal: terminal.exit.signal,
        ...facts,
        ...picture?.facts,
      };
      return picture === undefined ? { reply } : { reply, bytes: picture.bytes };
    } finally {
      if (!params.keep || call.signal.aborted) await daemon.remove(terminal);
    }
  };

function drawFinal(daemon: Daemon, terminal: Terminal, wanted: true | PictureParams): Promise<DrawnPicture> {
  const picture = wanted === true ? DEFAULT_PICTURE : wanted;
  return daemon.pictures.draw(capture(terminal, picture), picture);
}

function commandOf(params: Params<'run'>): string[] {
  if ((params.cmd_args === undefined) === (params.command === undefined)) {
    throw new T4aError('invalid_field', 'Exactly one of "cmd_args" and "command" is needed.', {
      field: 'cmd_args',
      hint: 'For example t4a run -- make test, or t4a run --command "make 2>&1 | tail".',
    });
  }
  return params.cmd_args ?? ['/bin/sh', '-c', params.command ?? ''];
}

async function waitForExit(
  terminal: Terminal,
  timeoutMs: number | undefined,
  caller: AbortSignal,
): Promise<Reply<'run'>['outcome']> {
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

/** Soft-wrapped rows are joined: a line is what the program printed as one. */
function outputOf(terminal: Terminal, maxLines: number): { lines: string[]; omitted_lines: number } {
  const { screen } = terminal;
  const read = (line: LineSpan): string => plainLine(screen, line, true);
  const spans = linesIn(screen, regionRange(screen, 'all'), true);
  // What is left out is not read: a long output holds the daemon no longer than a short one.
  while (spans.length > 0 && read(spans[spans.length - 1] as LineSpan) === '') spans.pop();
  if (spans.length <= maxLines) return { lines: spans.map(read), omitted_lines: 0 };
  const head = spans.slice(0, Math.ceil(maxLines / 2));
  const tail = spans.slice(spans.length - (maxLines - head.length));
  return { lines: [...head, ...tail].map(read), omitted_lines: spans.length - maxLines };
}
