import type { Handler } from '../../rpc/service.js';
import { capture, findMarks } from '../pictures/capture.js';
import type { Daemon } from '../daemon.js';

export const screenshot =
  (daemon: Daemon): Handler<'screenshot'> =>
  async (params, call) => {
    const terminal = daemon.terminals.use(params.id);
    await terminal.settle();
    await daemon.pictureAhead.drawn(terminal);
    const { rev } = terminal.screen;
    if (params.if_rev === rev) return { reply: { unchanged: true, rev } };
    const marked = await findMarks(capture(terminal, params), daemon.parts.work, call.signal);
    const { facts, bytes } = await daemon.pictures.draw(marked, params, call);
    daemon.pictureAhead.asked(terminal, params);
    return params.inline
      ? { reply: { ...facts, data: Buffer.concat(bytes).toString('base64') } }
      : { reply: facts, bytes };
  };
