/** Lines of a connection are cut in turns with all requests: what is refused costs nobody else more than a request does. */
import { connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { Log } from '../../src/base/log.js';
import { Connection } from '../../src/rpc/connection.js';
import { admitLine } from '../../src/rpc/dispatch.js';
import { endOfLineFeeds } from '../../src/rpc/line-turns.js';
import { RequestSchedule } from '../../src/rpc/request-schedule.js';
import { tempDir } from '../support/temp-dir.js';
import { testHandlers } from '../support/test-handlers.js';

const LIMITS = { max_line_bytes: 1 << 20, max_requests_in_flight: 4, client_buffer_bytes: 1 << 24 };

/** Notes how many lines are read in each of its turns. */
class CountedTurns extends RequestSchedule {
  readonly linesOfTurns: number[] = [];
  #lines = 0;

  noteLine(): void {
    this.#lines++;
  }

  override begin(owner: object, start: () => void): void {
    super.begin(owner, () => {
      this.#lines = 0;
      start();
      this.linesOfTurns.push(this.#lines);
    });
  }
}

async function served() {
  const { socketPath } = tempDir();
  const schedule = new CountedTurns();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    void new Connection(socket, {
      handlers: testHandlers({}),
      log: new Log(() => {}, 'error'),
      limits: LIMITS,
      schedule,
      admit(line, client) {
        schedule.noteLine();
        return admitLine(line, client);
      },
    });
  });
  server.listen(socketPath);
  await once(server, 'listening');
  const client: Socket = connect(socketPath);
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  let answers = '';
  client.on('data', (chunk: Buffer) => (answers += chunk.toString()));
  const answered = async (count: number): Promise<string[]> => {
    while (answers.split('\n').length <= count) await once(client, 'data');
    return answers.trimEnd().split('\n');
  };
  return { client, schedule, answered };
}

const FENCE = '{"cmd":"ping","req":"fence"}\n';

test.each([
  ['no JSON', () => 'no json\n'],
  ['requests beyond those that may be unanswered', (i: number) => `{"cmd":"ping","req":${i}}\n`],
  ['unknown commands', (i: number) => `{"cmd":"pong","req":${i}}\n`],
  ['bad fields', () => '{"cmd":"list","x":1}\n'],
])('of %s one line is read in each turn, and each is answered', async (_, line) => {
  const { client, schedule, answered } = await served();
  const count = 2000;
  client.write(Array.from({ length: count }, (__, i) => line(i)).join(''));
  expect(await answered(count)).toHaveLength(count);
  expect(Math.max(...schedule.linesOfTurns)).toBe(1);
});

test.each(['\n', '\r\n'])('lines that are empty (%j) are no requests', async (empty) => {
  const { client, schedule, answered } = await served();
  client.write(`${empty.repeat(65_536)}${FENCE}`);
  expect(JSON.parse((await answered(1))[0] ?? '')).toMatchObject({ ok: true, req: 'fence' });
  expect(schedule.linesOfTurns.filter((lines) => lines > 0)).toEqual([1]);
});

test.each([0, 1, 1023, 1024, 1025, 5000, 65_535, 65_536])('%d line feeds end where something else comes', (count) => {
  const feeds = '\n'.repeat(count);
  for (const before of ['', 'x', '\n']) {
    const start = before.length;
    for (const behind of ['', 'y', '\r\n', `y${'\n'.repeat(3000)}`]) {
      expect(endOfLineFeeds(Buffer.from(`${before}${feeds}${behind}`), start)).toBe(start + count);
    }
  }
});

test('a last line without its end is read once all others are', async () => {
  const { client, answered } = await served();
  client.end(`${'{"cmd":"list"}\n'.repeat(500)}{"cmd":"ping","req":"last"}`);
  expect(await answered(501)).toHaveLength(501);
});

test('a long line is parsed two turns after it has been cut, before the next one, and also if nothing ends it', async () => {
  const { client, schedule, answered } = await served();
  const long = (req: number): string => `{"cmd":"list","req":${req},"x":"${'x'.repeat(300 * 1024)}"}`;
  const refused = { ok: false, code: 'unknown_field' };
  client.write(`${long(0)}\n{"cmd":"ping","req":1}\n`);
  const [first, second] = await answered(2);
  expect(JSON.parse(first ?? '')).toMatchObject({ ...refused, req: 0 });
  expect(JSON.parse(second ?? '')).toMatchObject({ ok: true, req: 1 });
  const parsedAt = schedule.linesOfTurns.indexOf(1);
  expect(schedule.linesOfTurns.slice(parsedAt - 2, parsedAt)).toEqual([0, 0]);
  client.end(long(2));
  expect(JSON.parse((await answered(3))[2] ?? '')).toMatchObject({ ...refused, req: 2 });
});
