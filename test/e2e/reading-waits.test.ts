/** Commands that read with a `wait`: one request, and one instant for its outcome, the reading and the picture. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { RawConnection, rawRequest } from '../support/raw.js';

/** A bound for what hangs. */
const PATIENCE = { timeout: 60_000, interval: 10 };

type Counts = Readonly<Record<'in_flight', number>>;

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const ask = (fields: object) => request(daemon, fields);

async function create(script: string): Promise<string> {
  const { id } = await ask({ cmd: 'create', cmd_args: ['sh', '-c', script], rows: 5 });
  return String(id);
}

/** Prints each line that it is sent, with printf's escapes. */
async function printer(): Promise<string> {
  const id = await create('stty -echo; printf ready; while IFS= read -r line; do printf "$line"; done');
  await ask({ cmd: 'wait', id, until: { text: 'ready' } });
  return id;
}

const print = (id: string, format: string) => ask({ cmd: 'send', id, input: `${format}\n` });

/** Each with the least that it takes. */
const READERS = [
  ['text', {}],
  ['cursor', {}],
  ['debug', {}],
  ['grep', { pattern: '.' }],
  ['find', { regex: '.+' }],
  ['screenshot', { scale: 40 }],
] as const;

describe.each(READERS)('%s', (cmd, own) => {
  test('reads at the instant at which its wait ended, on a screen that always changes', async () => {
    const id = await create('i=0; while :; do i=$((i+1)); printf "\\r%d " $i; done');
    let rev = 0;
    for (let round = 0; round < 20; round++) {
      const reply = await ask({ cmd, id, ...own, wait: { until: { changed_since: rev } } });
      expect(reply['wait']).toMatchObject({ outcome: 'matched', rev: reply['rev'] });
      rev = Number(reply['rev']);
    }
    await ask({ cmd: 'kill', id });
  });

  test('accepts a condition that already holds, except with fresh', async () => {
    const id = await printer();
    const until = { text: 'ready' };
    expect(await ask({ cmd, id, ...own, wait: { until } })).toMatchObject({ wait: { outcome: 'matched' } });
    const late = ask({ cmd, id, ...own, wait: { until, fresh: true, timeout_ms: 50 } });
    expect(await late).toMatchObject({ ok: true, wait: { outcome: 'timeout' } });
    const changed = { changed_since: 0 };
    const unchanged = ask({ cmd, id, ...own, wait: { until: changed, fresh: true, timeout_ms: 50 } });
    expect(await unchanged).toMatchObject({ ok: true, wait: { outcome: 'timeout' } });
    const waiting = ask({ cmd, id, ...own, wait: { until: { text: 'more' }, fresh: true } });
    await print(id, ' more');
    expect(await waiting).toMatchObject({ wait: { outcome: 'matched' } });
  });

  test('reads even if the program has exited or a failure matched', async () => {
    const id = await create('printf "bad news"');
    const exited = await ask({ cmd, id, ...own, wait: { until: { text: 'never' } } });
    expect(exited).toMatchObject({ ok: true, wait: { outcome: 'exited', tail: ['bad news'] } });
    const failed = await ask({ cmd, id, ...own, wait: { until: { text: 'never' }, fail: { text: 'bad' } } });
    expect(failed).toMatchObject({ ok: true, wait: { outcome: 'failed', match: { text: 'bad' } } });
  });

  test('ends its wait when its client disconnects', async () => {
    const id = await printer();
    const leaving = new RawConnection(daemon.socketPath);
    leaving.write(`${JSON.stringify({ cmd, id, ...own, req: 1, wait: { until: { text: 'never' } } })}\n`);
    const inFlight = async (): Promise<unknown> => ((await ask({ cmd: 'stats' }))['connections'] as Counts).in_flight;
    // The question itself is one, too.
    await vi.waitUntil(async () => (await inFlight()) === 2, PATIENCE);
    leaving.close();
    await vi.waitUntil(async () => (await inFlight()) === 1, PATIENCE);
  });
});

test('after a wait for a bell, outcome, lines and tail are of one revision that has the line of the bell', async () => {
  const answer = 'printf "\\r\\033[KA$n\\a"; sleep 0.01; printf "B$n"';
  const id = await create(`stty -echo; printf ready; while read -r n; do ${answer}; done`);
  await ask({ cmd: 'wait', id, until: { text: 'ready' } });
  const connection = new RawConnection(daemon.socketPath);
  for (let round = 0; round < 30; round++) {
    const wait = { until: { event: 'bell' }, tail: 1, fresh: round % 2 === 0 };
    const reading = { req: 1, cmd: 'text', id, trim: true, wait, observe: { text: true } };
    const sending = { req: 2, cmd: 'send', id, input: `${round}\n` };
    connection.write(`${JSON.stringify(reading)}\n${JSON.stringify(sending)}\n`);
    const replies = [await connection.reply(), await connection.reply()].map(({ header }) => header);
    const { lines, wait: outcome, observed, rev } = replies.find(({ req }) => req === 1) as never as OneInstant;
    expect(outcome).toMatchObject({ outcome: 'matched', event: { event: 'bell' }, rev, tail: lines.slice(0, 1) });
    expect(observed).toEqual({ rev, lines: lines.slice(0, 1) });
    expect(lines[0]).toMatch(new RegExp(`^A${round}(B${round})?$`, 'u'));
    await ask({ cmd: 'wait', id, until: { text: `A${round}B${round}` } });
  }
  connection.close();
  await ask({ cmd: 'kill', id });
});

