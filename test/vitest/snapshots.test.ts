/** Snapshots of a screen, and the fixture, in a project of somebody else's: the built package, and vitest as its user runs it. */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/client/index.js';
import { consumer, type Consumer, ROOT } from '../support/consumer.js';
import { endDaemonAt } from '../support/end-daemon.js';
import { EventStream } from '../support/wait-for.js';

const VITEST = path.join(ROOT, 'node_modules/vitest/vitest.mjs');

interface Project {
  readonly place: Consumer;
  /** Locally, where vitest writes what is missing, unless `CI` is set. */
  readonly run: (
    env?: Readonly<Record<string, string>>,
    ...args: readonly string[]
  ) => Promise<{ status: number; output: string }>;
  readonly files: (folder: string) => string[];
}

async function project(source: string): Promise<Project> {
  const place = consumer();
  onTestFinished(() => endDaemonAt(place.socketPath));
  await place.add('a.test.js', source);
  return {
    place,
    run: (env = {}, ...args) =>
      place.run(process.execPath, [VITEST, 'run', '--no-color', '--testTimeout=60000', ...args], {
        CI: '',
        GITHUB_ACTIONS: '',
        ...env,
      }),
    files: (folder) => readdirSync(place.join(folder)).toSorted((one, other) => one.localeCompare(other)),
  };
}

const SCREEN = `
import { expect } from 'vitest';
import { test } from 't4a/vitest';

test('screen', async ({ launch }) => {
  const terminal = await launch({ command: 'echo one; echo ' + process.env.WORD + '; cat', name: 'shown', cols: 20, rows: 5 });
  await terminal.waitForText(process.env.WORD);
  await expect(terminal).toMatchTerminalText();
});
`;

test('a text is compared with its snapshot, which vitest -u writes, and which in CI fails when missing', async () => {
  const { place, run, files } = await project(SCREEN);
  const snapshot = '__snapshots__/a.test.js/screen.txt';
  const missing = await run({ WORD: 'two', CI: 'true' });
  expect(missing.status).toBe(1);
  expect(missing.output).toContain(`There is no snapshot ${place.join(snapshot)}: vitest -u writes it.`);
  expect(readdirSync(place.path)).not.toContain('__snapshots__');
  rmSync(place.join('.t4a-failures'), { recursive: true });
  const written = await run({ WORD: 'two' });
  expect(written.status, written.output).toBe(0);
  expect(written.output).toMatch(/Snapshots +1 written/);
  expect(readFileSync(place.join(snapshot), 'utf8')).toBe('one\ntwo\n');
  expect(await run({ WORD: 'two', CI: 'true' })).toMatchObject({ status: 0 });
  expect(readdirSync(place.path)).not.toContain('.t4a-failures');

  const other = await run({ WORD: 'three' });
  expect(other.status).toBe(1);
  expect(other.output).toContain(`shown does not show ${place.join(snapshot)}: the texts differ.`);
  expect(stripVTControlCharacters(other.output)).toMatch(/- two\n\+ three/);
  expect(files('.t4a-failures')).toEqual(['a-screen.cast', 'a-screen.png', 'a-screen.txt']);
  expect(readFileSync(place.join('.t4a-failures/a-screen.txt'), 'utf8')).toBe('one\nthree\n');
  const updated = await run({ WORD: 'three' }, '-u');
  expect(updated.status, updated.output).toBe(0);
  expect(updated.output).toMatch(/Snapshots +1 updated/);
  expect(readFileSync(place.join(snapshot), 'utf8')).toBe('one\nthree\n');

  const client = await connect({ socketPath: place.socketPath, autoStart: false });
  expect((await client.call('list')).terminals).toEqual([]);
  await client.close();
});

/** Pictures of a terminal of 20x5 with that word, each a test. */
const PICTURES = `
import { expect } from 'vitest';
import { test } from 't4a/vitest';

const { WORD } = process.env;
const draws = (name, options = {}, size = {}) => test(name, async ({ launch }) => {
  const terminal = await launch({ command: 'echo one; echo ' + WORD + '; cat', cols: 20, rows: 5, ...size });
  await terminal.waitForText(WORD);
  await expect(terminal).toMatchTerminalPicture(options);
});
`;

const DIFFERENT = `${PICTURES}
draws('exact');
draws('older');
draws('one', { tolerance: 1 });
draws('enough', { tolerance: 128 });
draws('negative', { tolerance: -1 });
draws('of a format', { picture: { format: 'svg' } });
`;

