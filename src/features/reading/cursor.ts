import type { Handler } from '../../rpc/service.js';
import type { LookingCore } from '../pictures/looking-core.js';
import { readInTurn } from './read-turn.js';

export const cursor =
  (core: LookingCore): Handler<'cursor'> =>
  async (params, call) => {
    const terminal = core.terminals.use(params.id, call);
    const { value, turn } = await readInTurn(core, terminal, params, (seen) => seen.snapshot(), call);
    const { cursor: at, rev } = value;
    const { reply, bytes } = await turn();
    return {
      reply: { row: at.row, col: at.col, visible: at.visible, shape: at.shape, blink: at.blink, rev, ...reply },
      ...(bytes === undefined ? {} : { bytes }),
    };
  };
