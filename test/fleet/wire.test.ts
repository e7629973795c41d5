/** The same requests to a daemon and to the gateway before one: the replies differ in nothing but addresses, and in whose words an error has. */
import { mkdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { streamCli } from '../support/cli.js';
import { testFleet } from '../support/fleet.js';
import { RawConnection } from '../support/raw.js';

type Fields = Record<string, unknown>;
type Exchange = (ask: Ask) => Promise<unknown>;
type Ask = (fields: Fields) => Promise<{ readonly header: Fields; readonly bytes: Buffer }>;

/** Of no two programs, or of no two instants, the same. */
const VARIES = new Set(['pid', 'seq', 'ts', 'rev', 'started_at', 'created_at', 'tokens', 'inputs', 'req']);

/** Its own words: what the terminal echoes is no answer. */
const ANSWERING = 'while read -r line; do echo "got $line"; done';

function steady(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(steady);
  if (typeof value === 'string') return value.replace(/^x\//, '');
  if (typeof value !== 'object' || value === null) return value;
  // What a host says is quoted.
  const words = 'ok' in value && value.ok === false ? ['error', 'hint', 'closest'] : [];
  const fields = Object.entries(value)
    .filter(([name]) => !words.includes(name))
    .filter(([name]) => !VARIES.has(name) && !/_ms$|_at$|_bytes$/.test(name));
  return Object.fromEntries(fields.map(([name, one]) => [name, steady(one)]));
}

const EXCHANGES: Readonly<Record<string, Exchange>> = {
  'create, status, list and kill': async (ask) => [
    (await ask({ cmd: 'create', name: 'a', cmd_args: ['cat'], cols: 60, rows: 10, labels: { of: 'test' } })).header,
    (await ask({ cmd: 'create', name: 'a', cmd_args: ['cat'] })).header,
    (await ask({ cmd: 'wait', id: 'a', until: { cursor: {} } })).header,
    (await ask({ cmd: 'resize', id: 'a', cols: 70, rows: 12 })).header,
    (await ask({ cmd: 'list', where: { of: 'test' } })).header['terminals'],
    (await ask({ cmd: 'kill', id: 'a' })).header,
    (await ask({ cmd: 'status', id: 'a' })).header['code'],
  ],
  'type, press, wait, text, grep and cursor': async (ask) => {
    await ask({ cmd: 'create', name: 'a', command: ANSWERING });
    const answer = { wait: { until: { text: 'got héllo 漢😀' } } };
    return [
      (await ask({ cmd: 'type', id: 'a', text: 'héllo 漢😀' })).header['ok'],
      (await ask({ cmd: 'press', id: 'a', keys: ['Enter'], ...answer })).header['wait'],
      (await ask({ cmd: 'wait', id: 'a', until: { text: 'never' }, timeout_ms: 50 })).header['outcome'],
      (await ask({ cmd: 'text', id: 'a' })).header,
      (await ask({ cmd: 'grep', id: 'a', pattern: 'got h.llo' })).header,
      (await ask({ cmd: 'cursor', id: 'a' })).header,
    ];
  },
  'a picture, byte for byte': async (ask) => {
    const command = 'printf "\\033[1;31mred\\033[0m \\033[?25lplain"; exec cat';
    await ask({ cmd: 'create', name: 'a', command, wait: { until: { text: 'plain' } } });
    const { header, bytes } = await ask({ cmd: 'screenshot', id: 'a' });
    expect(bytes.toString('latin1', 1, 4)).toBe('PNG');
    return [header, bytes.toString('base64')];
  },
  'an act with a look': async (ask) => {
    await ask({ cmd: 'create', name: 'a', command: ANSWERING });
    const look = { wait: { until: { text: 'got it' } }, observe: { text: true, screenshot: true } };
    const { header, bytes } = await ask({ cmd: 'type', id: 'a', text: 'it', submit: true, ...look });
    expect(header).toMatchObject({ wait: { outcome: 'matched' } });
    expect(bytes.toString('latin1', 1, 4)).toBe('PNG');
    return header;
  },
  'run, in a new terminal': async (ask) => [
    (await ask({ cmd: 'run', command: 'seq 3; exit 3' })).header,
    (await ask({ cmd: 'run', cmd_args: ['/no/such/program'] })).header['code'],
  ],
  'what is refused': async (ask) => [
    (await ask({ cmd: 'text', id: 'none' })).header['code'],
    (await ask({ cmd: 'press', id: 'none', keys: ['NoSuchKey'] })).header,
    (await ask({ cmd: 'nothing' })).header,
    (await ask({ cmd: 'resize', id: 'none', cols: 0, rows: 1 })).header,
  ],
};

test.each(Object.entries(EXCHANGES))('%s', async (_name, exchange) => {
  const { dir, env, daemon, output } = testFleet();
  for (const name of ['x', 'y']) {
    mkdirSync(dir.join(name));
    await daemon(`${name}/t4a.sock`);
  }
  await output('hosts', 'add', 'x', `unix:${dir.join('x', 't4a.sock')}`);
  const server = streamCli(['fleet', '--socket', dir.join('fleet')], { env, cwd: dir.path });
  onTestFinished(() => void server.process.kill('SIGTERM'));
  await server.line();
  const open = (path: string): RawConnection => {
    const connection = new RawConnection(path);
    onTestFinished(() => connection.close());
    return connection;
  };
  const [plain, gateway] = [open(dir.join('y', 't4a.sock')), open(dir.join('fleet'))];
  const directly = await exchange((fields) => plain.request({ req: 1, ...fields }));
  const through = await exchange((fields) => gateway.request({ req: 1, host: 'x', ...fields }));
  expect(steady(through)).toEqual(steady(directly));
});
