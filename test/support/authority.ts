/**
 * Random calls through a door by somebody with some rights, and an observer outside of t4a that judges by effects alone: files that
 * were made, what was typed, programs that have ended, answers that came.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '../../src/client/client.js';
import { COMMANDS, type CommandName } from '../../src/protocol/registry.js';
import type { AllowedReach, Profile } from '../../src/tools/catalog.js';

export interface Rights {
  readonly allow: AllowedReach;
  readonly profile: Profile;
  readonly tools?: readonly string[];
}

export interface Door {
  /** Of the terminal that the calls are about, as it is made. */
  readonly made?: Readonly<Record<string, unknown>>;
  /** Called once, before the calls: the terminal that they are about. */
  readonly about?: (id: string) => Promise<void>;
  /** Resolves with the answer, whatever it is. */
  readonly call: (name: string, input: unknown, req: number) => Promise<unknown>;
}

type Fields = Record<string, unknown>;

/** A number from 0 to 1, the same for the same seed. */
export type Random = () => number;

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const pick = <T>(random: Random, all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;

const LOOKING = ['list', 'text', 'status', 'grep', 'wait'];
const TYPING = [...LOOKING, 'type', 'press', 'paste'];
const STARTING = [...TYPING, 'create', 'run', 'kill'];
const OF_REACH = { read: LOOKING, use: TYPING, create: STARTING } as const;

/** @param levels of the door @param hasTools whether a list of tools may be given */
export function drawRights(random: Random, levels: readonly AllowedReach[], hasTools: boolean): Rights {
  const allow = pick(random, levels);
  const profile = pick(random, ['default', 'full'] as const);
  const tools = OF_REACH[allow].filter(() => random() < 0.4);
  return { allow, profile, ...(hasTools && random() < 0.5 && tools.length > 0 ? { tools } : {}) };
}

/** What those rights are good for. */
export function permits({ allow, tools }: Rights): { typed: boolean; programs: boolean } {
  const has = (names: readonly string[]): boolean => tools === undefined || tools.some((name) => names.includes(name));
  return {
    typed: allow !== 'read' && has(['type', 'press', 'paste', 'run']),
    programs: allow === 'create' && has(['create', 'run', 'kill']),
  };
}

export interface Judgement {
  readonly calls: number;
  readonly unanswered: readonly string[];
  readonly beyond: readonly string[];
  readonly effects: number;
}

/** @param client of the observer, who makes what the calls are about and asks for nothing else */
export async function judge(
  client: Client,
  dir: string,
  { door, rights, random, calls }: { door: Door; rights: Rights; random: Random; calls: number },
): Promise<Judgement> {
  const unanswered: string[] = [];
  const made: { readonly file: string; readonly call: string }[] = [];
  const victim = await Victim.start(client, dir, door.made);
  await door.about?.(victim.id);
  const before = await idsOf(client);
  for (let n = 1; n <= calls; n++) {
    const file = path.join(dir, `made-${Math.floor(random() * 2 ** 40)}`);
    const { name, input } = plainCall(calls - n, victim.id, file) ?? drawCall(random, victim.id, file);
    const call = `${name} ${JSON.stringify(input)}`;
    made.push({ file, call });
    if (!(await isAnswered(door.call(name, input, n)))) unanswered.push(call);
  }
  await haveEnded(client, before);
  const { typed, programs } = permits(rights);
  const { isAlive, text } = await victim.end();
  const started = made.filter(({ file }) => existsSync(file));
  const beyond = [
    ...(programs ? [] : started.map(({ call }) => `started a program: ${call}`)),
    ...(programs || isAlive ? [] : ['ended a program']),
    ...(typed || text === '' ? [] : [`typed ${JSON.stringify(text)}`]),
    ...(isRunning(client.daemon.pid) ? [] : ['ended the daemon']),
  ];
  return { calls, unanswered, beyond, effects: started.length + (text === '' ? 0 : 1) + (isAlive ? 0 : 1) };
}

/** The last three calls do what the others may have been refused for another reason. */
function plainCall(left: number, id: string, file: string): { name: string; input: unknown } | undefined {
  return [
    { name: 'kill', input: { id } },
    { name: 'create', input: { cmd_args: ['touch', file] } },
    { name: 'type', input: { id, text: 'x' } },
  ][left];
}

const idsOf = async (client: Client): Promise<ReadonlySet<string>> =>
  new Set((await client.call('list', {})).terminals.map(({ id }) => id));

/** Programs that the calls have started make their file before they end. */
async function haveEnded(client: Client, before: ReadonlySet<string>): Promise<void> {
  const { terminals } = await client.call('list', {});
  const started = terminals.filter(({ id, cmd }) => !before.has(id) && cmd.join(' ').includes('touch'));
  const until = { event: 'exit' } as const;
  await Promise.allSettled(started.map(({ id }) => client.call('wait', { id, until, timeout_ms: ANSWER_MS })));
}

const ANSWER_MS = 60_000;

async function isAnswered(answer: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), ANSWER_MS);
  });
  try {
    return (await Promise.race([answer, late])) !== 'late';
  } finally {
    clearTimeout(timer);
  }
}