test('a picture that differs leaves what was expected and the difference in red', async () => {
  const { place, run, files } = await project(DIFFERENT);
  const snapshot = (name: string): string => place.join(`__snapshots__/a.test.js/${name}.png`);
  const written = await run({ WORD: 'two' });
  expect(written.output).toMatch(/Tests +2 failed \| 4 passed/);
  expect(written.output).toContain('tolerance is -1: expected a number of pixels, from 0.');
  expect(written.output).toContain('A snapshot of a picture is a PNG: leave out its format.');
  writeFileSync(snapshot('older'), asOfVersion('0.0.1', readFileSync(snapshot('older'))));
  expect((await run({ WORD: 'two', CI: 'true' })).output).toMatch(/Tests +2 failed \| 4 passed/);

  rmSync(place.join('.t4a-failures'), { recursive: true, force: true, maxRetries: 5 });
  const other = await run({ WORD: 'twx' });
  expect(other.output).toMatch(/Tests +5 failed \| 1 passed/);
  const [, count, of] = /(\d+) of (\d+) pixels differ\. /.exec(other.output) ?? [];
  // One cell of 8x16 pixels, of 20x5.
  expect(Number(count)).toBeGreaterThan(5);
  expect(Number(count)).toBeLessThanOrEqual(128);
  expect(Number(of)).toBe(160 * 80);
  expect(other.output).toContain(`${count} of ${of} pixels differ, and 1 may.`);
  expect(other.output).toMatch(/pixels differ; t4a 0\.0\.1 drew the snapshot, and this is [\d.]+, whose fonts may/);
  const endings = ['actual.png', 'cast', 'diff.png', 'expected.png', 'png', 'txt'];
  expect(files('.t4a-failures').filter((name) => name.startsWith('a-exact'))).toEqual(
    endings.map((ending) => `a-exact.${ending}`),
  );
  const diff = place.join('.t4a-failures/a-exact.diff.png');
  expect(other.output).toContain(diff);
  expect(statSync(diff).mode & 0o777).toBe(0o600);
  expect(await redPixels(diff)).toBe(Number(count));
  expect((await run({ WORD: 'twx' }, '-u')).output).toMatch(/Tests +2 failed \| 4 passed/);
  expect((await run({ WORD: 'twx', CI: 'true' })).output).toMatch(/Tests +2 failed \| 4 passed/);
});

const OTHER = `${PICTURES}
const isOther = process.env.OTHER !== undefined;
draws('size', {}, isOther ? { rows: 6 } : {});
draws('font', isOther ? { picture: { profile: 'exact' } } : {});
draws('plain');
draws('none');
draws('empty');
draws('half');
`;

test('a picture of another size or font, and one that is none, is an error that says so', async () => {
  const { place, run } = await project(OTHER);
  const snapshot = (name: string): string => place.join(`__snapshots__/a.test.js/${name}.png`);
  expect(await run({ WORD: 'two' })).toMatchObject({ status: 0 });
  const drawn = readFileSync(snapshot('half'));
  // Of another program, which says nothing of cells.
  writeFileSync(snapshot('plain'), await sharp(drawn).resize(10, 10).png().toBuffer());
  writeFileSync(snapshot('none'), 'no picture');
  writeFileSync(snapshot('empty'), '');
  writeFileSync(snapshot('half'), drawn.subarray(0, drawn.length / 2));
  const { output } = await run({ WORD: 'two', OTHER: 'yes' });
  expect(output).toMatch(/Tests +6 failed/);
  const says = (name: string, words: string): void => {
    expect(output).toContain(`does not show ${snapshot(name)}: ${words}`);
  };
  says('size', 'the terminal has another size: 20x6 cells, and the snapshot has 20x5 cells. If it is right, vitest -u');
  says('font', 'its font has another size: cells of 10x20 pixels, and the snapshot has cells of 8x16 pixels.');
  says('plain', 'it has 160x80 pixels, and the snapshot 10x10.');
  for (const name of ['none', 'empty', 'half']) says(name, 'the snapshot cannot be read as a picture');
  expect(await run({ WORD: 'two' }, '-u')).toMatchObject({ status: 0 });
  expect(readFileSync(snapshot('half')).equals(drawn)).toBe(true);
});

