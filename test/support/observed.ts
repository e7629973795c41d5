/**
 * What an observer outside of t4a sees of a daemon and of a terminal: processes, files, sizes of terminals. Of what the daemon alone
 * has (questions, who has control, its settings) it asks, over a connection of its own.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '../../src/client/client.js';
import type { Fields } from './drawn-calls.js';
import { isRunning } from './processes.js';
import type { Rights } from './rights.js';

/** In milliseconds. */
export const ANSWER_MS = 60_000;
const OBSERVER = { as: 'observer', scope: 'observer' };
const HOLDER = 'holder';
const FENCE = '\u0004';

/** A program that keeps what is typed into it. */
export class Victim {
  static #last = 0;
  readonly id: string;
  readonly pid: number;
  readonly #client: Client;
  readonly #typed: string;
  #fences = 0;

  private constructor(client: Client, id: string, typed: string, pid: number) {
    this.#client = client;
    this.id = id;
    this.#typed = typed;
    this.pid = pid;
  }

  /** @param word that it shows */
  static async start(client: Client, dir: string, word: string, made: Fields = {}): Promise<Victim> {
    const name = `${word}${++Victim.#last}`;
    const typed = path.join(dir, `${name}.typed`);
    const script = `stty raw -echo; printf ${word}-ready; exec cat > "$0"`;
    const given = { ...OBSERVER, ...made, name, cmd_args: ['sh', '-c', script, typed] };
    const { pid } = await client.call('create', given);
    await client.call('wait', { id: name, until: { text: 'ready' }, timeout_ms: ANSWER_MS });
    return new Victim(client, name, typed, pid);
  }

  get isAlive(): boolean {
    return isRunning(this.pid);
  }

  /** A person takes control, and keeps it. */
  async hold(): Promise<void> {
    await this.#control({ as: HOLDER, action: 'take', person: true });
  }

  /** Whether that person still has it. */
  async isHeld(): Promise<boolean> {
    const { holder } = (await this.#control({ action: 'show' })) as { holder: { as: string; person: boolean } | null };
    return holder?.as === HOLDER && holder.person;
  }

  async #control(fields: Fields): Promise<unknown> {
    return this.#client.call('control', { id: this.id, ...fields } as never);
  }

  /** Makes it the one that a request without a scope means. */
  async use(): Promise<void> {
    await this.#client.call('text', { id: this.id });
  }

  /** What was typed so far. The last byte that is typed is ours: what was typed before it has come by then. */
  async typed(): Promise<string> {
    const read = (): string => (existsSync(this.#typed) ? readFileSync(this.#typed, 'latin1') : '');
    const fences = this.#fences;
    if (this.isAlive) {
      // A call may have taken control.
      await this.#control({ ...OBSERVER, action: 'take', person: true, force: true });
      await this.#client.call('send', { id: this.id, ...OBSERVER, input: FENCE });
      await this.#control({ ...OBSERVER, action: 'release' });
      this.#fences++;
      const untilMs = Date.now() + ANSWER_MS;
      while (read().split(FENCE).length <= fences + 1 && this.isAlive && Date.now() < untilMs) {
        await new Promise((resolve) => {
          setTimeout(resolve, 5);
        });
      }
    }
    return read().split(FENCE).join('');
  }

  async end(): Promise<void> {
    if (this.isAlive) await this.#client.call('kill', { id: this.id, ...OBSERVER, grace_ms: 100 });
  }
}

/** An open question of another to a person. */
export class Question {
  readonly number: number;
  readonly #client: Client;

  private constructor(client: Client, number: number) {
    this.#client = client;
    this.number = number;
  }

  static async put(client: Client): Promise<Question> {
    const asked = { as: 'asker', question: 'May they?', kind: 'confirm', timeout_ms: 0 };
    return new Question(client, (await client.call('ask', asked as never)).ask);
  }

  async isOpen(): Promise<boolean> {
    const { asks } = await this.#client.call('asks', {});
    return asks.some(({ ask }) => ask === this.number);
  }

  async end(): Promise<void> {
    if (await this.isOpen()) await this.#client.call('ask', { as: 'asker', withdraw: this.number } as never);
  }
}

export interface Observed {
  /** Programs of terminals. */
  readonly programs: readonly number[];
  /** By id: columns, rows and labels. */
  readonly terminals: Readonly<Record<string, string>>;
  /** Rows and columns of the victim's terminal. */
  readonly size: string;
  /** Who has control there, and how many inputs it had. */
  readonly inputs: string;
  readonly settings: string;
}

export async function observe(
  client: Client,
  { id, pid }: Victim,
  { allow }: Pick<Rights, 'allow'>,
): Promise<Observed> {
  const { terminals } = await client.call('list', {});
  const { control, inputs } = terminals.some((one) => one.id === id) ? await client.call('status', { id }) : {};
  return {
    programs: programsOf(client.daemon.pid),
    terminals: Object.fromEntries(
      terminals.map(({ id, cols, rows, labels }) => [id, JSON.stringify({ cols, rows, labels })]),
    ),
    size: allow === 'read' ? sizeOf(pid) : '',
    inputs: JSON.stringify({ by: control?.as, inputs }),
    settings: JSON.stringify(await client.call('config', {})),
  };
}

/** Children of the daemon that have a terminal, and live. */
function programsOf(daemon: number): number[] {
  return readdirSync(`/proc/${daemon}/task`)
    .flatMap((task) => readFileSync(`/proc/${daemon}/task/${task}/children`, 'latin1').split(' ').map(Number))
    .filter((pid) => {
      const [state, , , , terminal] = statOf(pid);
      return pid > 0 && state !== 'Z' && Number(terminal) !== 0;
    })
    .toSorted((a, b) => a - b);
}

/** From its state on. */
function statOf(pid: number): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return ['Z']; // ENOENT
  }
}

function sizeOf(pid: number): string {
  if (!isRunning(pid)) return '';
  return execFileSync('stty', ['-F', readlinkSync(`/proc/${pid}/fd/0`), 'size'], { encoding: 'utf8' });
}

/** What has come between two looks that the caller may not do. */
export function changesBeyond(before: Observed, after: Observed, { allow }: Pick<Rights, 'allow'>): string[] {
  const same = (what: string, was: unknown, is: unknown): string[] =>
    JSON.stringify(was) === JSON.stringify(is) ? [] : [`changed ${what}: ${JSON.stringify([was, is])}`];
  return [
    ...same('settings', before.settings, after.settings),
    ...(allow === 'create'
      ? []
      : [
          ...same('programs', before.programs, after.programs),
          ...same('ids', Object.keys(before.terminals), Object.keys(after.terminals)),
        ]),
    ...(allow === 'read'
      ? [
          ...same('size', before.size, after.size),
          ...same('terminals', before.terminals, after.terminals),
          ...same('inputs', before.inputs, after.inputs),
        ]
      : []),
  ];
}