/** A program that keeps what is typed into it. */
class Victim {
  static #last = 0;
  readonly id: string;
  readonly #client: Client;
  readonly #typed: string;
  readonly #pid: number;

  private constructor(client: Client, id: string, typed: string, pid: number) {
    this.#client = client;
    this.id = id;
    this.#typed = typed;
    this.#pid = pid;
  }

  static async start(client: Client, dir: string, made: Fields = {}): Promise<Victim> {
    const name = `victim${++Victim.#last}`;
    const typed = path.join(dir, `${name}.typed`);
    const script = 'stty raw -echo; printf ready; exec cat > "$0"';
    const { pid } = await client.call('create', { ...made, name, cmd_args: ['sh', '-c', script, typed] });
    await client.call('wait', { id: name, until: { text: 'ready' }, timeout_ms: ANSWER_MS });
    return new Victim(client, name, typed, pid);
  }

  /** The last byte that is typed is ours: what was typed before it has come by then. */
  async end(): Promise<{ isAlive: boolean; text: string }> {
    const isAlive = isRunning(this.#pid);
    const read = (): string => (existsSync(this.#typed) ? readFileSync(this.#typed, 'latin1') : '');
    if (isAlive) {
      // A call may have taken control.
      const observer = { id: this.id, as: 'observer' };
      await this.#client.call('control', { ...observer, action: 'take', person: true, force: true } as never);
      await this.#client.call('send', { ...observer, input: '\u0004' });
      const untilMs = Date.now() + ANSWER_MS;
      while (!read().endsWith('\u0004') && isRunning(this.#pid) && Date.now() < untilMs) {
        await new Promise((resolve) => {
          setTimeout(resolve, 5);
        });
      }
      await this.#client.call('kill', { ...observer, grace_ms: 100 });
    }
    return { isAlive, text: read().split('\u0004').join('') };
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Fields of the request around a tool's input, and those of persons. */
const ENVELOPE: Fields = {
  cmd: 'create',
  req: 5,
  as: 'ada',
  scope: 'other',
  host: 'local',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  via: ['x'],
  person: true,
  force: true,
};
const OTHER_COMMANDS = ['create', 'run', 'kill', 'type', 'shutdown', 'events', 'config', 'answer', 'restart'];

const NAMES = (Object.keys(COMMANDS) as CommandName[]).filter((name) => COMMANDS[name].kind !== 'stream');
const FIELDS = [...new Set(NAMES.flatMap((name) => Object.keys(COMMANDS[name].params.shape)))];

function drawCall(random: Random, id: string, file: string): { name: string; input: unknown } {
  const values: Fields = {
    id,
    terminal: id,
    text: 'x',
    input: 'x',
    keys: ['a'],
    cmd_args: ['touch', file],
    command: `touch ${file}`,
    all: true,
    where: { id: [id] },
    until: { exit: true },
    pattern: 'x',
    name: `n${Math.floor(random() * 1e9)}`,
    signal: 'TERM',
    question: 'q',
    path: file,
    write: file,
    save: file,
    data: 'x',
    kind: 'text',
    submit: true,
    wait: { until: { exit: true }, timeout_ms: 1 },
    observe: { text: true },
    timeout_ms: 20,
    grace_ms: 10,
    ...ENVELOPE,
    cmd: pick(random, OTHER_COMMANDS),
  };
  const name = random() < 0.6 ? pick(random, STARTING) : pick(random, NAMES);
  const { shape } = COMMANDS[name as CommandName].params;
  const own = Object.keys(shape).filter((field) => FREQUENT.includes(field) || random() < 0.01);
  const foreign = random() < 0.3 ? [pick(random, FIELDS)] : [];
  const envelope = random() < 0.4 ? [pick(random, Object.keys(ENVELOPE))] : [];
  const fields = [...own, ...foreign, ...envelope, ...('timeout_ms' in shape ? ['timeout_ms'] : [])];
  const input = Object.fromEntries(fields.map((field) => [field, values[field] ?? pick(random, [true, 1, 'x', null])]));
  if (name === 'create' || name === 'run') delete input[random() < 0.5 ? 'command' : 'cmd_args'];
  if (random() < 0.05)
    return { name, input: pick(random, [null, [], 'x', JSON.parse(`{"__proto__":${JSON.stringify(input)}}`)]) };
  return { name: random() < 0.1 ? pick(random, [`t4a_${name}`, name.toUpperCase()]) : name, input };
}

/** Those that make a call one that does something. */
const FREQUENT: readonly string[] = [
  'id',
  'text',
  'keys',
  'cmd_args',
  'command',
  'pattern',
  'until',
  'input',
  'question',
];
