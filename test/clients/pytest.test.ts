/** The plugin of pytest: what its tests see, and what a failed one leaves. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { expect, onTestFinished } from 'vitest';
import { CLI } from '../support/cli.js';
import { clientOfOwnDaemon } from '../support/launch.js';
import { itNeeds } from '../support/programs.js';
import { tempDir } from '../support/temp-dir.js';

const PYTHON_CLIENT = fileURLToPath(new URL('../../clients/python/', import.meta.url));

async function project(body: string) {
  const client = await clientOfOwnDaemon();
  const dir = tempDir();
  writeFileSync(dir.join('test_a.py'), body);
  writeFileSync(dir.join('pytest.ini'), '[pytest]\n');
  const run = async (env: Readonly<Record<string, string>> = {}, ...args: readonly string[]) => {
    const child = spawn('pytest', ['-q', '-p', 't4a.pytest_plugin', '-p', 'no:cacheprovider', ...args], {
      cwd: dir.path,
      env: {
        ...process.env,
        PYTHONPATH: PYTHON_CLIENT,
        PYTHONDONTWRITEBYTECODE: '1',
        // Those of this machine, which take seconds to load.
        PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1',
        T4A_SOCKET: client.socketPath,
        T4A_COMMAND: JSON.stringify([process.execPath, CLI]),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void (child.exitCode === null && child.kill('SIGKILL')));
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [status] = (await once(child, 'close')) as [number];
    return { status, output };
  };
  return { client, dir, run };
}

const SCREEN = `
import os

def test_screen(t4a_launch, assert_screen):
    terminal = t4a_launch("echo one; echo $WORD; cat", name="shown", cols=20, rows=5)
    terminal.wait_for_text(os.environ["WORD"])
    assert_screen(terminal)
`;

itNeeds('pytest')(
  'a text is compared with its snapshot, which is written when asked for, and fails when missing',
  async () => {
    const { client, dir, run } = await project(SCREEN);
    const missing = await run({ WORD: 'two' });
    expect(missing.status).toBe(1);
    expect(missing.output).toMatch(/There is no snapshot .*test_screen\.txt: pytest --t4a-update writes it/);
    expect(await run({ WORD: 'two' }, '--t4a-update')).toMatchObject({ status: 0 });
    expect(readFileSync(dir.join('__snapshots__/test_a/test_screen.txt'), 'utf8')).toBe('one\ntwo\n');
    rmSync(dir.join('.t4a-failures'), { recursive: true });
    expect(await run({ WORD: 'two' })).toMatchObject({ status: 0 });
    expect(readdirSync(dir.path)).not.toContain('.t4a-failures');
    const other = await run({ WORD: 'three' });
    expect(other.status).toBe(1);
    expect(other.output).toContain('-two\n+three');
    expect(other.output).toContain('What shown showed: ');
    expect(readFileSync(dir.join('.t4a-failures/test_a-test_screen-shown.txt'), 'utf8')).toBe('one\nthree\n');
    expect((await client.call('list')).terminals).toEqual([]);
  },
);

/** Pictures of a terminal of 20x5 with that word. */
const PICTURES = `
import os
import pytest

@pytest.fixture
def draws(t4a_launch, assert_screen):
    def check(picture=True, rows=5, **fields):
        terminal = t4a_launch("echo one; echo $WORD; cat", name="shown", cols=20, rows=rows)
        terminal.wait_for_text(os.environ["WORD"])
        assert_screen(terminal, picture=picture, **fields)
    return check
`;

const DIFFERENT = `${PICTURES}
def test_exact(draws): draws()
def test_older(draws): draws()
def test_one(draws): draws(tolerance=1)
def test_enough(draws): draws(tolerance=128)
def test_negative(draws): draws(tolerance=-1)
def test_of_a_format(draws): draws({"format": "svg"})
`;

