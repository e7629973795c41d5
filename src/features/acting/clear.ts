import { refusal } from '../../protocol/errors.js';
import type { Handler } from '../../rpc/service.js';
import { countOf, senderOf } from '../../terminal/input/input-gate.js';
import type { LookingCore } from '../pictures/looking-core.js';
import { takeTurn } from '../reading/turn.js';

const ERASE = '\x1b[H\x1b[2J';
const DROP_SCROLLBACK = '\x1b[3J';
/** Modes that programs switch on, and in the last place the two that they switch off. */
const MODES = [
  '\x1b[?1049l\x1b[?1;5;9;66;1000;1002;1003;1004;1005;1006;1015;1016;2004;2026l\x1b[4;20l\x1b[=0u',
  '\x1b[?7;25h',
];
/** A soft reset, pen, character sets, the form of the cursor, palette and colours. */
const RESET = ['\x1b[!p\x1b[m\x1b(B\x0f\x1b[0 q\x1b]104\x07\x1b]110\x07\x1b]111\x07\x1b]112\x07', ...MODES].join('');

export const clear =
  (core: LookingCore): Handler<'clear'> =>
  (params, call) => {
    const { id, scrollback, screen, reset } = params;
    if (!scrollback && !screen && !reset) {
      throw refusal('invalid_field', 'The request says nothing that is to be cleared.', {
        field: 'scrollback',
        hint: 'Set "scrollback", "screen" or "reset" to true.',
      });
    }
    const terminal = core.terminals.use(id, call);
    const sequences = (reset ? RESET : '') + (screen || reset ? ERASE : '') + (scrollback ? DROP_SCROLLBACK : '');
    const act = async () => {
      const inputs = terminal.input.countOther(senderOf(call, params));
      await terminal.screen.insert(sequences);
      return { rev: terminal.screen.rev, ...countOf(inputs, params) };
    };
    return takeTurn(core, terminal, params, { input: '', act }, call);
  };