interface OneInstant {
  readonly lines: string[];
  readonly rev: number;
  readonly wait: { readonly rev: number; readonly tail: string[] };
  readonly observed: { readonly rev: number; readonly lines: string[] };
}

test('the waits of commands that read count towards max_waits', async () => {
  const { max_waits: most } = await ask({ cmd: 'config' });
  // One connection has half of them at most.
  await ask({ cmd: 'config', max_waits: 2 * READERS.length });
  const { id } = await ask({ cmd: 'create', cmd_args: ['sleep', '1000'] });
  await ask({ cmd: 'config', max_waits: most });
  const connection = new RawConnection(daemon.socketPath);
  const wait = { until: { text: 'never' } };
  const readings = [...READERS, READERS[0]].map(([cmd, own], req) => ({ req, cmd, id, ...own, wait }));
  connection.write(readings.map((reading) => `${JSON.stringify(reading)}\n`).join(''));
  expect((await connection.reply()).header).toMatchObject({ ok: false, req: READERS.length, code: 'too_many_waits' });
  connection.close();
  await ask({ cmd: 'kill', id });
});

test('lines, outcome and observed text are of one revision, and come with a picture', async () => {
  const id = await create('i=0; while :; do i=$((i+1)); printf "\\r%d " $i; done');
  for (let round = 0; round < 10; round++) {
    const { header, bytes } = await rawRequest(daemon.socketPath, {
      cmd: 'text',
      id,
      trim: true,
      wait: { until: { changed_since: 0 }, tail: 1 },
      observe: { text: true, screenshot: { scale: 40 } },
    });
    const { lines, wait, observed, rev } = header as never as OneInstant;
    expect([wait.rev, observed.rev]).toEqual([rev, rev]);
    expect([wait.tail, observed.lines]).toEqual([lines.slice(0, 1), lines.slice(0, 1)]);
    expect(bytes?.subarray(1, 4).toString()).toBe('PNG');
  }
  await ask({ cmd: 'kill', id });
});

test('a reply without a turn has none of the fields of a turn', async () => {
  const id = await printer();
  for (const [cmd, own] of READERS.filter(([name]) => name !== 'screenshot')) {
    const reply = await ask({ cmd, id, ...own });
    expect(Object.keys(reply).filter((field) => ['wait', 'observed', 'len', 'format'].includes(field))).toEqual([]);
  }
});

test('a picture after a wait is reported as unchanged only if it is', async () => {
  const id = await printer();
  const { rev } = await ask({ cmd: 'cursor', id, wait: { until: { settled_ms: 50 } } });
  const same = await ask({ cmd: 'screenshot', id, if_rev: rev, wait: { until: { text: 'ready' } } });
  expect(same).toMatchObject({ unchanged: true, rev, len: 0, wait: { outcome: 'matched' } });
  const waiting = ask({ cmd: 'screenshot', id, if_rev: rev, wait: { until: { text: 'new' } } });
  await print(id, ' new');
  expect((await waiting)['unchanged']).toBeUndefined();
});

test.each([
  ['grep', { pattern: '(' }, 'bad_regex'],
  ['find', { regex: '(' }, 'bad_regex'],
  ['screenshot', { mark: [{ regex: '(' }] }, 'bad_regex'],
  ['screenshot', { theme: 'none' }, 'invalid_field'],
  ['cursor', { observe: { screenshot: { mark: [{ regex: '(' }] } } }, 'bad_regex'],
  ['debug', { observe: { screenshot: { theme: 'none' } } }, 'invalid_field'],
  ['wait', { wait: undefined, until: { text: 'never' }, observe: { screenshot: { theme: 'none' } } }, 'invalid_field'],
  ['text', { start: 5, end: 4 }, 'invalid_field'],
  ['text', { lines: 5 }, 'unknown_field'],
  ['text', { wait: { until: { text: 'x', fresh: true } } }, 'unknown_field'],
  ['text', { wait: { fresh: true } }, 'invalid_field'],
  ['debug', { wait: { until: { regex: '(' } } }, 'bad_regex'],
  ['press', { keys: ['x'], wait: { until: { text: 'x' }, fresh: false } }, 'invalid_field'],
])('%s with %j is refused at once', async (cmd, fields, code) => {
  const id = await printer();
  const never = { until: { text: 'never' }, timeout_ms: 60_000 };
  expect(await ask({ cmd, id, wait: never, ...fields })).toMatchObject({ ok: false, code });
});

test('a missing terminal is refused without a wait', async () => {
  const reply = await ask({ cmd: 'text', id: 'nobody', wait: { until: { text: 'x' } } });
  expect(reply).toMatchObject({ ok: false, code: 'terminal_not_found' });
});
