/** `npm run trials -- resizes`: draws texts and changes of size, on both screens, and compares what is on the screen then with tmux. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Report } from './support/report.js';
import { fullScreenDraw, isSame, ownLines, resizeDraw, TmuxScreens } from './verdicts/resizes.js';

export const FLAGS = { from: 0, draws: 100 };

export async function trial({ from, draws }: typeof FLAGS): Promise<Report> {
  const dir = mkdtempSync(path.join(tmpdir(), 't4a-r-'));
  const tmux = new TmuxScreens(dir);
  const wrong: string[] = [];
  try {
    for (let number = from; number < from + draws; number++) {
      for (const draw of [resizeDraw(number), fullScreenDraw(number)]) {
        const [own, theirs] = await Promise.all([ownLines(draw), tmux.lines(draw)]);
        if (!isSame(own, theirs)) wrong.push(`${number}: ${JSON.stringify({ own, theirs, draw })}`);
      }
    }
  } finally {
    await tmux.stop();
    rmSync(dir, { recursive: true, force: true });
  }
  return {
    figures: [
      ['draws', 2 * draws],
      ['as tmux', 2 * draws - wrong.length],
    ],
    failures: wrong,
  };
}
