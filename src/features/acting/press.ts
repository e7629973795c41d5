import type { Params } from '../../protocol/registry.js';
import type { Handler } from '../../rpc/service.js';
import { encodeKey } from '../../vt/keys/encode-key.js';
import type { KeyPress } from '../../vt/keys/key-press.js';
import type { ActingCore } from './acting-core.js';
import { takeInputTurn } from './input-turn.js';
import { countOf, senderOf } from '../../terminal/input/input-gate.js';
import { interruptOfKey } from '../../terminal/input/interrupts.js';
import { checkSendable, parseKeys } from '../../terminal/input/keyboard.js';
import type { InputWriter } from '../../terminal/input/terminal-input.js';
import type { Terminal } from '../../terminal/terminal.js';
import { takeTurn } from '../reading/turn.js';
import { inputModes } from '../../terminal/input/input-modes.js';

/**
 * Pause after a lone Escape, before another key: programs take ESC and the following byte for Alt or a function key.
 * Longer than the 100 ms that vim's defaults allow for the rest of a sequence, shorter than a person notices.
 */
const ESCAPE_GAP_MS = 120;

export const press =
  (core: ActingCore): Handler<'press'> =>
  async (params, call) => {
    const presses = parseKeys(params.keys, 'keys');
    const terminal = core.terminals.use(params.id, call);
    const interrupt = interruptOfKey(presses[0]);
    if (interrupt === undefined)
      return takeInputTurn(core, terminal, params, keys(core, terminal, presses, params, 0), call);
    terminal.input.admit(senderOf(call, params));
    await terminal.settleForInput();
    checkSendable(presses, inputModes(terminal), 'keys');
    const bytes = encode(presses.slice(0, 1), terminal);
    const overtake = async () => {
      await assertStands(core, terminal, params);
      const inputs = await terminal.input.interrupt(bytes, interrupt, senderOf(call, params));
      return { bytes_sent: bytes.length, ...countOf(inputs, params) };
    };
    if (presses.length === 1) return takeTurn(core, terminal, params, { input: '', act: overtake }, call);
    await overtake();
    const rest = { ...keys(core, terminal, presses.slice(1), params, bytes.length), isRest: true };
    return takeInputTurn(core, terminal, params, rest, call);
  };

/** Encoded anew after each pause: the program may have changed its modes in response to earlier keys. */
function keys(
  core: ActingCore,
  terminal: Terminal,
  presses: readonly KeyPress[],
  params: Params<'press'>,
  sentBytes: number,
) {
  const { gap_ms: gapMs } = params;
  let typed = 0;
  return {
    progress: () => `${typed} of ${presses.length} keys`,
    echo: presses.map(({ key, modifiers }) => (modifiers === 0 && key.length === 1 ? key : '')).join(''),
    bytes: presses.length,
    begin: async (writer: InputWriter) => {
      await terminal.settleForInput();
      checkSendable(presses, inputModes(terminal), 'keys');
      const groups = keysAtOnce(presses, gapMs, (key) => encode([key], terminal).length === 1);
      let total = sentBytes;
      const write = async (group: readonly KeyPress[]): Promise<void> => {
        if (total === 0) await assertStands(core, terminal, params);
        const bytes = encode(group, terminal);
        await writer.write(bytes);
        total += bytes.length;
        typed += group.length;
      };
      for (const group of groups.slice(0, -1)) {
        await write(group);
        await writer.pause(Math.max(gapMs, group.at(-1)?.key === 'Escape' ? ESCAPE_GAP_MS : 0));
      }
      return async () => {
        await write(groups.at(-1) ?? []);
        return { bytes_sent: total };
      };
    },
  };
}

/** @throws T4aError entry_changed */
async function assertStands(core: ActingCore, terminal: Terminal, { if_entry: given }: Params<'press'>): Promise<void> {
  if (given === undefined) return;
  await (await core.rules.load()).assertEntry(terminal, given);
}

/** Keys that need no pause between them. @param isBare whether Escape is sent as a byte that the next key could join */
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
  const modes = inputModes(terminal);
  return Buffer.from(presses.map((key) => encodeKey(key, modes)).join(''), 'utf8');
}
