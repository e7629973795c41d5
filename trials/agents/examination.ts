/** One draw with one program: what t4a says of the prompt, beside what the model was sent and what has run. */
import { setTimeout as delay } from 'node:timers/promises';
import type { CallResult } from '../../src/client/index.js';
import type { Draw } from './draw.js';
import type { AgentModel } from './model.js';
import type { AgentSession } from './session.js';
import { type Answer, judgeStates, spansOf, type StateFigures } from './states.js';
import { commands, edit, failing, slowly } from './tools.js';

/** An agent may start its session only now. */
const ARRIVES_MS = 20_000;
/** What was said not to have arrived may come later. */
const LATE_MS = 2500;
const RUNS_MS = 12_000;
const DELIVER_MS = 15_000;
/** Of a state in which nothing can be delivered. */
const REFUSED_MS = 4000;
const BUSY_MS = 5000;
const DRAFT = 'half of a thought';

export interface Verdict {
  readonly outcome: string;
  readonly proof: string | null;
  readonly elapsedMs: number;
  readonly arrived: number;
  readonly wrong: readonly string[];
  readonly states: StateFigures;
  /** The program is as it was before, so that the next draw can have it. */
  readonly isClean: boolean;
}

type Receipt = CallResult<'deliver'>;

/** After an Enter. A question that comes then says nothing of the prompt, which some programs queue. */
const UNKNOWN: readonly string[] = ['not_submitted', 'unknown', 'question'];

export class Examination {
  readonly #draw: Draw;
  readonly #session: AgentSession;
  readonly #model: AgentModel;
  readonly #wrong: string[] = [];
  readonly #answers: Answer[] = [];
  /** Moments of the model before this draw. */
  #from = 0;
  readonly #stops: { fromMs: number; toMs: number }[] = [];

  constructor(draw: Draw, session: AgentSession, model: AgentModel) {
    this.#draw = draw;
    this.#session = session;
    this.#model = model;
  }

  async verdict(): Promise<Verdict> {
    const session = this.#session;
    const { text, state } = this.#draw;
    this.#from = this.#model.moments.length;
    const before = this.#model.count(text);
    await this.#enterState();
    const stopped = this.#stop();
    const isRefused = state === 'draft' || state === 'menu';
    const receipt = await session.deliver(text, isRefused ? REFUSED_MS : DELIVER_MS);
    await stopped;
    await this.#answer(receipt);
    const arrived = await this.#arrivals(receipt, before);
    await this.#judge(receipt, arrived);
    if (state === 'draft') await this.#judgeDraft();
    await session.rest();
    const endMs = performance.now();
    const moments = this.#model.moments.slice(this.#from);
    const states = judgeStates(spansOf(moments, this.#answers, endMs), session.samples, this.#stops);
    return {
      outcome: receipt.outcome,
      proof: receipt.delivered.proof,
      elapsedMs: receipt.elapsed_ms,
      arrived,
      wrong: this.#wrong,
      states,
      isClean: this.#wrong.length === 0 && receipt.outcome === 'submitted' && state !== 'failed',
    };
  }

  async #enterState(): Promise<void> {
    const { state, leadMs, number } = this.#draw;
    const session = this.#session;
    switch (state) {
      case 'idle':
      case 'starting':
        return;
      case 'busy':
        await this.#ask(slowly(BUSY_MS), 'asked');
        return delay(leadMs);
      case 'draft':
        await session.type(`${DRAFT} ${number}`);
        return delay(700);
      case 'menu':
        await session.type('/');
        return delay(700);
      case 'command asked':
        await this.#ask(commands([this.#command(1)]), 'ended');
        return delay(1700);
      case 'two commands asked':
        await this.#ask(commands([this.#command(1), this.#command(2)]), 'ended');
        return delay(1700);
      case 'edit asked':
        await this.#ask(edit(`edited-${number}.txt`, session.project), 'ended');
        return delay(1700);
      case 'question due':
        return this.#ask(commands([this.#command(1)], leadMs), 'asked');
      case 'failed':
        await this.#ask(failing(400), 'failed');
        return delay(leadMs);
    }
  }

  #command(which: number): string {
    return `touch ran-${this.#draw.number}-${which}`;
  }