const NAMES = `
import { launch } from 't4a';
import 't4a/vitest';
import { afterEach, describe, expect, test } from 'vitest';

const screen = async (word) => {
  const terminal = await launch({ command: 'echo ' + word + '; cat', cols: 20, rows: 3, tied: true });
  await terminal.waitForText(word);
  return terminal;
};

describe('a suite', () => {
  test('several', { retry: 1 }, async ({ task }) => {
    await using one = await screen('one');
    await using two = await screen('two');
    await expect(one).toMatchTerminalText();
    await expect(two).toMatchTerminalText();
    await expect(one).toMatchTerminalText('by name');
    expect(task.result?.retryCount).toBe(1);
  });
});

test('a + b', async () => {
  await using terminal = await screen('one');
  await expect(terminal).toMatchTerminalText();
});
test('a - b', async () => {
  await using terminal = await screen('two');
  await expect(terminal).toMatchTerminalText();
});
test('negated', async () => {
  await using terminal = await screen('two');
  await expect(terminal).not.toMatchTerminalText();
});
test('unnameable', async () => {
  await using terminal = await screen('two');
  await expect(terminal).toMatchTerminalText(5);
});
test('no terminal', () => expect('text').toMatchTerminalPicture());
`;

test('snapshots of a test have a number or a name each, those of two tests are not one', async () => {
  const { place, run, files } = await project(NAMES);
  const { output } = await run();
  expect(output).toMatch(/Tests +4 failed \| 2 passed/);
  expect(output).toContain('a-b.txt is the snapshot of another test with a similar name');
  expect(output).toContain('toMatchTerminalText cannot be used with "not"');
  expect(output).toContain('toMatchTerminalText takes a name of the snapshot, not 5');
  expect(output).toContain('toMatchTerminalPicture is for a terminal of t4a');
  const names = ['a-b.txt', 'a-suite-several-2.txt', 'a-suite-several-by-name.txt', 'a-suite-several.txt'];
  expect(files('__snapshots__/a.test.js')).toEqual(names);
  expect(readFileSync(place.join('__snapshots__/a.test.js/a-suite-several-2.txt'), 'utf8')).toBe('two\n');
});

const WAITING = `
import { expect } from 'vitest';
import { test } from 't4a/vitest';

test('waits', async ({ launch }) => {
  const terminal = await launch({ command: 'echo one; cat', name: 'slow' });
  await terminal.waitForText('three');
});
test('types', async ({ launch }) => {
  const shell = await launch({ cmd_args: ['sh'], env: { HOME: '/dev/null' } });
  const { outcome } = await shell.run('cat');
  expect(outcome).toBe('done');
});
test('compares', async ({ launch }) => {
  const terminal = await launch({ command: 'echo two; cat', name: 'other' });
  await terminal.waitForText('two');
  expect(1).toBe(2);
});
`;

test('the waits of a test end before it, and what its terminals showed is left', { timeout: 60_000 }, async () => {
  const { place, run, files } = await project(WAITING);
  const { output } = await run();
  expect(output).not.toContain('Test timed out');
  expect(output).toMatch(/Waited for .*three/);
  expect(output).toContain('| one');
  expect(output).toMatch(/Tests +3 failed/);
  expect(output).toContain('Terminal other of the failed test "compares"');
  expect(output).toContain(place.join('.t4a-failures/a-compares-other.txt'));
  expect(readFileSync(place.join('.t4a-failures/a-compares-other.txt'), 'utf8')).toBe('two\n');
  expect(files('.t4a-failures')).toEqual(
    ['a-compares-other', 'a-types-1', 'a-waits-slow'].flatMap((name) =>
      ['cast', 'png', 'txt'].map((ending) => `${name}.${ending}`),
    ),
  );
});

const KILLED = `
import { test } from 't4a/vitest';

test('killed', async ({ launch }) => {
  await launch({ command: 'cat', name: 'left' });
  process.kill(process.ppid, 'SIGKILL');
  process.kill(process.pid, 'SIGKILL');
});
`;

test('a killed run leaves no terminal', async () => {
  const { place, run } = await project(KILLED);
  // The daemon.
  await (await connect({ socketPath: place.socketPath, daemonEntry: path.join(ROOT, 'dist/daemon.cjs') })).close();
  const events = await EventStream.open(place.socketPath, { types: ['created', 'removed'] });
  const { status } = await run({}, '--pool', 'forks');
  expect(status).toBe(null);
  await events.until('created', ({ terminal }) => terminal === 'left');
  await events.until('removed', ({ terminal }) => terminal === 'left');
});

/** As that version would have written it; nothing checks the sum of the chunk. */
function asOfVersion(version: string, png: Buffer): Buffer {
  return Buffer.from(png.toString('latin1').replace(/(?<="version":")\d+\.\d+\.\d+/, version), 'latin1');
}

async function redPixels(file: string): Promise<number> {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  let count = 0;
  for (let at = 0; at < data.length; at += info.channels)
    if (data[at] === 255 && data[at + 1] === 0 && data[at + 2] === 0) count++;
  return count;
}
