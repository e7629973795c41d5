/**
 * What a daemon counts for all of its clients, as a client without any library sees it: one client takes its share, and is refused what
 * is beyond it; another has room; and where it ends with its client, that is free as soon as the client has gone.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { RawConnection } from '../support/raw.js';
import { tempDir } from '../support/temp-dir.js';

type Fields = Readonly<Record<string, unknown>>;

interface Counted {
  /** Of one client. */
  readonly share: number;
  readonly code: string;
  /** Ends with its client. */
  readonly isTied?: boolean;
  /** That come by doors have one share together. */
  readonly hasDoors?: boolean;
  /** Makes what is needed first. @returns the request that takes one more of it, whose number is given */
  readonly prepare: (daemon: TestDaemon) => Promise<(number: number) => Fields>;
  /** Of a refused request: that it was refused for another reason, and is counted. */
  readonly isCounted?: (reply: Fields) => boolean;
  /** Of files in src/ that refuse it. */
  readonly in: string;
}

const create = async (daemon: TestDaemon, ...program: readonly string[]): Promise<unknown> =>
  (await request(daemon, { cmd: 'create', cmd_args: program })).id;

const MEBIBYTE = 1024 * 1024;

const COUNTED: Readonly<Record<string, Counted>> = {
  'opened recordings': {
    share: 32,
    code: 'too_many_terminals',
    hasDoors: true,
    in: 'features/recording/open.ts',
    prepare: async () => {
      const file = path.join(tempDir().path, 'one.cast');
      writeFileSync(file, '{"version":2,"width":20,"height":2}\n[0.1,"o","one"]\n');
      return () => ({ cmd: 'open', path: file });
    },
  },
  'triggers of a terminal': {
    share: 32,
    code: 'too_many_triggers',
    hasDoors: true,
    in: 'features/triggers/triggers.ts',
    prepare: async (daemon) => {
      const id = await create(daemon, 'cat');
      return () => ({ cmd: 'trigger', id, when: { text: 'never' }, do: [{ notify: 'x' }] });
    },
  },
  'triggers of all terminals': {
    share: 128,
    code: 'too_many_triggers',
    hasDoors: true,
    in: 'features/triggers/triggers.ts',
    prepare: async (daemon) => {
      const ids = await Promise.all(Array.from({ length: 8 }, () => create(daemon, 'cat')));
      return (number) => ({ cmd: 'trigger', id: ids[number % 8], when: { text: 'never' }, do: [{ notify: 'x' }] });
    },
  },
  'names in the line for control': {
    share: 8,
    code: 'control_held',
    hasDoors: true,
    isCounted: ({ error }) => String(error).includes('is in line'),
    in: 'features/people/control-state.ts',
    prepare: async (daemon) => {
      const id = await create(daemon, 'cat');
      await request(daemon, { cmd: 'control', id, action: 'take', as: 'ada', person: true });
      return (number) => ({ cmd: 'control', id, action: 'take', as: `name-${number}` });
    },
  },
  'waits on a terminal': {
    share: 5,
    code: 'too_many_waits',
    isTied: true,
    in: 'terminal/waits.ts',
    prepare: async (daemon) => {
      await request(daemon, { cmd: 'config', max_waits: 10 });
      const id = await create(daemon, 'cat');
      return () => ({ cmd: 'wait', id, until: { text: 'never' }, timeout_ms: 600_000 });
    },
  },
  'waits for what clients publish': {
    share: 5,
    code: 'too_many_waits',
    isTied: true,
    in: 'features/acting/wait-published.ts',
    prepare: async (daemon) => {
      await request(daemon, { cmd: 'config', max_waits: 10 });
      return () => ({ cmd: 'wait', until: { published: 'never' }, timeout_ms: 600_000 });
    },
  },
  'prompts that wait for a terminal': {
    share: 32,
    code: 'too_many_waits',
    isTied: true,
    in: 'features/delivery/line.ts',
    prepare: async (daemon) => {
      const id = await create(daemon, 'cat');
      // While another name has it, all of them wait.
      await request(daemon, { cmd: 'control', id, action: 'take', as: 'ada', person: true });
      return (number) => ({ cmd: 'deliver', id, text: `prompt ${number}`, as: 'agent', timeout_ms: 600_000 });
    },
  },
  'input that waits for earlier input': {
    share: 4,
    code: 'input_blocked',
    isTied: true,
    in: 'terminal/input/queue.ts',
    prepare: async (daemon) => {
      const id = await create(daemon, 'cat');
      const holding = new RawConnection(daemon.socketPath);
      const keys = Array.from({ length: 600 }, () => 'x');
      holding.write(`${JSON.stringify({ cmd: 'press', id, keys, gap_ms: 1000 })}\n`);
      await request(daemon, { cmd: 'wait', id, until: { text: 'x' }, timeout_ms: 60_000 });
      return () => ({ cmd: 'send', id, input: 'x'.repeat(MEBIBYTE) });
    },
  },
  'open questions': {
    share: 16,
    code: 'too_many_asks',
    in: 'features/people/asks.ts',
    prepare: async () => (number) => ({ cmd: 'ask', question: 'q', as: `name-${number}`, timeout_ms: 0 }),
  },
};

