/**
 * `t4a view`: a terminal as it is, in the terminal of the person who asks. Read only; q, Escape or Ctrl+C leaves. What is
 * larger than the person's terminal is cut at the right and at the bottom.
 */
import { connect, type Client } from '../../client/client.js';
import { sendBy } from '../../client/connection.js';
import { ansiRow } from '../../mirror/ansi-row.js';
import { Mirror } from '../../mirror/mirror.js';
import { OuterStyles } from '../../mirror/outer-style.js';
import { isGone, watchFrames } from '../../mirror/watcher.js';
import { T4aError } from '../../protocol/errors.js';
import { LAST_TERMINAL } from '../argv/commands.generated.js';
import { askerOf } from '../asker.js';
import { targetOf } from '../target.js';
import { printable } from '../output/printable.js';
import type { Host } from '../host.js';
import type { LocalCommand } from './local-command.js';
import { ENTER_FRAME, LEAVE_FRAME, ViewFrame } from './view-frame.js';

/** No more than 30 frames a second. */
const FRAME_PAUSE_MS = 33;

/** Styles as the program wrote them: the palette is the person's. */
const STYLES = new OuterStyles({ colors: {}, reverseScreen: false });

/** q, Ctrl+C, Escape. */
const LEAVING_KEYS = ['q', '\x03', '\x1b'];

export const view: LocalCommand = async (given, host, bundles) => {
  if (!host.stdoutIsTerminal) {
    throw new T4aError('usage', 'view needs a terminal to draw on.', { hint: 't4a text, or t4a screenshot -o FILE' });
  }
  const { invocation, daemon } = await targetOf(given, host, bundles);
  const { options } = invocation;
  const isHere = options['on'] === undefined;
  const own = isHere ? host.env['T4A_TERMINAL'] : undefined;
  const { id: named = own || LAST_TERMINAL } = options as Record<string, string>;
  await using client = await connect({ ...daemon, ...askerOf(options, host) });
  const { id } = await client.call('status', { id: named });
  if (isHere && id === host.env['T4A_TERMINAL']) {
    throw new T4aError('usage', `${id} is the terminal that this runs in.`, { hint: 'Name another: t4a list' });
  }
  const leaving = new AbortController();
  const restoreKeys = host.keys((keys) => {
    if (LEAVING_KEYS.some((one) => keys.includes(one))) leaving.abort();
  });
  host.out(Buffer.from(ENTER_FRAME));
  let last: string;
  try {
    last = await draw(client, id, host, leaving.signal);
  } finally {
    host.out(Buffer.from(LEAVE_FRAME));
    restoreKeys();
  }
  if (last !== '') host.note(`${last}\n`);
  return 0;
};

/** @returns why it ended, if not by a key */
async function draw(client: Client, id: string, host: Host, signal: AbortSignal): Promise<string> {
  const frame = new ViewFrame(host);
  const mirror = new Mirror();
  const how = await watchFrames({ send: sendBy(client), id, mirror, signal, minFrameMs: FRAME_PAUSE_MS }, async () => {
    const { rows, cursor, state } = mirror;
    const lines = rows.map((row) => ansiRow(row, { left: 0, cols: frame.cols }, STYLES));
    frame.draw({ lines, cursor }, `${id}  ${rows.length} rows  q: leave`);
    return state.alive;
  });
  if (signal.aborted) return '';
  return how === 'gone' ? `${id} is gone.` : ending(client, id);
}

async function ending(client: Client, id: string): Promise<string> {
  try {
    const { exit_code: code, signal, cmd } = await client.call('status', { id });
    return `${id} (${printable(cmd.join(' '))}) has ended: ${signal ?? `exit code ${code}`}.`;
  } catch (error) {
    if (isGone(error)) return `${id} is gone.`;
    throw error;
  }
}
