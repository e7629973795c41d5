/**
 * `npm run trials -- places`: what is beside a socket, drawn by number: socket and lock removed at any instant, two machines and two
 * containers with one home, daemons killed while their shells start, homes that may not be entered. `--from` repeats a draw; `--only` takes
 * draws whose description holds it.
 */
import { placeDraw } from './places/draws.js';
import type { Report } from './support/report.js';

/** `side`: draws side by side. */
export const FLAGS = { from: 0, draws: 40, side: 4, only: '' };

export async function trial({ root, from, draws, side, only }: typeof FLAGS & { root: string }): Promise<Report> {
  const all = Array.from({ length: draws }, (_, at) => placeDraw(from + at)).filter(({ text }) => text.includes(only));
  const queue = [...all];
  const failures: string[] = [];
  const worker = async (): Promise<void> => {
    for (let draw = queue.shift(); draw !== undefined; draw = queue.shift()) {
      const wrong = await draw.wrong(root);
      if (wrong.length > 0) failures.push(`${draw.text}\n      ${wrong.join('\n      ')}`);
    }
  };
  await Promise.all(Array.from({ length: side }, worker));
  const kinds = new Map<string, number>();
  for (const { kind } of all) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  return { figures: [['draws', all.length], ['wrong', failures.length], ...kinds], failures };
}