/** Counted elsewhere: the test of its shares, or why it has none. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'events/status/records.ts':
    'test/e2e/counted.test.ts: of records of hooks one client loses its own beyond its share, and no other one',
  'web/uploads.ts':
    'test/web/counted.test.ts: files that pages send: one link has half of the places, and another has room',
  'web/films.ts':
    'test/web/counted.test.ts: films: one link makes one at a time, all that guests have make one, and another has room',
  'web/page-socket.ts':
    'test/web/web.test.ts: one link takes a quarter of the sockets, all links three quarters, and the owner the rest',
  'web/server.ts':
    'test/web/web.test.ts: one link takes a quarter of the sockets, all links three quarters, and the owner the rest',
  'nats/links.ts': 'test/nats/shares.test.ts: links of one inbox at one level are a share, and the others have room',
  'nats/single-request.ts':
    'test/nats/shares.test.ts: single requests of one inbox are a share, what is beyond it is refused, and another is answered',
  'nats/inbox-turns.ts':
    'test/nats/inbox-turns.test.ts: what waits has a bound, half of it for one inbox, and is free once it was done',
  'daemon/spawn.ts': 'A setting of the owner bounds the terminals of one name (`max_terminals_per_owner`).',
  'rpc/server.ts': 'Connections have no owner: any number of them may be of one process.',
  'rpc/connection.ts': 'Of one connection.',
  'features/triggers/actions.ts': 'Of one trigger.',
};

/** Sends requests and reads their replies, by their numbers. */
class Client {
  static #last = 0;
  readonly #connection: RawConnection;
  readonly #counted: Counted;
  readonly #make: (number: number) => Fields;

  constructor(daemon: TestDaemon, counted: Counted, make: (number: number) => Fields) {
    this.#connection = new RawConnection(daemon.socketPath);
    this.#counted = counted;
    this.#make = make;
  }

  async restrict(): Promise<void> {
    const { header } = await this.#connection.request({ cmd: 'restrict', reach: 'create', person: false });
    expect(header).toMatchObject({ ok: true, reach: 'create' });
  }

