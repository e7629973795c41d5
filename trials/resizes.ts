/** `npm run trials -- resizes`: draws texts and changes of size, on both screens, and compares what is on the screen then with tmux. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Report } from './support/report.js';
import {
  clusterDraw,
  FIRST_OF_CLUSTERS,
  fullScreenDraw,
  isAsPrinted,
  isSame,
  ownLines,
  resizeDraw,
  type ResizeDraw,
  TmuxScreens,
} from './verdicts/resizes.js';

export const FLAGS = { from: 0, draws: 100 };

export async function trial({ from, draws }: typeof FLAGS): Promise<Report> {
  const dir = mkdtempSync(path.join(tmpdir(), 't4a-r-'));
  const tmux = new TmuxScreens(dir);
  const wrong: string[] = [];
  let count = 0;
  try {
    for (let number = from; number < from + draws; number++) {
      for (const draw of drawsOf(number)) {
        count++;
        const [own, theirs] = await Promise.all([ownLines(draw), tmux.lines(draw)]);
        if (!isSame(own, theirs) && !isAsPrinted(own, draw))
          wrong.push(`${number}: ${JSON.stringify({ own, theirs, draw })}`);
      }
    }
  } finally {
    await tmux.stop();
    rmSync(dir, { recursive: true, force: true });
  }
  return {
    figures: [
      ['draws', count],
      ['as tmux', count - wrong.length],
    ],
    failures: wrong,
  };
}

function drawsOf(number: number): ResizeDraw[] {
  return [resizeDraw(number), fullScreenDraw(number), ...(number < FIRST_OF_CLUSTERS ? [] : [clusterDraw(number)])];
}
