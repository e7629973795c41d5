/**
 * Debian's Chromium with the page of `t4a web` in it, driven by Playwright. The tests of a file share the browser, a daemon
 * with its server, and a tab for each size of window, unless they ask for their own. What is shared has no terminals when a
 * test begins, and the tab loads the page anew.
 */
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { chromium, type Browser, type BrowserContext, type CDPSession, type Page } from 'playwright-core';
import { afterAll, onTestFinished } from 'vitest';
import type { Client } from '../../src/client/index.js';
import { STORED } from '../../src/page/greeting.js';
import { requireProgram } from '../support/programs.js';
import { served, startShared } from '../web/served.js';

export const DESK = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 } as const;
export const PHONE = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 3,
  isMobile: true,
  hasTouch: true,
} as const;

let browser: Promise<Browser> | undefined;
let shared: ReturnType<typeof startShared> | undefined;

/** To be called once in a file. */
export function browserOfFile(): void {
  afterAll(async () => {
    const [ownBrowser, ownShared] = [browser, shared];
    // The next file has this module, too.
    browser = shared = undefined;
    tabs.clear();
    await (await ownBrowser)?.close();
    await (await ownShared)?.stop();
  });
}

interface Server {
  readonly client: Client;
  readonly origin: string;
}

export interface Opened extends Server {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the page threw, and what its policy forbade. */
  readonly complaints: readonly string[];
}

type Options = Parameters<Browser['newContext']>[0];
type Prepare = (served: Server) => Promise<unknown>;

/** Tabs of sizes that tests share, by the size. */
const tabs = new Map<unknown, Promise<Tab>>();

/** A page in the browser that has its key already. @param prepare makes the terminals before */
export async function opened(options: Options, prepare: Prepare): Promise<Opened> {
  const executablePath = requireProgram('chromium');
  shared ??= startShared();
  const { client, origin, grant } = await shared;
  onTestFinished(async () => {
    const { terminals } = await client.call('list');
    for (const { id } of terminals) await client.call('kill', { id, force: true });
    // Those about no terminal.
    const { asks } = await client.call('asks', {});
    for (const { ask } of asks) await client.call('ask', { withdraw: ask });
  });
  await prepare({ client, origin });
  let tab = tabs.get(options);
  if (tab === undefined) {
    const isShared = options === DESK || options === PHONE;
    tab = isShared ? newTab(executablePath, options) : newPage(executablePath, options);
    if (isShared) tabs.set(options, tab);
    const { context } = await tab;
    await context.addInitScript(`sessionStorage.setItem('${STORED}', '${JSON.stringify(grant)}')`);
  }
  const { context, page, complaints } = await tab;
  complaints.length = 0;
  // What a test before has chosen is gone.
  if (page.url() !== 'about:blank') await page.evaluate("sessionStorage.removeItem('t4a-place')");
  await page.goto(origin);
  return { client, origin, context, page, complaints };
}

/** A page that came by the link of a `t4a web` of the test's own, with a daemon of its own. */
export async function openedByLink(options: Options, prepare: Prepare, flags: readonly string[] = []): Promise<Opened> {
  const executablePath = requireProgram('chromium');
  const { client, origin, link } = await served(...flags);
  await prepare({ client, origin });
  const { context, page, complaints } = await newPage(executablePath, options);
  await page.goto(link);
  return { client, origin, context, page, complaints };
}

/** A page of a `t4a web` that the test has started. */
export async function openedAt(link: string, options: Options): Promise<Pick<Opened, 'page' | 'complaints'>> {
  const { page, complaints } = await newPage(requireProgram('chromium'), options);
  await page.goto(link);
  return { page, complaints };
}

type Tab = Pick<Opened, 'context' | 'page'> & { readonly complaints: string[] };

/** Closed with the test. */
async function newPage(executablePath: string, options: Options): Promise<Tab> {
  const tab = await newTab(executablePath, options);
  onTestFinished(() => tab.context.close());
  return tab;
}

async function newTab(executablePath: string, options: Options): Promise<Tab> {
  // Without its sandbox it runs as root, too, and in containers.
  browser ??= chromium.launch({ executablePath, args: ['--no-sandbox', '--force-color-profile=srgb'] });
  const context = await (await browser).newContext({ colorScheme: 'dark', reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  return { context, page, complaints };
}

/** Text of a row of the screen. */
export function rowWith(page: Page, text: string): ReturnType<Page['locator']> {
  return page.locator('.row', { hasText: text }).last();
}

/** Clicks on an item or a tile of a list, as a person does who waits until it takes clicks, and clicks again where the page says that it took none. */
export async function choose(page: Page, item: ReturnType<Page['locator']>): Promise<void> {
  const dropped = page.locator('.notice', { hasText: 'the click was dropped' });
  for (;;) {
    await item.and(page.locator(':not(.is-moved)')).click();
    if ((await dropped.count()) === 0) return;
    await dropped.evaluateAll((notices) => notices.forEach((notice) => (notice as { click(): void }).click()));
  }
}

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** "r,g,b" of a pixel of the device. */
  readonly at: (x: number, y: number) => string;
}

/** CSS pixels. */
export interface Clip {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The device's pixels of a rectangle of the page. Not `page.screenshot`: it keeps to the ratio that the context began with. */
export async function pixelsOf(session: CDPSession, clip: Clip): Promise<Pixels> {
  const { data: png } = await session.send('Page.captureScreenshot', { clip: { ...clip, scale: 1 } });
  const image = await loadImage(Buffer.from(png, 'base64'));
  const { width, height } = image;
  const context = createCanvas(width, height).getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  return {
    width,
    height,
    at(x, y) {
      const i = 4 * (y * width + x);
      return `${data[i]},${data[i + 1]},${data[i + 2]}`;
    },
  };
}
