/** The page of `t4a web`: from a key to the DOM beside a key to the frame of `watch`, in turns; the size of its first view; beside xterm.js. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { connect } from '../src/client/index.js';
import { STORED } from '../src/page/greeting.js';
import { Assets } from '../src/web/assets.js';
import { besideXterm } from './page-beside-xterm.js';
import { startBenchDaemon, type BenchDaemon } from './support/bench-daemon.js';
import { median, percentile, type BenchContext, type Figure } from './support/figure.js';

const KEYS = 300;
const MAX_FIRST_VIEW_KB = 130;

export async function bench({ root }: BenchContext): Promise<Figure[]> {
  const first = firstView(root);
  const executablePath = (process.env['PATH'] ?? '').split(':').flatMap(chromiumIn).find(existsSync);
  if (executablePath === undefined) {
    console.log('     without chromium: keys are left out');
    return [first];
  }
  const daemon = await startBenchDaemon(root);
  try {
    return [
      await keyFigure(daemon, root, executablePath),
      first,
      ...(await xtermFigures(daemon, root, executablePath)),
    ];
  } finally {
    await daemon.stop();
  }
}

const chromiumIn = (folder: string): string[] =>
  ['chromium', 'chromium-headless-shell'].map((name) => path.join(folder, name));

function firstView(root: string): Figure {
  const assets = new Assets(pathToFileURL(`${root}/`));
  const bytes = assets.firstView().reduce((sum, file) => sum + (assets.at(file)?.zipped.length ?? Number.NaN), 0);
  return { name: 'first view of the page, gzipped', value: bytes / 1000, unit: ' KB', limit: MAX_FIRST_VIEW_KB };
}

async function xtermFigures(
  { client, socketPath }: BenchDaemon,
  root: string,
  executablePath: string,
): Promise<Figure[]> {
  const web = spawn(process.execPath, [path.join(root, 'dist/cli.cjs'), '--socket', socketPath, 'web'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const [link] = (await once(createInterface({ input: web.stdout }), 'line')) as [string];
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const first = await context.newPage();
    await first.goto(link);
    await first.locator('.tree').waitFor();
    const key = await first.evaluate<string>(`sessionStorage.getItem('${STORED}')`);
    await context.addInitScript(`sessionStorage.setItem('${STORED}', ${JSON.stringify(key)})`);
    await first.close();
    return await besideXterm(root, browser, client, async (id) => {
      const page = await context.newPage();
      await page.goto(new URL(link).origin);
      // One that has just come to its place takes no click.
      await page.locator('.item:not(.is-moved)', { hasText: id }).click();
      return page;
    });
  } finally {
    await browser.close();
    web.kill('SIGTERM');
  }
}

async function keyFigure(daemon: BenchDaemon, root: string, executablePath: string): Promise<Figure> {
  const { client, socketPath } = daemon;
  const { id } = await client.call('create', {
    cmd_args: ['sh', '-c', 'ls -la --color /usr/bin | head -100; stty raw -echo; echo ready; exec cat'],
    wait: { until: { text: 'ready' } },
  });
  const web = spawn(process.execPath, [path.join(root, 'dist/cli.cjs'), '--socket', socketPath, 'web'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const viewer = await connect({ socketPath });
  try {
    const [link] = (await once(createInterface({ input: web.stdout }), 'line')) as [string];
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(link);
    await page.locator('.row', { hasText: 'ready' }).waitFor();
    await page.evaluate(LISTENING);
    const drawn: number[] = [];
    const framed: number[] = [];
    let frame = await viewer.call('watch', { id });
    for (let i = 0; i < KEYS; i++) {
      drawn.push(await keyToDom(page));
      frame = await viewer.call('watch', { id, since: frame.rev });
      const shown = viewer.call('watch', { id, since: frame.rev, state: frame.state });
      // The question has arrived by then.
      await client.call('ping');
      await pause(page);
      const start = performance.now();
      void client.call('send', { id, input: 'x' });
      frame = await shown;
      framed.push(performance.now() - start);
    }
    const note = [drawn, framed].map((ms) => `${median(ms).toFixed(2)} (p99 ${percentile(ms, 99).toFixed(2)})`);
    return {
      name: 'key to DOM, median, times key to frame',
      value: median(drawn) / median(framed),
      limit: 2,
      note: `${note.join(' ms against ')} ms`,
    };
  } finally {
    await viewer.close();
    await browser.close();
    web.kill('SIGTERM');
  }
}

/** Milliseconds from the event of the key in the page to the change of a row; both are read from the page's own clock. */
async function keyToDom(page: Page): Promise<number> {
  const changed = page.evaluate('new Promise((resolve) => { globalThis.onDrawn = resolve; })');
  await pause(page);
  // Released later, as by a person.
  await page.keyboard.down('x');
  const ms = (await changed) as number;
  await page.keyboard.up('x');
  return ms;
}

/** As before the next key of a person: the page has drawn, and all processes have slept. */
async function pause(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

const LISTENING = `(() => {
  let pressedAt;
  addEventListener('keydown', () => (pressedAt = performance.now()), true);
  new MutationObserver((changes) => {
    const isRow = changes.some(({ target }) => (target.nodeType === 3 ? target.parentElement : target)?.closest?.('.row'));
    if (!isRow || pressedAt === undefined) return;
    const ms = performance.now() - pressedAt;
    pressedAt = undefined;
    globalThis.onDrawn?.(ms);
  }).observe(document.querySelector('.term'), { subtree: true, childList: true, characterData: true });
})()`;
