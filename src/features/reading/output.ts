import { T4aError } from '../../protocol/errors.js';
import type { TerminalEvent } from '../../protocol/events.js';
import type { Reply } from '../../protocol/registry.js';
import type { Handler } from '../../rpc/service.js';
import type { StreamedRuns } from '../../terminal/streamed-runs.js';
import type { Core } from '../core.js';
import { firstOutput, readOutput } from '../past/past-output.js';
import type { Terminal } from '../../terminal/terminal.js';
import { until } from '../../terminal/until.js';

/** After these a terminal prints nothing more. */
const LAST: ReadonlySet<TerminalEvent['event']> = new Set(['exit', 'removed']);

export const output =
  (core: Core, streamedRuns: StreamedRuns): Handler<'output'> =>
  async ({ id, run, since, max_bytes: maxBytes, wait_ms: waitMs, inline }, call) => {
    const streamed = run === undefined ? undefined : streamedRuns.find(run);
    if ((id === undefined) === (streamed === undefined)) throw oneOfTwo();
    const terminal = await (streamed?.terminal(call.signal) ?? core.terminals.use(id ?? '', call));
    const { output: kept } = terminal;
    const first = since ?? kept.first;
    if (first >= kept.total && waitMs > 0) await untilOutput(terminal, first, waitMs, call.signal);
    if (first < kept.first && first < firstOutput(terminal))
      throw offsetGone(terminal.id, first, firstOutput(terminal));
    const bytes = readOutput(terminal, first, maxBytes);
    const next = first + bytes.length;
    streamed?.handedOut(next);
    const reply: Omit<Reply<'output'>, 'len'> = {
      first,
      next,
      ended: hasEnded(terminal) && next >= kept.total,
      ...(streamed === undefined ? {} : { id: terminal.id }),
    };
    return inline ? { reply: { ...reply, data: Buffer.from(bytes).toString('base64') } } : { reply, bytes: [bytes] };
  };

/** Resolves with the first byte at this offset, at the end of the process, or after the time. */
function untilOutput(terminal: Terminal, offset: number, waitMs: number, signal: AbortSignal): Promise<void> {
  if (hasEnded(terminal)) return Promise.resolve();
  return until<void>(signal, ({ resolve }, scope) => {
    scope.add(terminal.clock.after(waitMs, resolve));
    scope.add(
      terminal.feed.add({
        onBytes: (bytes, before) => void (before + bytes.length > offset && resolve()),
        onEvent: ({ event }) => void (LAST.has(event) && resolve()),
      }),
    );
  });
}

/** Its output is complete. */
function hasEnded({ state }: Terminal): boolean {
  return state.kind === 'exited' || state.kind === 'removed';
}

function oneOfTwo(): T4aError {
  return new T4aError('invalid_field', '"output" takes either "id" or "run".', { field: 'id' });
}

function offsetGone(id: string, since: number, first: number): T4aError {
  return new T4aError('offset_gone', `Terminal "${id}" keeps its output from offset ${first} on: ${since} is gone.`, {
    field: 'since',
    first,
    hint: `Read on with "since": ${first}.`,
  });
}
