/** ECHO and ICANON of a terminal: there is no call for it in Node, so `stty` is asked, which takes about 2 ms. */
import { execFile } from 'node:child_process';
import { type TerminalFlags, parseSttyFlags } from '../../events/awaiting-input.js';

/** An stty that hangs would hold the probe, and with it nothing but the next probe. */
const STTY_TIMEOUT_MS = 2000;

/** Undefined when the terminal is gone. */
export function readTerminalFlags(device: string): Promise<TerminalFlags | undefined> {
  return new Promise((resolve) => {
    const options = { timeout: STTY_TIMEOUT_MS, env: { PATH: '/usr/bin:/bin:/usr/local/bin', LC_ALL: 'C' } };
    execFile('stty', ['-a', '-F', device], options, (error, stdout) => {
      resolve(error === null ? parseSttyFlags(stdout) : undefined);
    });
  });
}
