import type { WaitParams } from '../../protocol/conditions.js';
import type { Params } from '../../protocol/registry.js';
import type { Call, Handler, HandlerResult, ReplyWithBytes } from '../../rpc/service.js';
import { pictureWarning } from './unshown-picture.js';
import type { LookingCore } from './looking-core.js';
import { capture, type Capture, aboveBytes, checkPicture } from './capture.js';
import type { PictureParams } from '../../protocol/picture.js';
import { MadeBytes } from '../../rpc/made-bytes.js';
import type { ReadableTerminal } from '../../terminal/readable-terminal.js';
import { OneAtATime } from '../../rpc/one-at-a-time.js';
import type { Terminal } from '../../terminal/terminal.js';
import { waitFirst } from '../../terminal/wait-first.js';

export const screenshot = (core: LookingCore): Handler<'screenshot'> => {
  const past = new OneAtATime();
  return async (params, call) => {
    const terminal = core.terminals.use(params.id, call);
    if (params.wait !== undefined && params.at === undefined)
      return pictureAfter(core, terminal, params.wait, params, call);
    const { at } = params;
    if (at !== undefined) return past.run(call, () => pastPicture(core, terminal, { ...params, at }, call));
    await terminal.settle();
    await core.looks.prefetch.drawn(terminal);
    return draw(core, terminal, captureUnlessSame(terminal, params, call), params, call);
  };
};

interface Captured {
  readonly rev: number;
  readonly inputs: number;
  /** Undefined if the revision is the one that the caller has. */
  readonly capture: Capture | undefined;
}

function captureUnlessSame(terminal: Terminal, params: Params<'screenshot'>, call: Call): Captured {
  const { rev } = terminal.screen;
  const { inputs } = terminal.input;
  return { rev, inputs, capture: params.if_rev === rev ? undefined : countedCapture(terminal, params, call) };
}

/** Captured rows count to the connection while they wait to be drawn. */
function countedCapture(terminal: ReadableTerminal, params: PictureParams, call: Call): Capture {
  if (params.scrollback > 0) new MadeBytes(call).add(aboveBytes(terminal, params));
  call.signal.throwIfAborted();
  return capture(terminal, params);
}

async function pictureAfter(
  core: LookingCore,
  terminal: Terminal,
  wait: WaitParams,
  params: Params<'screenshot'>,
  call: Call,
): Promise<HandlerResult<'screenshot'>> {
  checkPicture(params, core.looks.themes);
  const { outcome, captured } = await waitFirst(terminal, wait, call, (reply) => ({
    outcome: reply,
    captured: captureUnlessSame(terminal, params, call),
  }));
  const { reply, ...rest } = await draw(core, terminal, captured, params, call);
  return { reply: { ...reply, wait: outcome }, ...rest };
}

async function pastPicture(
  core: LookingCore,
  terminal: Terminal,
  params: Params<'screenshot'> & { readonly at: string | number },
  call: Call,
): Promise<ReplyWithBytes<'screenshot'>> {
  const { at, since, if_rev: ifRev, scrollback: above } = params;
  const { assertPresent, readPast } = await import('../past/past-reads.js');
  assertPresent({ wait: params.wait, if_rev: ifRev });
  const past = await readPast(terminal, { at, since, above }, (seen) => countedCapture(seen, params, call), call);
  const { facts, bytes } = await core.looks.draw(past.value, params, call);
  return withPicture({ ...facts, at: past.at }, bytes, params.inline);
}

function withPicture(
  reply: Omit<ReplyWithBytes<'screenshot'>['reply'], 'len' | 'data'>,
  bytes: readonly Uint8Array[],
  inline: boolean,
): ReplyWithBytes<'screenshot'> {
  return inline ? { reply: { ...reply, data: Buffer.concat(bytes).toString('base64') } } : { reply, bytes };
}

async function draw(
  core: LookingCore,
  terminal: Terminal,
  { capture: captured, rev, inputs }: Captured,
  params: Params<'screenshot'>,
  call: Call,
): Promise<ReplyWithBytes<'screenshot'>> {
  if (captured === undefined) return { reply: { unchanged: true, rev } };
  const { facts, bytes } = await core.looks.draw(captured, params, call);
  core.looks.prefetch.asked(terminal, params);
  return withPicture({ ...facts, inputs, ...pictureWarning(terminal) }, bytes, params.inline);
}
