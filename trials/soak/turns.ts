/** What a harness does all day, one turn each. A turn leaves nothing behind; what it finds wrong it throws. */
import { connect, type Client } from '../../src/client/index.js';
import type { Random } from '../support/random.js';

export interface Rig {
  readonly client: Client;
  readonly socketPath: string;
  readonly random: Random;
  readonly printers: readonly string[];
  /** Of the worker that takes the turn: a shell that nobody else types into, and a number never used before. */
  readonly shell: string;
  readonly number: number;
}

const APPEAR_MS = 20_000;
const SIZES = [
  { cols: 80, rows: 24 },
  { cols: 120, rows: 40 },
  { cols: 60, rows: 20 },
] as const;

export const TURNS: Readonly<Record<string, (rig: Rig) => Promise<void>>> = {
  type: typeAndSee,
  'type and wait': typeAndWait,
  picture: async ({ client, random, printers }) =>
    void (await client.call('screenshot', { id: random.pick(printers) })),
  'picture of changes': pictureOfChanges,
  'whole text': async ({ client, random, printers }) =>
    void (await client.call('text', {
      id: random.pick(printers),
      region: 'all',
      format: random.pick(['plain', 'ansi']),
    })),
  grep: async ({ client, random, printers }) =>
    void (await client.call('grep', { id: random.pick(printers), pattern: `line ${random.below(100)}` })),
  find: async ({ client, random, printers }) =>
    void (await client.call('find', { id: random.pick(printers), text: 'line' })),
  'create and kill': createAndKill,
  run,
  resize: async ({ client, random, shell }) => void (await client.call('resize', { id: shell, ...random.pick(SIZES) })),
  'a wait that is given up': waitInVain,
  'a client of its own': clientOfItsOwn,
  'a subscriber that comes and goes': subscribeAndLeave,
  'a request that is refused': refused,
};

/** `cat` shows what is typed twice: by the terminal's echo, and by itself. */
async function typeAndSee({ client, shell, number }: Rig): Promise<void> {
  const line = `${shell} says ${number}.`;
  await client.call('send', { id: shell, input: `${line}\r` });
  for (const deadline = performance.now() + APPEAR_MS; ;) {
    const { lines } = await client.call('text', { id: shell, trim: true, region: 'all', join_wrapped: true });
    if (lines.filter((each) => each === line).length >= 2) return;
    if (performance.now() > deadline) throw new Error(`${JSON.stringify(line)} was typed and did not appear twice`);
    await pause(5);
  }
}

async function typeAndWait({ client, shell, number }: Rig): Promise<void> {
  const word = `word${number}`;
  const { wait } = await client.call('type', {
    id: shell,
    text: word,
    submit: true,
    wait: { until: { text: word }, timeout_ms: APPEAR_MS },
  });
  if (wait?.outcome !== 'matched') throw new Error(`${word} was typed and not seen: ${JSON.stringify(wait)}`);
}

async function pictureOfChanges({ client, random, printers }: Rig): Promise<void> {
  const id = random.pick(printers);
  const { rev } = await client.call('screenshot', { id, rulers: true });
  await client.call('screenshot', { id, since: rev }).catch(expectCode('revision_unknown'));
}

async function createAndKill({ client, random }: Rig): Promise<void> {
  const { id } = await client.call('create', { cmd_args: ['sh', '-c', 'seq 1 500; sleep 1000 & exec cat'] });
  await pause(random.below(50));
  await client.call('kill', { id });
}

async function run({ client }: Rig): Promise<void> {
  const { outcome, lines } = await client.call('run', { cmd_args: ['sh', '-c', 'printf "\\007"; seq 1 100'] });
  if (outcome !== 'exited' || !lines.join('').endsWith('100')) throw new Error(`run: ${outcome}, ${lines.at(-1)}`);
}

async function waitInVain({ client, random, printers }: Rig): Promise<void> {
  await client.call('wait', { id: random.pick(printers), until: { text: 'never printed' }, timeout_ms: 10 });
}

async function clientOfItsOwn({ socketPath, shell }: Rig): Promise<void> {
  const client = await connect({ socketPath, autoStart: false });
  await client.call('text', { id: shell });
  await client.close();
}

async function subscribeAndLeave({ client, shell }: Rig): Promise<void> {
  const events = client.events({ terminal: shell, since: 0 });
  await events.subscribed;
  events.close();
}

async function refused({ client }: Rig): Promise<void> {
  await client.call('text', { id: 'nobody' }).catch(expectCode('terminal_not_found'));
}

function expectCode(expected: string): (error: unknown) => void {
  return (error) => {
    if ((error as { code?: unknown }).code !== expected) throw error;
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
