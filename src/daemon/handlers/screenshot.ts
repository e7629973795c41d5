import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';

export const screenshot =
  (daemon: Daemon): Handler<'screenshot'> =>
  async (params) => {
    const terminal = daemon.terminals.use(params.id);
    await terminal.settle();
    const snapshot = terminal.snapshot();
    if (params.if_rev === snapshot.rev) return { reply: { unchanged: true, rev: snapshot.rev } };
    const { facts, bytes } = await daemon.pictures.draw(snapshot, params);
    return params.inline
      ? { reply: { ...facts, data: Buffer.concat(bytes).toString('base64') } }
      : { reply: facts, bytes };
  };