itNeeds('pytest')('a picture that differs leaves what was expected and the difference in red', async () => {
  const { dir, run } = await project(DIFFERENT);
  const written = await run({ WORD: 'two' }, '--t4a-update');
  expect(written.output).toContain('2 failed, 4 passed');
  expect(written.output).toContain('tolerance is -1: expected a number of pixels, from 0.');
  expect(written.output).toContain('A snapshot of a picture is a PNG: leave out its format.');
  const older = dir.join('__snapshots__/test_a/test_older.png');
  const ofOlder = readFileSync(older)
    .toString('latin1')
    .replace(/(?<="version": ")\d+\.\d+\.\d+/, '0.0.1');
  writeFileSync(older, Buffer.from(ofOlder, 'latin1'));
  expect((await run({ WORD: 'two' })).output).toContain('2 failed, 4 passed');

  rmSync(dir.join('.t4a-failures'), { recursive: true, force: true, maxRetries: 5 });
  const { output } = await run({ WORD: 'twx' });
  expect(output).toContain('5 failed, 1 passed');
  const [, count, of] = /(\d+) of (\d+) pixels differ\. /.exec(output) ?? [];
  // One cell of 8x16 pixels, of 20x5.
  expect(Number(count)).toBeGreaterThan(5);
  expect(Number(count)).toBeLessThanOrEqual(128);
  expect(Number(of)).toBe(160 * 80);
  expect(output).toContain(`${count} of ${of} pixels differ, and 1 may.`);
  expect(output).toMatch(/pixels differ; t4a 0\.0\.1 drew the snapshot, and this is [\d.]+, whose fonts may differ/);
  const kept = readdirSync(dir.join('.t4a-failures')).filter((name) => name.startsWith('test_a-test_exact'));
  const ends = ['-shown.cast', '-shown.png', '-shown.txt', '.actual.png', '.diff.png', '.expected.png'];
  expect(new Set(kept)).toEqual(new Set(ends.map((end) => `test_a-test_exact${end}`)));
  expect(await redPixels(readFileSync(dir.join('.t4a-failures/test_a-test_exact.diff.png')))).toBe(Number(count));
});

const OTHER = `${PICTURES}
is_other = "OTHER" in os.environ
def test_size(draws): draws(rows=6 if is_other else 5)
def test_font(draws): draws({"profile": "exact"} if is_other else True)
def test_plain(draws): draws()
def test_none(draws): draws()
def test_empty(draws): draws()
def test_half(draws): draws()
`;

itNeeds('pytest')('a picture of another size or font, and one that is none, is an error that says so', async () => {
  const { dir, run } = await project(OTHER);
  const snapshot = (name: string): string => dir.join(`__snapshots__/test_a/test_${name}.png`);
  expect(await run({ WORD: 'two' }, '--t4a-update')).toMatchObject({ status: 0 });
  const drawn = readFileSync(snapshot('half'));
  // Of another program, which says nothing of cells.
  writeFileSync(snapshot('plain'), await createCanvas(10, 10).encode('png'));
  writeFileSync(snapshot('none'), 'no picture');
  writeFileSync(snapshot('empty'), '');
  writeFileSync(snapshot('half'), drawn.subarray(0, drawn.length / 2));
  const { output } = await run({ WORD: 'two', OTHER: 'yes' });
  expect(output).toContain('6 failed');
  const says = (name: string, words: string): void => {
    expect(output).toContain(`does not show ${snapshot(name)}: ${words}`);
  };
  says('size', 'the terminal has another size: 20x6 cells, and the snapshot has 20x5 cells.');
  says('font', 'its font has another size: cells of 10x20 pixels, and the snapshot has cells of 8x16 pixels.');
  says('plain', 'it has 160x80 pixels, and the snapshot 10x10.');
  for (const name of ['none', 'empty', 'half']) says(name, 'the snapshot cannot be read as a picture');
  expect(await run({ WORD: 'two' }, '--t4a-update')).toMatchObject({ status: 0 });
  expect(readFileSync(snapshot('half')).equals(drawn)).toBe(true);
});

async function redPixels(png: Uint8Array): Promise<number> {
  const image = await loadImage(png);
  const context = createCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  let count = 0;
  for (let at = 0; at < data.length; at += 4) if (data[at] === 255 && data[at + 1] === 0 && data[at + 2] === 0) count++;
  return count;
}