  /** A prompt of the trial's own, until its request has begun, or its answer has ended. */
  async #ask(plan: Parameters<AgentModel['plan']>[0], what: 'asked' | 'ended' | 'failed'): Promise<void> {
    const model = this.#model;
    model.plan(plan);
    const from = model.moments.length;
    const receipt = await this.#session.deliver(`Work on ${this.#draw.number}`, DELIVER_MS);
    const isThere = await this.#session.until(
      () => model.moments.slice(from).some((moment) => moment.what === what),
      ARRIVES_MS,
    );
    if (!isThere) throw new Error(`the prompt before: ${receipt.outcome}, and the model has not ${what}`);
  }

  async #stop(): Promise<void> {
    const { stop } = this.#draw;
    if (stop === undefined) return;
    await delay(stop.afterMs);
    const fromMs = performance.now();
    await this.#session.stopFor(stop.forMs);
    this.#stops.push({ fromMs, toMs: performance.now() });
  }

  /** What stands is looked at: nothing may have run. Then it is approved, by the entry that it has. */
  async #answer({ outcome, written, delivered: { tries } }: Receipt): Promise<void> {
    const { state, number } = this.#draw;
    const isCommand = state === 'command asked' || state === 'two commands asked' || state === 'question due';
    if (!isCommand && state !== 'edit asked') return;
    await this.#session.until(() => !this.#model.isBusy, RUNS_MS);
    await delay(1200);
    // codex cuts an answer short for a prompt that comes meanwhile: nothing is asked then.
    if (
      state === 'question due' &&
      !this.#model.moments.slice(this.#from).some(({ calls, what }) => calls > 0 && what === 'ended')
    )
      return;
    const files = isCommand ? [`ran-${number}-1`, `ran-${number}-2`] : [`edited-${number}.txt`];
    for (const file of files) {
      if (this.#session.has(file)) this.#wrong.push(`approved by nobody: ${file} (${outcome})`);
    }
    const entry = await this.#session.asked();
    // Claude Code shows no question while there is text in its box.
    if (entry === undefined && outcome === 'question' && written && tries === 0) return;
    if (entry === undefined) {
      this.#wrong.push(`no entry for the question:\n${await this.#session.text()}`);
      return;
    }
    if (state !== 'two commands asked') {
      await this.#approve('the question', entry, false);
      return this.#expectRun(files.slice(0, 1));
    }
    await this.#approve('the first question', entry, true);
    await delay(this.#draw.leadMs / 2);
    const refusal = await this.#session.press('Enter', entry);
    await delay(600);
    // The model's order is not that of the questions: codex asks about the second command first by chance.
    if (files.every((file) => this.#session.has(file))) {
      this.#wrong.push(`the entry of one command approved both (${refusal ?? 'not refused'})`);
    }
    await delay(1000);
    await this.#approve('the second question', await this.#session.asked(), false);
    // Some programs run nothing before all is answered.
    await this.#expectRun(files);
  }

  async #approve(which: string, entry: string | undefined, asksAgain: boolean): Promise<void> {
    const refusal = await this.#session.press('Enter', entry);
    this.#answers.push({ atMs: performance.now(), asksAgain });
    if (refusal !== undefined) this.#wrong.push(`the entry of ${which} was refused: ${refusal}`);
  }

  async #expectRun(files: readonly string[]): Promise<void> {
    const isThere = (): boolean => files.every((file) => this.#session.has(file));
    let hasRun = await this.#session.until(isThere, RUNS_MS);
    // Claude Code drops a key that comes soon after a text was typed: its question stands.
    if (!hasRun) {
      await this.#session.press('Enter', await this.#session.asked());
      hasRun = await this.#session.until(isThere, RUNS_MS);
    }
    if (!hasRun) this.#wrong.push(`approved, and not run: ${files.join(', ')}\n${await this.#session.text()}`);
  }

  async #arrivals({ outcome }: Receipt, before: number): Promise<number> {
    const { text } = this.#draw;
    const arrived = (): number => this.#model.count(text) - before;
    await this.#session.until(() => arrived() > 0, outcome === 'submitted' ? ARRIVES_MS : LATE_MS);
    await this.#session.rest();
    return arrived();
  }

  async #judge({ outcome, delivered, hint }: Receipt, arrived: number): Promise<void> {
    const { number, kind } = this.#draw;
    const wrong = this.#wrong;
    const { tries, proof } = delivered;
    if (kind === 'bang' && this.#session.has(`banged-${number}`)) wrong.push(`${outcome}: the prompt ran as a command`);
    if (arrived > 1) wrong.push(`${outcome}: arrived ${arrived} times`);
    // What begins with a slash may be a command of the program: the receipt says so.
    const isSaid = kind === 'slash' && hint !== undefined;
    if (outcome === 'submitted' && arrived === 0 && !isSaid) {
      const screen = await this.#session.text();
      wrong.push(`submitted by ${proof}, and did not arrive; last: ${this.#model.lastWords()}\n${screen}`);
    }
    if (outcome !== 'submitted' && arrived > 0 && (tries === 0 || !UNKNOWN.includes(outcome))) {
      wrong.push(`${outcome} after ${tries} tries, and it arrived`);
    }
  }

  async #judgeDraft(): Promise<void> {
    const draft = `${DRAFT} ${this.#draw.number}`;
    await this.#session.press('Enter');
    const isThere = await this.#session.until(() => this.#model.count(draft) > 0, ARRIVES_MS);
    if (!isThere) this.#wrong.push(`the draft is not what it was:\n${await this.#session.text()}`);
  }
}
