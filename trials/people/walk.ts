/** A walk over the page: steps of a person and of the world, drawn by a seed, with a judgment after each. */
import type { CDPSession, Page } from 'playwright-core';
import type { Client } from '../../src/client/index.js';
import { Random } from '../support/random.js';
import { aimFinger, goBack, NOTING, takeNotes, type ClickNote, type KeyNote } from './browser-notes.js';
import { wrongKey, wrongNeed, wrongRow } from './judge.js';
import { Questions } from './questions.js';
import { Recorder } from './recorders.js';

export interface WalkParts {
  readonly page: Page;
  readonly client: Client;
  /** Asks by a name of its own. */
  readonly agent: Client;
  /** For the files of terminals. */
  readonly dir: string;
  readonly seed: number;
  /** The network between page and server goes silent, and comes back. */
  readonly network: { hold(way: 'requests' | 'replies'): void; cut(): void; mend(): void };
}

/** What stands where a person may click. */
const TARGETS = '.ask .answers button, .item, .tile, .to-end:not(:disabled), .line button';

const HASTE_MS = 600;

/** A secret that its card would send, with the terminal that it is for; null for what sends none. @param element an expression */
const secretOf = (element: string): string => `(() => {
  const card = (${element})?.closest('.ask:not(.is-over)');
  const field = card?.querySelector('input[type=password]') ?? null;
  if (field === null) return null;
  const place = card.querySelector('summary .quiet').textContent.split(' / ')[1];
  return { id: place.split(' · ')[0], text: field.value };
})()`;

export class Walk {
  readonly page: Page;
  readonly client: Client;
  readonly random: Random;
  readonly recorders: readonly Recorder[];
  readonly questions: Questions;
  readonly session: CDPSession;
  readonly network: WalkParts['network'];
  /** Steps so far, for who reads of a failure. */
  readonly trail: string[] = [];
  #tokens = 0;
  #clicks: readonly ClickNote[] = [];
  readonly #entered: KeyNote[] = [];
  /** The question whose text was sent by Enter; empty if none was. */
  #sentTo = '';

  private constructor({ page, client, agent, dir, seed, network }: WalkParts, session: CDPSession) {
    this.page = page;
    this.client = client;
    this.session = session;
    this.network = network;
    this.random = new Random(seed);
    this.recorders = ['ann', 'bob', 'cid'].map((id) => new Recorder(client, dir, id));
    this.questions = new Questions(agent, this.random);
  }

  static async begin(parts: WalkParts): Promise<Walk> {
    const walk = new Walk(parts, await parts.page.context().newCDPSession(parts.page));
    for (const recorder of walk.recorders) await recorder.start();
    await parts.page.addInitScript(NOTING);
    await parts.page.reload();
    await parts.page.locator('.item').first().waitFor({ state: 'attached' });
    return walk;
  }

