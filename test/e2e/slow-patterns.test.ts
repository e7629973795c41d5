/** Patterns that take long on a screen that is a single line: they delay only their own requests. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { RawConnection } from '../support/raw.js';

/** Some three hundred steps for each character, and no match. */
const SLOW = '(?:[ab]?){150}[yz]';
/** Tried from every character to the end, each time in vain. */
const ENDLESS = '(?:a*)y|a';

let daemon: TestDaemon;
let id = '';
beforeAll(async () => {
  daemon = await startDaemon();
  const fill = "stty raw -echo; head -c 99000 /dev/zero | tr '\\0' a; printf end; cat";
  const created = await request(daemon, {
    cmd: 'create',
    cols: 1000,
    rows: 100,
    cmd_args: ['sh', '-c', fill],
    wait: { until: { text: 'end' }, timeout_ms: 60_000 },
  });
  id = String(created['id']);
  expect(created).toMatchObject({ wait: { outcome: 'matched' } });
});
afterAll(() => daemon.stop());

test.each([
  ['find', { cmd: 'find', regex: SLOW }, { ok: true, total: 0 }],
  ['grep', { cmd: 'grep', pattern: SLOW }, { ok: true, total: 0 }],
  ['a screenshot with a mark', { cmd: 'screenshot', mark: [{ regex: SLOW }] }, { ok: true, format: 'png' }],
  ['mouse', { cmd: 'mouse', action: 'click', on_regex: SLOW }, { ok: false, code: 'no_match' }],
  ['wait', { cmd: 'wait', until: { regex: SLOW }, timeout_ms: 300 }, { ok: true, outcome: 'timeout' }],
  [
    'a press that waits',
    { cmd: 'press', keys: ['x'], wait: { until: { regex: SLOW }, timeout_ms: 300 } },
    { ok: true },
  ],
])('%s is answered after later requests', async (_, fields, answer) => {
  const connection = new RawConnection(daemon.socketPath);
  connection.write(
    [{ ...fields, id, req: 'slow' }, ...[1, 2, 3].map((req) => ({ cmd: 'ping', req }))]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );
  const headers = [];
  for (let i = 0; i < 4; i++) headers.push((await connection.reply()).header);
  connection.close();
  // Of the text alone grep is done within the turn in which it begins, and lines behind it are cut in later ones.
  const expected = fields.cmd === 'grep' ? headers.map(({ req }) => req) : [1, 2, 3, 'slow'];
  expect(headers.map(({ req }) => req)).toEqual(expected);
  expect(headers.find(({ req }) => req === 'slow')).toMatchObject(answer);
  for (const req of [1, 2, 3]) expect(headers).toContainEqual(expect.objectContaining({ req, ok: true }));
});

test('a pattern of two thousand instructions is refused, and one of fewer is searched for', async () => {
  const grep = (pattern: string) => request(daemon, { cmd: 'grep', id, pattern });
  expect(await grep('x{990}y{990}')).toMatchObject({ ok: true, matches: [] });
  expect(await grep('x{1000}y{1000}')).toMatchObject({ ok: false, code: 'bad_regex', field: 'pattern' });
});

test('a picture with too many boxes is refused, with the mark that has them', async () => {
  const mark = [{ row: 0, col: 0, rows: 1, cols: 1 }, { regex: 'end' }, { regex: '.' }];
  const refused = await request(daemon, { cmd: 'screenshot', id, mark });
  expect(refused).toMatchObject({ ok: false, code: 'invalid_field', field: 'mark.2' });
  expect(refused['error']).toMatch(/has 990\d\d matches/);
});

test('a search stops when its connection closes', async () => {
  const connection = new RawConnection(daemon.socketPath);
  connection.write(`${JSON.stringify({ cmd: 'mouse', action: 'click', id, on_regex: ENDLESS, req: 'endless' })}\n`);
  expect((await connection.request({ cmd: 'ping', req: 1 })).header).toMatchObject({ req: 1 });
  // It keeps other input waiting meanwhile.
  const input = request(daemon, { cmd: 'send', id, input: 'x' });
  connection.close();
  expect(await input).toMatchObject({ ok: true });
});

test('a pattern of a million instructions is refused as bad_regex', async () => {
  const refused = await request(daemon, { cmd: 'grep', id, pattern: `(?:${'ab'.repeat(490)}){1000}` });
  expect(refused).toMatchObject({ ok: false, code: 'bad_regex', field: 'pattern' });
});
