/** The screen in the form of OUTPUT. */
import { RequestError } from './replies.js';
import type { ServedTerminal } from './served-terminal.js';

export const FORMATS = { ascii: 'plain', ansi: 'ansi' } as const;

/** Another client may resize the terminal between the two questions. */
const MAX_ATTEMPTS = 5;

export async function screenOf(terminal: ServedTerminal, format: keyof typeof FORMATS): Promise<object> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const text = await terminal.call('text', { format: FORMATS[format], trim: true });
    const { rows, cols } = await terminal.call('status', {});
    if (text.lines.length !== rows) continue;
    const { row, col } = text.cursor;
    return { screen: text.lines.map((line) => `${line}\n`).join(''), cursor: { row, col }, size: { rows, cols } };
  }
  throw new RequestError('Failed to read the screen: its size keeps changing');
}
