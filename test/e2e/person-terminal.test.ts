/** What every command writes to the terminal of a person: of a program, a file, a name or an error no more than text, SGR and links to the web. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OUTER, OUTER_WITH_VALUE } from '../../src/mirror/outer-sequences.js';
import { castV3 } from '../history/recording/recordings.js';
import { CLI } from '../support/cli.js';
import { useCliDaemon } from '../support/cli-daemon.js';
import { request } from '../support/daemon.js';
import { rawRequest } from '../support/raw.js';
import { tempDir } from '../support/temp-dir.js';
import { EventStream } from '../support/wait-for.js';

const cli = useCliDaemon();

/** A terminal that obeys it would set its title, write its clipboard, ring, send its cursor, link to a file, and turn text around. */
const HOSTILE = [
  '\x1b]0;OWNED\x07',
  '\x1b]52;c;T1dORUQ=\x1b\\',
  '\x1b]9;OWNED\x07',
  '\x1bP$qm\x1b\\',
  '\x1b_Ga=T;AAAA\x1b\\',
  '\x1b]8;;file:///OWNED\x1b\\file\x1b]8;;\x1b\\',
  '\x1b]8;;javascript:OWNED\x1b\\script\x1b]8;;\x1b\\',
  '\x1b]8;;https://a.example/\x1b\\web\x1b]8;;\x1b\\',
  '\x1b[6n\x1b[21t\x1b[?1000h\x1b[?2004h\x1b[5i',
  '\u009b6n\u009d52;c;eA==\u009c',
  '\x07\u202eturned\u202c',
  '\x1b#6\x1b[1;31mred',
].join('');

/** As an argument, a name or a label: whatever the wire takes. */
const WORDS = 'w\x1b]52;c;eA==\x07\u009b6n\u202ex';

let place = '';
let recording = '';

beforeAll(async () => {
  const dir = tempDir(afterAll);
  place = dir.join(`d\x1b]0;OWNED\x07`);
  mkdirSync(place);
  recording = dir.join('hostile.cast');
  writeFileSync(
    recording,
    castV3([
      [0, 'o', `${HOSTILE}\r\nlast`],
      [1, 'm', WORDS],
      [2, 'o', '\r\nEND'],
      [3, 'x', '0'],
    ]),
  );
  writeFileSync(`${place}/bad.cast`, `{"version":3,"${WORDS}":\n`);
  const script = 'printf "%s\\r\\n" "$HOSTILE"; printf "\\033]2;%s\\007READY" "$HOSTILE"; exec cat';
  const made = await request(cli.daemon, {
    cmd: 'create',
    name: 'evil',
    cwd: place,
    title: WORDS,
    env: { HOSTILE },
    record: true,
    cmd_args: ['sh', '-c', script, WORDS],
  });
  expect(made).toMatchObject({ ok: true });
  expect(await request(cli.daemon, { cmd: 'wait', id: 'evil', until: { text: 'READY' } })).toMatchObject({ ok: true });
  for (const fields of [
    { cmd: 'marker', id: 'evil', label: WORDS },
    { cmd: 'trigger', id: 'evil', name: 'x', when: [{ text: WORDS }], do: [{ notify: WORDS }] },
    { cmd: 'publish', name: 'evil', data: WORDS },
    { cmd: 'ask', question: WORDS, id: 'evil', as: 'agent', timeout_ms: 0 },
  ]) {
    expect(await request(cli.daemon, fields)).toMatchObject({ ok: true });
  }
});

let count = 0;

/** All bytes that the command line writes on a terminal, in which keys are pressed once it shows a text. */
async function written(
  args: readonly string[],
  press?: { readonly at: string; readonly keys: readonly string[] },
): Promise<string> {
  const events = await EventStream.open(cli.daemon.socketPath, { types: ['exit'] });
  const id = `person${++count}`;
  await request(cli.daemon, {
    cmd: 'create',
    name: id,
    cols: 200,
    rows: 40,
    cwd: place,
    cmd_args: [process.execPath, CLI, '--socket', cli.daemon.socketPath, ...args],
  });
  if (press !== undefined) {
    const wait = await request(cli.daemon, { cmd: 'wait', id, until: { text: press.at } });
    expect(wait, JSON.stringify(wait)).toMatchObject({ outcome: 'matched' });
    await request(cli.daemon, { cmd: 'press', id, keys: press.keys });
  }
  await events.until('exit', (event) => event['terminal'] === id);
  events.close();
  const { bytes } = await rawRequest(cli.daemon.socketPath, { cmd: 'output', id, max_bytes: 1 << 20 });
  await request(cli.daemon, { cmd: 'kill', id });
  return bytes.toString();
}

const literal = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/** Each as it is, or with other numbers. */
const pattern = (text: string): string => literal(text).replaceAll(/\d+/g, String.raw`\d*`);

const SGR = String.raw`\x1b\[[\d;:]*m`;
const LINK = String.raw`\x1b\]8;[\w=:-]*;(?:(?:https?:|mailto:)[!-~]*)?\x1b\\`;

