import type { Handler } from '../../rpc/service.js';
import type { LookingCore } from '../pictures/looking-core.js';
import { countOf, senderOf } from '../../terminal/input/input-gate.js';
import { takeTurn } from '../reading/turn.js';

export const resize =
  (core: LookingCore): Handler<'resize'> =>
  (params, call) => {
    const terminal = core.terminals.use(params.id, call);
    const act = async () => {
      const inputs = terminal.input.countOther(senderOf(call, params));
      await terminal.resize(params.cols, params.rows);
      const { cols, rows, rev } = terminal.screen;
      return { cols, rows, rev, ...countOf(inputs, params) };
    };
    return takeTurn(core, terminal, params, { input: '', act }, call);
  };
