import type { WaitParams } from '../../protocol/conditions.js';
import type { Params } from '../../protocol/registry.js';
import type { Call, Handler, HandlerResult, ReplyWithBytes } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';
import { capture, type Capture, checkPicture, findMarks } from '../pictures/capture.js';
import type { Terminal } from '../terminal/terminal.js';
import { waitFirst } from '../turns/wait-first.js';

export const screenshot =
  (daemon: Daemon): Handler<'screenshot'> =>
  async (params, call) => {
    const terminal = daemon.terminals.use(params.id, call);
    if (params.wait !== undefined) return pictureAfter(daemon, terminal, params.wait, params, call);
    await terminal.settle();
    await daemon.prefetch.drawn(terminal);
    return draw(daemon, terminal, captureUnlessSame(terminal, params), params, call);
  };

interface Captured {
  readonly rev: number;
  readonly inputs: number;
  /** Undefined if the revision is the one that the caller has. */
  readonly capture: Capture | undefined;
}

function captureUnlessSame(terminal: Terminal, params: Params<'screenshot'>): Captured {
  const { rev } = terminal.screen;
  const { inputs } = terminal.input;
  return { rev, inputs, capture: params.if_rev === rev ? undefined : capture(terminal, params) };
}

async function pictureAfter(
  daemon: Daemon,
  terminal: Terminal,
  wait: WaitParams,
  params: Params<'screenshot'>,
  call: Call,
): Promise<HandlerResult<'screenshot'>> {
  checkPicture(params, daemon.themes);
  const { outcome, captured } = await waitFirst(terminal, wait, call, (reply) => ({
    outcome: reply,
    captured: captureUnlessSame(terminal, params),
  }));
  const { reply, ...rest } = await draw(daemon, terminal, captured, params, call);
  return { reply: { ...reply, wait: outcome }, ...rest };
}

async function draw(
  daemon: Daemon,
  terminal: Terminal,
  { capture: captured, rev, inputs }: Captured,
  params: Params<'screenshot'>,
  call: Call,
): Promise<ReplyWithBytes<'screenshot'>> {
  if (captured === undefined) return { reply: { unchanged: true, rev } };
  const { facts, bytes } = await daemon.pictures.draw(
    await findMarks(captured, daemon.parts.work, call.signal),
    params,
    call,
  );
  daemon.prefetch.asked(terminal, params);
  return params.inline
    ? { reply: { ...facts, inputs, data: Buffer.concat(bytes).toString('base64') } }
    : { reply: { ...facts, inputs }, bytes };
}
