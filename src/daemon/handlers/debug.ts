import { readFileSync } from 'node:fs';
import type { Params, Reply } from '../../protocol/registry.js';
import type { Handler } from '../../rpc/service.js';
import type { UnknownSequence } from '../../vt/replies/sequences.js';
import type { LookingCore } from '../../features/pictures/looking-core.js';
import type { RecordedSequence } from '../../terminal/seen-sequences.js';
import { foregroundThreads } from '../../terminal/system/proc/blocked-threads.js';
import { hexSequence, readable, readableSequence } from '../../features/reading/readable-bytes.js';
import type { Terminal } from '../../terminal/terminal.js';
import { readInTurn } from '../../features/reading/read-turn.js';

export const debug =
  (core: LookingCore): Handler<'debug'> =>
  async (params, call) => {
    const terminal = core.terminals.use(params.id, call, params.clear);
    const read = (): RecordFacts => readRecord(terminal, params);
    const { value, turn } = await readInTurn(core, terminal, params, read, call);
    // A query to the system, so the answer is from right after that instant.
    const termios = terminal.alive ? await terminal.termios() : undefined;
    const {
      reply: { inputs: _inputs, ...reply },
      bytes,
    } = await turn();
    return { reply: { ...value, termios: termios ?? null, ...reply }, ...(bytes === undefined ? {} : { bytes }) };
  };

type RecordFacts = Omit<Reply<'debug'>, 'termios'>;

function readRecord(terminal: Terminal, params: Params<'debug'>): RecordFacts {
  const { output, seen: sequences, screen } = terminal;
  const { inputs, dropped } = terminal.input.sent;
  const tail = output.last(params.tail_bytes);
  const facts: RecordFacts = {
    unhandled: { sequences: sequences.unhandled.list().map(describe), dropped: sequences.unhandled.dropped },
    queries: {
      seen: sequences.queries.list().map((seen) => {
        const { answer } = seen.item;
        const told = answer === undefined ? {} : { answer: readable(Buffer.from(answer, 'utf8')) };
        return { ...describe(seen), answered: answer !== undefined, ...told };
      }),
      dropped: sequences.queries.dropped,
    },
    inputs: { seen: inputs.map((input) => ({ ...input })), dropped },
    output: { text: readable(tail), base64: Buffer.from(tail).toString('base64'), bytes: output.total },
    foreground: terminal.alive ? foregroundOf(terminal) : null,
    shell: shellOf(terminal),
    pending_output_bytes: screen.pendingBytes,
    pending_input_bytes: terminal.input.pendingBytes,
    rev: screen.rev,
  };
  if (params.clear) {
    sequences.unhandled.clear();
    sequences.queries.clear();
  }
  return facts;
}

function describe({ item, count, rev }: RecordedSequence<UnknownSequence>) {
  return { kind: item.kind, text: readableSequence(item), hex: hexSequence(item), count, rev };
}

function foregroundOf({ pid, device, foregroundGroup }: Terminal): Reply<'debug'>['foreground'] {
  const threads = foregroundThreads(pid, device);
  if (threads.length === 0) return null;
  return {
    group: foregroundGroup,
    threads: threads.map(({ pid: blocked, process: name, blockedIn }) => ({
      pid: blocked,
      process: name,
      blocked_in: blockedIn.kind,
      ...('terminal' in blockedIn ? { terminal: blockedIn.terminal } : {}),
      ...waitChannel(blocked),
    })),
  };
}

function shellOf({ detectors }: Terminal): Reply<'debug'>['shell'] {
  const { name, marksOff } = detectors.shell;
  if (name === undefined) return null;
  return marksOff === undefined ? { name, integration: 'on' } : { name, integration: 'off', reason: marksOff };
}

/**
 * Wait channel of the process's first thread. The kernel writes 0 for a running thread, and for every thread if it hides wait
 * channels.
 */
function waitChannel(pid: number): { wait_channel?: string } {
  try {
    const channel = readFileSync(`/proc/${pid}/wchan`, 'latin1').trim();
    return channel === '' || channel === '0' ? {} : { wait_channel: channel };
  } catch {
    return {}; // ENOENT, EACCES
  }
}
