/** The model of the trial: it answers by plans, and remembers what it was sent. What it was sent is the truth. */
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import type { Part, Said } from '../../scripts/agents/interfaces.mjs';
import { startModelOf } from '../../scripts/agents/scripted-model.mjs';

/** What a turn does: the tools of a program are known once it asks. */
export type Plan = (said: Said) => readonly Part[];

/** `asked`: a request came; `ended`: its answer has ended, `calls` of tools in it. Times are those of `performance.now()`. */
export interface Moment {
  readonly what: 'asked' | 'ended' | 'failed' | 'cut';
  readonly atMs: number;
  readonly calls: number;
}

const THINKING_MS = 50;
const ANSWER: Plan = () => [{ text: 'All ' }, { text: 'right.' }];
/** gemini asks in a form of its own who speaks next. */
const ASIDE = '{"next_speaker":"user","reasoning":"It has answered.","title":"Files","isNewTopic":false}';

export class AgentModel {
  readonly url: string;
  readonly moments: Moment[] = [];
  readonly #server: Server;
  readonly #plans: Plan[] = [];
  #users: readonly string[] = [];
  #results: readonly string[] = [];

  private constructor(server: Server, hold: { turnOf: Parameters<typeof startModelOf>[0] }) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    hold.turnOf = (said, _, response) => {
      if (said.isAside) return [{ text: ASIDE }];
      this.#users = said.users;
      this.#results = said.results;
      const parts = (said.isResult ? ANSWER : (this.#plans.shift() ?? ANSWER))(said);
      const calls = parts.filter((part) => 'call' in part).length;
      this.#note('asked', 0);
      const isFailure = parts.some((part) => 'status' in part);
      response.once('close', () =>
        this.#note(response.writableEnded ? (isFailure ? 'failed' : 'ended') : 'cut', calls),
      );
      return parts;
    };
  }

  static async start(): Promise<AgentModel> {
    const hold: { turnOf: Parameters<typeof startModelOf>[0] } = { turnOf: () => [] };
    return new AgentModel(await startModelOf((...all) => hold.turnOf(...all), THINKING_MS), hold);
  }

  /** The next request of a person is answered so; without a plan, by two words. */
  plan(plan: Plan): void {
    this.#plans.push(plan);
  }

  /** A new program begins. */
  reset(): void {
    this.#plans.length = 0;
    this.#users = [];
    this.#results = [];
  }

  get results(): readonly string[] {
    return this.#results;
  }

  /** A request is being answered. */
  get isBusy(): boolean {
    return this.moments.at(-1)?.what === 'asked';
  }

  /** How often the conversation has this text, whole, as the words of a person. */
  count(text: string): number {
    const sought = plain(text);
    return this.#users.filter((one) => isOf(plain(one), sought)).length;
  }

  /** All that the person has said, for reports. */
  lastWords(): string {
    return this.#users.slice(-3).join(' | ').slice(-300);
  }

  #note(what: Moment['what'], calls: number): void {
    this.moments.push({ what, atMs: performance.now(), calls });
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const QUEUED = /sent a new message|while you were working/;
const LONG_ENOUGH = 12;

/** A program may wrap what was queued, and put words of its own around it. */
function isOf(said: string, sought: string): boolean {
  if (said === sought) return true;
  const isWrapped = QUEUED.test(said) || sought.length >= LONG_ENOUGH;
  return isWrapped && said.includes(sought);
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