/** What remains once all is gone that may be written: text without controls. */
function unexpected(output: string, writers: readonly string[]): string[] {
  const own = Object.values({ ...OUTER, ...OUTER_WITH_VALUE })
    .filter((row) => row.by.split(', ').some((by) => by === 'all' || writers.includes(by)))
    .flatMap((row) => [row.on, 'off' in row ? row.off : ''])
    .filter(
      (sequence) =>
        sequence !== '' && sequence !== OUTER_WITH_VALUE.link.on && sequence !== OUTER_WITH_VALUE.notification.on,
    )
    .map(pattern);
  const notification = writers.includes('attach') ? [String.raw`\x1b\]9;t4a[ -~]*\x07`] : [];
  const allowed = new RegExp([SGR, LINK, ...own, ...notification].join('|'), 'g');
  const rest = output.replaceAll(allowed, '');
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  return rest.match(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069].{0,20}/g) ?? [];
}

const DONE = { at: 'READY', keys: ['q'] };

const COMMANDS: readonly [
  args: readonly string[],
  press?: { readonly at: string; readonly keys: readonly string[] },
][] = [
  [['text', 'evil']],
  [['text', 'evil', '--format', 'ansi', '--region', 'all']],
  [['text', 'evil', '--format', 'html']],
  [['text', 'evil', '--format', 'cells']],
  [['text', 'evil', '--links', '--highlights']],
  [['text', 'evil', '--json', '--format', 'ansi']],
  [['output', 'evil', '--since', '0']],
  [['output', 'evil', '--since', '0', '--json']],
  [['grep', 'evil', '.']],
  [['find', 'evil', 'file']],
  [['seek', 'evil', 'file']],
  [['list', '--long']],
  [['list', '--json']],
  [['status', 'evil']],
  [['status', 'evil', '--json']],
  [['commands', 'evil']],
  [['debug', 'evil']],
  [['entries', 'evil']],
  [['film', 'evil', '--from', 'start']],
  [['film', 'evil', '--output', '-']],
  [['screenshot', 'evil', '--output', '-']],
  [['asks']],
  [['triggers']],
  [['trigger', 'evil', '--when', `text=${WORDS}`, '--notify', WORDS]],
  [['control', 'evil']],
  [['ports', 'evil']],
  [['recordings']],
  [['recordings', '--json']],
  [['rules']],
  [['cursor', 'evil']],
  [['config']],
  [['label', 'evil', '--set', `b=${WORDS}`]],
  [['publish', WORDS, WORDS]],
  [['marker', 'evil', WORDS]],
  [['wait', 'evil', '--text', 'READY']],
  [['wait', 'evil', '--text', 'READY', '--json']],
  [['press', 'evil', 'Enter', '--text']],
  [['run', '--', 'printf', '%s\\n', HOSTILE]],
  [['run', '--max-lines', '5', '--', 'printf', '%s\\n', HOSTILE]],
  [['run', '--json', '--', 'printf', '%s\\n', HOSTILE]],
  [['run', '--cwd', WORDS, '--', WORDS]],
  [['events', '--since', '0'], { at: '"marker"', keys: ['Ctrl+C'] }],
  [['text', WORDS]],
  [['text', 'evil', '--region', WORDS]],
  [[WORDS]],
  [['help', WORDS]],
  [[`--${WORDS}`]],
  [['open', 'bad.cast']],
  [['open', WORDS]],
  [['play', 'bad.cast']],
  [['export', WORDS, '--output', WORDS]],
  [['--on', WORDS, 'list']],
  [['hosts', 'add', WORDS, WORDS]],
];

/** Names of tests are printed on terminals, too. */
const nameOf = (args: readonly string[]): string =>
  args.map((word) => word.replace(HOSTILE, 'OUTPUT').replace(WORDS, 'WORDS')).join(' ');

describe('on the terminal of a person', () => {
  test.each(COMMANDS.map(([args, press]) => [nameOf(args), args, press] as const))(
    't4a %s writes text, SGR and links to the web',
    async (_name, args, press) => {
      const output = await written(args, press);
      expect(unexpected(output, [])).toEqual([]);
    },
  );

  test('play --plain writes text, colours, and moves within the line', async () => {
    const output = await written(['play', recording, '--plain']);
    expect(unexpected(output, ['play --plain'])).toEqual([]);
    expect(output).toContain('red');
  });

  test('export of a text writes text', async () => {
    const output = await written(['export', recording, '--output', '-', '--format', 'text']);
    expect(unexpected(output, ['export'])).toEqual([]);
    expect(output).toContain('red');
  });

  test('play draws rows of text with sequences of its own', async () => {
    const output = await written(['play', recording, '--speed', '64'], { at: 'END', keys: ['q'] });
    expect(unexpected(output, ['play'])).toEqual([]);
    expect(output).toContain('https://a.example/');
  });

  test('view draws rows of text with sequences of its own', async () => {
    expect(unexpected(await written(['view', 'evil'], DONE), ['view'])).toEqual([]);
  });

  test('attach draws rows of text with sequences of its own', async () => {
    const leave = { at: 'READY', keys: ['Ctrl+B', 'd'] };
    expect(unexpected(await written(['attach', 'evil'], leave), ['attach'])).toEqual([]);
  });

  test('what a program has sent is found by this test', () => {
    expect(unexpected(HOSTILE, ['attach']).length).toBeGreaterThan(5);
    expect(unexpected('\x1b]8;;file:///a\x1b\\', ['attach', 'play', 'view'])).not.toEqual([]);
    expect(unexpected('\x1b]9;4;1;50\x07', ['attach', 'play', 'view'])).not.toEqual([]);
  });
});
