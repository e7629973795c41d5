import { PartKey } from '../../base/parts.js';
import { T4aError } from '../../protocol/errors.js';
import type { Reply } from '../../protocol/registry.js';
import { EncodedReply } from '../../rpc/encoded-fields.js';
import { randomHex } from '../../rpc/random-hex.js';
import type { MadeBytes } from '../../rpc/made-bytes.js';
import type { Call, Handler } from '../../rpc/service.js';
import { SYNCHRONIZED_OUTPUT_LIMIT_MS } from '../../vt/parsing/settle-waiters.js';
import type { Core } from '../core.js';
import type { Work } from '../../search/work.js';
import { encodedJson } from '../reading/encoded-json.js';
import { alone, LongReads } from '../reading/long-reads.js';
import { presenceOf } from '../../terminal/presence.js';
import type { Terminal } from '../../terminal/terminal.js';
import { completeFrame, WatchedScreen } from './watched-screen.js';

const WATCHED = new PartKey<WatchedScreen | undefined>(() => undefined);

export const watch = (core: Core): Handler<'watch'> => {
  const long = new LongReads<MadeFrame>();
  // Not from 0: a watcher may come with a frame of the daemon before.
  let state = Number.parseInt(randomHex(4), 16) >>> 1;
  const watchedScreen = (terminal: Terminal): WatchedScreen =>
    (terminal.part(WATCHED).value ??= new WatchedScreen(terminal, () => ++state));
  return async (params, call) => {
    const terminal = core.terminals.find(params.id, call);
    const { signal, connection } = call;
    if (params.at !== undefined) {
      const past = await pastFrame(terminal, params.at, call);
      const frame = await long.finish(alone(made(past.value)), call);
      return replyOf(frame, { state: params.state ?? 0, at: past.at });
    }
    // Before the state is read: a watcher counts itself.
    const answered = presenceOf(terminal).ask(connection);
    try {
      const screen = watchedScreen(terminal);
      const question = screen.question(params);
      if (await screen.changed(question, params.timeout_ms, signal)) {
        await gather(terminal, params.gather_ms);
        signal.throwIfAborted();
      }
      if (terminal.state.kind === 'removed') {
        throw new T4aError('terminal_not_found', `Terminal "${terminal.id}" was removed.`, { hint: 't4a list' });
      }
      // Many that waited for the same change would all make their frames now.
      await call.caughtUp();
      return replyOf(await long.finish(alone(made(screen.frame(question))), call));
    } finally {
      answered();
    }
  };
};

type Frame = Omit<Reply<'watch'>, 'state'>;

interface MadeFrame {
  readonly frame: Frame;
  /** The rows of a large frame. */
  readonly drawn?: readonly Uint8Array[];
}

/** Of so many rows in many colours, the JSON takes some milliseconds. */
const LARGE_ROWS = 100;

const made = (work: Work<Frame>) =>
  function* ofFrame(bytes: MadeBytes): Work<MadeFrame> {
    const frame = yield* work;
    return frame.drawn.length < LARGE_ROWS ? { frame } : { frame, drawn: yield* encodedJson(frame.drawn, bytes) };
  };

function replyOf({ frame, drawn }: MadeFrame, more?: Partial<Reply<'watch'>>) {
  if (drawn === undefined) return { ...frame, ...more } as Reply<'watch'>;
  const { drawn: _drawn, ...small } = frame;
  return new EncodedReply<Reply<'watch'>>({ ...small, ...more }, { drawn });
}

async function pastFrame(terminal: Terminal, at: string | number, call: Call) {
  const { readPast } = await import('../past/past-reads.js');
  return readPast(terminal, { at, above: 0 }, completeFrame, call);
}

/** Half a frame is of no use: a synchronized update is waited for, however little time is given. */
async function gather({ screen }: Terminal, ms: number): Promise<void> {
  if (ms > 0 && screen.pendingBytes > 0) await screen.settle(ms);
  if (screen.modes.synchronizedOutput) await screen.settle(SYNCHRONIZED_OUTPUT_LIMIT_MS);
}
