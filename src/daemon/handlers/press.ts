import type { Handler } from '../../rpc/service.js';
import { encodeKey } from '../../vt/keys/encode-key.js';
import type { KeyPress } from '../../vt/keys/key-press.js';
import type { Daemon } from '../daemon.js';
import { interruptOfKey } from '../interrupts.js';
import { checkSendable, parseKeys } from '../keyboard.js';
import type { Terminal } from '../terminal.js';

/**
 * After Escape alone, before another key: programs take ESC with what follows it at once for Alt or for a function key.
 * Longer than the 100 ms that vim's defaults give the rest of a sequence, shorter than a person needs.
 */
const ESCAPE_GAP_MS = 120;

export const press =
  (daemon: Daemon): Handler<'press'> =>
  async (params) => {
    const presses = parseKeys(params.keys, 'keys');
    const terminal = daemon.terminals.use(params.id);
    const interrupt = interruptOfKey(presses[0]);
    if (interrupt === undefined) return { bytes: await pressInTurn(terminal, presses, params.gap_ms) };
    await terminal.settleForInput();
    checkSendable(presses, terminal.screen.modes, 'keys');
    const bytes = encode(presses.slice(0, 1), terminal);
    await terminal.input.interrupt(bytes, interrupt);
    if (presses.length === 1) return { bytes: bytes.length };
    return { bytes: bytes.length + (await pressInTurn(terminal, presses.slice(1), params.gap_ms)) };
  };

/** Encoded anew after each pause: the program may have answered the keys before it with other modes. */
function pressInTurn(terminal: Terminal, presses: readonly KeyPress[], gapMs: number): Promise<number> {
  return terminal.input.take(presses.length, async (turn) => {
    await terminal.settleForInput();
    checkSendable(presses, terminal.screen.modes, 'keys');
    let total = 0;
    const groups = keysAtOnce(presses, gapMs, (key) => encode([key], terminal).length === 1);
    for (const [i, group] of groups.entries()) {
      if (i > 0) await turn.pause(Math.max(gapMs, groups[i - 1]?.at(-1)?.key === 'Escape' ? ESCAPE_GAP_MS : 0));
      const bytes = encode(group, terminal);
      await turn.write(bytes);
      total += bytes.length;
    }
    return total;
  });
}

/** Keys between which there is no pause. @param isBare whether Escape is sent as a byte that others could join */
function keysAtOnce(
  presses: readonly KeyPress[],
  gapMs: number,
  isBare: (escape: KeyPress) => boolean,
): (readonly KeyPress[])[] {
  if (gapMs > 0) return presses.map((key) => [key]);
  const groups: KeyPress[][] = [];
  let open: KeyPress[] | undefined;
  for (const key of presses) {
    if (open === undefined) groups.push((open = []));
    open.push(key);
    if (key.key === 'Escape' && isBare(key)) open = undefined;
  }
  return groups;
}

function encode(presses: readonly KeyPress[], terminal: Terminal): Uint8Array {
  const { modes } = terminal.screen;
  return Buffer.from(presses.map((key) => encodeKey(key, modes)).join(''), 'utf8');
}