  /** @returns how many of so many requests come before the first one that is refused */
  async takes(count: number): Promise<number> {
    this.#send(count);
    for (let admitted = 0; admitted < count; admitted++) {
      const { header } = await this.#connection.reply();
      if (this.#isRefused(header)) return Number(header['req']);
    }
    return count;
  }

  /** @returns what is refused of so many requests */
  async refusals(count: number): Promise<Fields[]> {
    this.#send(count);
    // Of waits that are admitted there is no reply, and a refusal comes at once.
    this.#connection.write(`${JSON.stringify({ cmd: 'list', req: 'fence' })}\n`);
    const replies: Fields[] = [];
    for (let isPast = false; !isPast || (this.#counted.isTied !== true && replies.length < count);) {
      const { header } = await this.#connection.reply();
      if (header['req'] === 'fence') isPast = true;
      else replies.push(header);
    }
    return replies.filter((reply) => this.#isRefused(reply));
  }

  close(): void {
    this.#connection.close();
  }

  #send(count: number): void {
    for (let req = 0; req < count; req++) {
      this.#connection.write(`${JSON.stringify({ ...this.#make(Client.#last++), req })}\n`);
    }
  }

  #isRefused(reply: Fields): boolean {
    const { ok, code, error } = reply;
    if (ok !== true) expect([code, error]).toEqual([this.#counted.code, expect.any(String)]);
    return ok !== true && this.#counted.isCounted?.(reply) !== true;
  }
}

const ROWS = Object.entries(COUNTED);

it.each(ROWS)(
  'of %s one client takes its share, and another one has room',
  async (_, counted) => {
    const daemon = await startDaemon();
    try {
      const make = await counted.prepare(daemon);
      const [greedy, other, next] = Array.from({ length: 3 }, () => new Client(daemon, counted, make)) as Clients;
      expect(await greedy.takes(counted.share + 1)).toBe(counted.share);
      expect(await other.refusals(1)).toEqual([]);
      expect(await greedy.refusals(1)).toHaveLength(1);
      greedy.close();
      // The daemon hears of that end after some requests of others.
      if (counted.isTied === true) await expect.poll(() => next.refusals(1)).toEqual([]);
    } finally {
      await daemon.stop();
    }
  },
  60_000,
);

type Clients = [Client, Client, Client];

it.each(ROWS.filter(([, { hasDoors }]) => hasDoors === true))(
  'of %s all clients that come by doors have one share, also when they have gone, and the owner the rest',
  async (_, counted) => {
    const daemon = await startDaemon();
    try {
      const make = await counted.prepare(daemon);
      const [first, second, own] = Array.from({ length: 3 }, () => new Client(daemon, counted, make)) as Clients;
      await first.restrict();
      await second.restrict();
      expect(await first.takes(counted.share + 1)).toBe(counted.share);
      first.close();
      expect(await second.refusals(1)).toHaveLength(1);
      expect(await own.refusals(1)).toEqual([]);
    } finally {
      await daemon.stop();
    }
  },
  60_000,
);

it('of records of hooks one client loses its own beyond its share, and no other one', async () => {
  const daemon = await startDaemon();
  try {
    const id = await create(daemon, 'cat');
    const [other, greedy] = [new RawConnection(daemon.socketPath), new RawConnection(daemon.socketPath)];
    const msg = 'm'.repeat(1000);
    const blocked = { cmd: 'report', id, state: 'blocked', kind: 'permission', path: 'other', msg };
    expect((await other.request(blocked)).header).toMatchObject({ ok: true });
    for (let i = 0; i < 300; i++) {
      const { header } = await greedy.request({ cmd: 'report', id, state: 'working', path: `greedy-${i}`, msg });
      expect(header).toMatchObject({ ok: true, report: { id: `greedy-${i}`, msg } });
    }
    // The most urgent one speaks for the terminal, with its words.
    expect(await request(daemon, { cmd: 'status', id })).toMatchObject({ report: { id: 'other', msg } });
  } finally {
    await daemon.stop();
  }
});

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

it('all that is refused because others have it is here: a row, the test of its shares, or why it has none', () => {
  const files = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  const refusing = files.filter((file) => {
    if (!file.endsWith('.ts') || file === 'base/shares.ts') return false;
    return /T4aError\(\s*'too_many_|'tooMany'|new Shares\(/.test(readFileSync(path.join(ROOT, 'src', file), 'utf8'));
  });
  const known = [...Object.keys(ELSEWHERE), ...ROWS.map(([, counted]) => counted.in)];
  expect(refusing.filter((file) => !known.includes(file))).toEqual([]);
  for (const said of Object.values(ELSEWHERE).filter((one) => one.startsWith('test/'))) {
    const [file = '', title = ''] = said.split(/: (.*)/);
    expect(readFileSync(path.join(ROOT, file), 'utf8')).toContain(title);
  }
});
