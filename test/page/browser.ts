/** Debian's Chromium with the page of `t4a web` in it, driven by Playwright. One browser for all tests of a file. */
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, onTestFinished } from 'vitest';
import { requireProgram } from '../support/programs.js';
import { served, type Served } from '../web/served.js';

export const DESK = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 } as const;
export const PHONE = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 3,
  isMobile: true,
  hasTouch: true,
} as const;

let browser: Promise<Browser> | undefined;

/** To be called once in a file. */
export function browserOfFile(): void {
  afterAll(async () => (await browser)?.close());
}

export interface Opened extends Served {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the page threw, and what its policy forbade. */
  readonly complaints: readonly string[];
}

type Options = Parameters<Browser['newContext']>[0];

/** `t4a web` with a page in the browser, once the list is there. @param prepare makes the terminals before */
export async function opened(
  options: Options,
  prepare: (served: Served) => Promise<unknown>,
  flags: readonly string[] = [],
): Promise<Opened> {
  const executablePath = requireProgram('chromium');
  const server = await served(...flags);
  await prepare(server);
  // Without its sandbox it runs as root, too, and in containers.
  browser ??= chromium.launch({ executablePath, args: ['--no-sandbox', '--force-color-profile=srgb'] });
  const context = await (await browser).newContext({ colorScheme: 'dark', reducedMotion: 'reduce', ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await page.goto(server.link);
  return { ...server, context, page, complaints };
}

/** Text of a row of the screen. */
export function rowWith(page: Page, text: string): ReturnType<Page['locator']> {
  return page.locator('.row', { hasText: text }).last();
}

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** "r,g,b" of a pixel of the device. */
  readonly at: (x: number, y: number) => string;
}

/** The device's pixels of a rectangle of the page, in CSS pixels. */
export async function pixelsOf(
  page: Page,
  clip?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
): Promise<Pixels> {
  const image = await loadImage(await page.screenshot(clip === undefined ? {} : { clip }));
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
