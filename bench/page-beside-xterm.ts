/** The page and xterm.js in the same browser, in turns: typing, scrolling in vim, a flood, and the weight of both. */
import type { Browser, Page } from 'playwright-core';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { pathToFileURL } from 'node:url';
import type { Client } from '../src/client/index.js';
import { Assets } from '../src/web/assets.js';
import { serveXterm, XTERM_FILES, xtermFile } from './page-xterm.js';
import { median, type Figure } from './support/figure.js';

const KEYS = 150;
const FLOODS = 3;
const FLOOD_LINES = 200_000;

const PROGRAMS = {
  typing: ['sh', '-c', 'stty raw -echo; printf ready; exec cat'],
  vim: ['sh', '-c', 'seq 1 3000 > "$0"; exec vim -u NONE -N -n "$0"', path.join(tmpdir(), 't4a-bench-vim.txt')],
  flood: ['sh', '-c', `printf ready; while read -r word; do seq 1 ${FLOOD_LINES}; echo "$word"; done`],
} as const;

interface Sides {
  readonly mine: Page;
  readonly xterm: Page;
}

/** @param open the page of `t4a web` that shows the terminal */
export async function besideXterm(
  root: string,
  browser: Browser,
  client: Client,
  open: (id: string) => Promise<Page>,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const what of ['typing', 'vim', 'flood'] as const) {
    const server = await serveXterm(root, PROGRAMS[what]);
    const { id } = await client.call('create', { name: what, cmd_args: [...PROGRAMS[what]] });
    const mine = await open(id);
    const xterm = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await xterm.goto(server.url);
    await mine.evaluate(readerOf('.grid:not(.past) .row'));
    await xterm.evaluate(readerOf('.xterm-rows > div'));
    for (const page of [mine, xterm]) await page.evaluate(`shows('${what === 'vim' ? '3000L' : 'ready'}')`);
    figures.push(await (what === 'flood' ? floods({ mine, xterm }) : keys(what, { mine, xterm })));
    await Promise.all([mine.close(), xterm.close()]);
    await server.stop();
    await client.call('kill', { id });
  }
  return [...figures, weight(root)];
}

/** From the event of the key to the change of a row. */
async function keys(what: 'typing' | 'vim', sides: Sides): Promise<Figure> {
  const key = what === 'typing' ? 'x' : 'Control+e';
  const times = { mine: [] as number[], xterm: [] as number[] };
  for (let i = 0; i < KEYS; i++) {
    for (const side of ['mine', 'xterm'] as const) {
      const changed = sides[side].evaluate<number>('changed()');
      await sides[side].keyboard.press(key);
      times[side].push(await changed);
      await sides[side].evaluate('settled()');
    }
  }
  return figure(what === 'typing' ? 'key to DOM' : 'line of vim, key to DOM', times, 'ms');
}

/** From Enter to the last line of the flood. */
async function floods(sides: Sides): Promise<Figure> {
  const times = { mine: [] as number[], xterm: [] as number[] };
  for (let i = 0; i < FLOODS; i++) {
    for (const side of ['mine', 'xterm'] as const) {
      await sides[side].keyboard.type(`end${i}.`);
      await sides[side].evaluate('settled()');
      const shown = sides[side].evaluate<number>(`shows('end${i}.', 1)`);
      await sides[side].keyboard.press('Enter');
      times[side].push(await shown);
    }
  }
  return figure(`a flood of ${FLOOD_LINES} lines until its end is shown`, times, 'ms');
}

function figure(what: string, { mine, xterm }: Record<keyof Sides, number[]>, unit: string): Figure {
  const [own, other] = [median(mine), median(xterm)];
  return {
    name: `${what}, times xterm.js`,
    value: own / other,
    limit: 1,
    note: `${own.toFixed(1)} against ${other.toFixed(1)} ${unit}`,
  };
}

/** Scripts and styles; the page has a list of terminals, questions and dialogs in its own. */
function weight(root: string): Figure {
  const assets = new Assets(pathToFileURL(`${root}/`));
  const own = ['/page.js', '/page.css'].reduce((sum, file) => sum + (assets.at(file)?.zipped.length ?? Number.NaN), 0);
  const other = XTERM_FILES.reduce((sum, file) => sum + gzipSync(xtermFile(root, file), { level: 9 }).length, 0);
  return {
    name: 'scripts and styles gzipped, times xterm.js',
    value: own / other,
    limit: 1,
    note: `${(own / 1000).toFixed(0)} against ${(other / 1000).toFixed(0)} KB`,
  };
}

/** In the page: what waits for a change of its rows, and for a text in them. */
function readerOf(rows: string): string {
  return `(() => {
    let pressedAt, onChange;
    addEventListener('keydown', ({ key }) => { if (key !== 'Control') pressedAt = performance.now(); }, true);
    const rows = () => [...document.querySelectorAll('${rows}')];
    new MutationObserver((changes) => {
      if (pressedAt === undefined || !changes.some(({ target }) =>
        (target.nodeType === 3 ? target.parentElement : target)?.closest?.('${rows}'))) return;
      onChange?.(performance.now() - pressedAt);
      onChange = pressedAt = undefined;
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    globalThis.changed = () => new Promise((resolve) => { onChange = resolve; });
    globalThis.settled = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    globalThis.shows = (text, atStart) => new Promise((resolve) => {
      const since = performance.now();
      // The echo of what was typed stands in a row, too: it is gone once the flood has begun.
      const look = (hasBegun) => {
        const there = rows().some(({ textContent }) => atStart ? textContent.trimEnd() === text : textContent.includes(text));
        if (there && hasBegun) resolve(performance.now() - since);
        else requestAnimationFrame(() => look(hasBegun || !there));
      };
      look(!atStart);
    });
  })()`;
}
