/** ECHO and ICANON of a terminal: there is no call for it in Node, so `stty` is asked, which takes about 2 ms. */
import { parseSttyFlags } from '../../../events/input/awaiting-input.js';
import type { TerminalFlags } from '../../../events/input/secrecy.js';
import type { Stty } from '../stty.js';

/** Undefined when the terminal is gone. */
export async function readTerminalFlags(stty: Stty, device: string): Promise<TerminalFlags | undefined> {
  const said = await stty.ask('-a', device);
  return said === undefined ? undefined : parseSttyFlags(said);
}