  /** @returns what is wrong; undefined if all that is judged holds */
  async step(): Promise<string | undefined> {
    const name = this.#drawn();
    this.trail.push(name);
    const chosen = await this.#chosen();
    try {
      await STEPS[name]?.(this);
    } catch (error) {
      const why = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
      return `${why}\n  after ${this.trail.slice(-12).join(', ')}`;
    }
    const { keys, clicks } = await takeNotes(this.page);
    this.#clicks = clicks;
    const wrong =
      (await wrongKey(this.page, this.recorders, [...keys, ...this.#entered.splice(0)])) ??
      (await this.questions.wrongAnswer(clicks, this.#sentTo)) ??
      this.#wrongOpening(chosen, await this.#chosen()) ??
      (await wrongRow(this.page, this.client)) ??
      (await wrongNeed(this.page, this.client));
    this.#sentTo = '';
    return wrong === undefined ? undefined : `${wrong}\n  after ${this.trail.slice(-12).join(', ')}`;
  }

  dispose(): void {
    for (const recorder of this.recorders) recorder.dispose();
  }

  /** Characters that no other step types. */
  token(): string {
    return `<${(++this.#tokens).toString(36)}>`;
  }

  get recorder(): Recorder {
    return this.random.pick(this.recorders);
  }

  /** Something that is no doing of the person's. */
  async happen(): Promise<void> {
    const name = this.random.pick(Object.keys(HAPPENINGS));
    this.trail.push(`(${name})`);
    await HAPPENINGS[name]?.(this);
  }

  /** Text that no key event of the browser has: of a paste, or of an input method. @returns whether a terminal had the focus */
  entered(terminal: string | null, text: string): boolean {
    if (terminal === null) return false;
    this.#entered.push({ key: text, focus: 'terminal', terminal });
    return true;
  }

  /** A person aims, and clicks or taps a while later, whatever has come there since. */
  async aim(targets: string, by: 'mouse' | 'finger' = 'mouse'): Promise<boolean> {
    const all = await this.page.locator(targets).all();
    if (all.length === 0) return false;
    const box = await this.random
      .pick(all)
      .boundingBox({ timeout: 1000 })
      .catch(() => null);
    if (box === null) return false;
    const place = { x: box.x + box.width / 2, y: box.y + Math.min(box.height / 2, 20) };
    if (by === 'finger') await aimFinger(this.page, place.x, place.y);
    else await this.page.mouse.move(place.x, place.y);
    const start = performance.now();
    if (this.random.chance(0.6)) await this.happen();
    const more = this.random.chance(0.5) ? HASTE_MS : this.random.below(HASTE_MS);
    await this.page.waitForTimeout(Math.max(0, HASTE_MS - (performance.now() - start)));
    if (this.random.chance(0.3)) {
      await this.happen();
      await this.page.waitForTimeout(more);
    }
    await this.#foresee(place);
    if (by === 'finger') await this.touch([place]);
    else {
      await this.page.mouse.down();
      await this.page.mouse.up();
    }
    return true;
  }

  /** The second click may find another thing than the first. CSS pixels */
  async doubleClick(place: { readonly x: number; readonly y: number }): Promise<void> {
    await this.#foresee(place);
    await this.page.mouse.dblclick(place.x, place.y);
  }

  /** A finger comes down at the first place, and leaves at the last. CSS pixels */
  async touch(places: readonly { readonly x: number; readonly y: number }[]): Promise<void> {
    await this.session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    for (const [i, place] of places.entries())
      await this.session.send('Input.dispatchTouchEvent', {
        type: i === 0 ? 'touchStart' : 'touchMove',
        touchPoints: [place],
      });
    await this.session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  /** The question of a field that has the focus may be answered. */
  async enter(): Promise<void> {
    this.#sentTo = await this.page.evaluate(`document.activeElement?.closest('.ask')?.dataset.ask ?? ''`);
    await this.#enterSecret('document.activeElement');
    await this.page.keyboard.press('Enter');
  }

  /** A click there may send a secret. */
  async #foresee({ x, y }: { readonly x: number; readonly y: number }): Promise<void> {
    const button = `document.elementFromPoint(${x}, ${y})?.closest('button')`;
    await this.#enterSecret(`(${button})?.textContent === 'Send' ? ${button} : null`);
  }

  /** It is typed at its terminal, unless its question ends before. @param element what sends it, an expression */
  async #enterSecret(element: string): Promise<void> {
    const secret: { id: string; text: string } | null = await this.page.evaluate(secretOf(element));
    if (secret !== null) this.#entered.push({ key: `${secret.text}\r`, focus: 'nothing', terminal: secret.id });
  }

  #drawn(): string {
    return this.random.pick(
      Object.keys(STEPS).flatMap((name) => Array.from({ length: WEIGHTS[name] ?? 1 }, () => name)),
    );
  }

  #chosen(): Promise<string> {
    return this.page.evaluate(`document.querySelector('.bar-name h1')?.textContent ?? ''`);
  }

  #wrongOpening(before: string, now: string): string | undefined {
    if (before === now || this.#clicks.length === 0) return undefined;
    const isMeant = this.#clicks.some((click) => click.before === `open ${now}` || /^(ask|button) /.test(click.before));
    return isMeant ? undefined : `${now} was opened in place of ${before}, by ${JSON.stringify(this.#clicks)}`;
  }
}

type Act = (walk: Walk) => Promise<unknown>;

const HAPPENINGS: Readonly<Record<string, Act>> = {
  ask: ({ questions, random, recorder: { isAlive, id } }) =>
    questions.ask(isAlive && random.chance(0.7) ? id : undefined),
  endQuestion: ({ questions }) => questions.end(),
  print: async ({ random, recorder }) => {
    if (recorder.isAlive) await recorder.print(linesOf(random));
  },
  ring: async ({ recorder }) => {
    if (recorder.isAlive) await recorder.print(['ding\x07']);
  },
  crash: async ({ recorder }) => {
    if (recorder.isAlive) await recorder.crash();
  },
  replace: ({ recorder }) => recorder.replace(),
  update: ({ client }) => client.call('replace'),
  wait: async ({ client, recorder, random }) => {
    const state = random.pick(['blocked', 'working', 'error', 'clear'] as const);
    if (recorder.isAlive)
      await client.call('report', { id: recorder.id, state, ...(state === 'blocked' ? { kind: 'permission' } : {}) });
  },
};

const STEPS: Readonly<Record<string, Act>> = {
  happen: (walk) => walk.happen(),
  aim: (walk) => walk.aim(TARGETS),
  type: (walk) => walk.type(walk.token()),
  enter: async (walk) => {
    await walk.type(walk.token());
    const isForText: boolean = await walk.page.evaluate(
      `document.activeElement?.matches('.hands, .ask input') === true`,
    );
    if (isForText) await walk.enter();
  },
  typeIntoCard: async (walk) => {
    if (!(await walk.aim('.ask input'))) return;
    await walk.type(walk.token());
    if (walk.random.chance(0.6)) await walk.questions.end();
    await walk.type(walk.token());
    if (await walk.page.evaluate(`document.activeElement?.matches('.hands, .ask input') === true`)) await walk.enter();
  },
  wheel: async ({ page, random }) => {
    await page.mouse.move(500 + random.below(200), 250 + random.below(200));
    const notches = 1 + random.below(10);
    const by = random.pick([-300, -300, 100, 900, -2000]);
    for (let i = 0; i < notches; i++) await page.mouse.wheel(0, by);
  },
  drag: async ({ page, random }) => {
    await page.mouse.move(400 + random.below(300), 200 + random.below(300));
    await page.mouse.down();
    await page.mouse.move(400 + random.below(300), 200 + random.below(300), { steps: 3 });
    await page.mouse.up();
  },
  tap: (walk) => walk.aim(TARGETS, 'finger'),
  swipe: async (walk) => {
    const [x, y] = [400 + walk.random.below(300), 200 + walk.random.below(200)];
    const by = walk.random.pick([-60, 40, 90]);
    await walk.touch([0, 1, 2, 3].map((i) => ({ x, y: Math.max(10, y + i * by) })));
  },
  back: async ({ page }) => {
    // Nothing is behind the first entry of the page.
    if (await page.evaluate(`(history.state?.depth ?? 0) > 0`)) await goBack(page);
  },
  freeze: async ({ network, page, random }) => {
    network.hold('requests');
    network.hold('replies');
    if (random.chance(0.5)) await page.keyboard.type('lost');
    network.cut();
    network.mend();
  },
  twoAnswers: async ({ page, questions, client }) => {
    const ask = await questions.askBoth();
    const other = await page.context().newPage();
    try {
      await other.goto(page.url());
      const button = (on: Page, label: string) => on.locator(`[data-ask$=" ${ask}"] button`, { hasText: label });
      const both = [button(page, 'Yes'), button(other, 'No')];
      for (const one of both)
        await one.and(one.page().locator('[aria-disabled="false"]')).waitFor({ state: 'attached' });
      await Promise.all(both.map((one) => one.dispatchEvent('click')));
      await client.call('asks');
      for (const on of [page, other])
        await on.locator(`[data-ask$=" ${ask}"]:not(.is-over)`).waitFor({ state: 'detached', timeout: 15_000 });
    } finally {
      await other.close();
    }
  },
  doubleClick: (walk) => walk.doubleClick({ x: 400 + walk.random.below(300), y: 200 + walk.random.below(300) }),
  search: async ({ page, random }) => {
    await page.keyboard.press('Control+Shift+F');
    await page.keyboard.type(random.pick(['row 1', 'end', 'zzz']));
    if (random.chance(0.7)) await page.keyboard.press('Enter');
    if (random.chance(0.7)) await page.keyboard.press('Escape');
  },
  paste: async (walk) => {
    const { page } = walk;
    const text = `paste ${walk.token()} of two\nlines`;
    const to: string | null = await page.evaluate(`(() => {
      const field = document.activeElement;
      if (!field.matches('.term .hands') || document.querySelector('dialog[open], .stage.is-then')) return null;
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', ${JSON.stringify(text)});
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      return field.getAttribute('aria-label').replace('Keyboard of ', '');
    })()`);
    // A program reads line breaks of a paste as Enter.
    walk.entered(to, text.replaceAll('\n', '\r'));
  },
  compose: async (walk) => {
    const { page, session, recorders, random } = walk;
    const to: string | null = await page.evaluate(
      `document.activeElement.matches('.hands') ? document.activeElement.ariaLabel.replace('Keyboard of ', '') : null`,
    );
    const recorder = recorders.find(({ id, isAlive }) => id === to && isAlive);
    if (recorder === undefined) return;
    for (const text of ['に', 'にほ', 'にほん'])
      await session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
    const text = random.pick(['日本', '']);
    if (text === '') await session.send('Input.imeSetComposition', { text, selectionStart: 0, selectionEnd: 0 });
    else await session.send('Input.insertText', { text });
    walk.entered(to, text);
  },
  wall: ({ page }) => page.locator('.bar button[aria-pressed]').first().click({ timeout: 5000 }),
  palette: async ({ page, random }) => {
    await page.keyboard.press('Control+Shift+P');
    await page.keyboard.type(random.pick(['next', 'wall', 'zzz']));
    await page.keyboard.press('Escape');
  },
  zoom: ({ session, random, page }) => {
    const { width, height } = page.viewportSize() ?? { width: 1280, height: 800 };
    const deviceScaleFactor = random.pick([1, 1.25, 2]);
    return session.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor, mobile: false });
  },
  secondPage: async ({ page, client }) => {
    const other = await page.context().newPage();
    try {
      await other.goto(page.url());
      await other.locator('.item').first().waitFor({ state: 'attached' });
      const wrong = (await wrongRow(other, client)) ?? (await wrongNeed(other, client));
      if (wrong !== undefined) throw new Error(`on a second page: ${wrong}`);
    } finally {
      await other.close();
    }
  },
  resize: ({ page, random }) =>
    page.setViewportSize({ width: random.pick([1280, 1000, 700]), height: random.pick([800, 600, 420]) }),
  theme: ({ page }) => page.evaluate(`document.querySelector('.tree-head button').click()`),
  end: async ({ client, recorders, questions }) => {
    await client.call('shutdown');
    questions.forget();
    await another(client);
    for (const recorder of recorders) await recorder.start();
  },
  reload: async ({ page }) => {
    await page.reload();
    await page.locator('.item').first().waitFor({ state: 'attached' });
  },
};

const WEIGHTS: Readonly<Record<string, number>> = { happen: 5, aim: 5, type: 3, wheel: 3, typeIntoCard: 2 };

/** Resolves once a daemon answers after another has ended: a call begins it, unless it still reached the one that ends. */
async function another(client: Client): Promise<void> {
  try {
    await client.call('ping');
  } catch {
    await another(client);
  }
}

/** Wide characters, long lines and empty ones. */
function linesOf(random: Random): string[] {
  const count = random.pick([1, 3, 30, 200, 600]);
  return Array.from({ length: count }, (_, i) => `row ${i}${random.pick(['', ' 漢字', ` ${'x'.repeat(90)}`, ''])}`);
}
