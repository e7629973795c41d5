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
    terminal = t4a_launch("echo one; echo $WORD; cat", name="shown", cols=20, rows=int(os.environ.get("ROWS", 5)))
    terminal.wait_for_text(os.environ["WORD"])
    profile = os.environ.get("PROFILE")
    picture = {"profile": profile} if profile else "PICTURE" in os.environ
    assert_screen(terminal, picture=picture, tolerance=int(os.environ.get("TOLERANCE", 0)))
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

itNeeds('pytest')('a picture that differs leaves what was expected and the difference in red', async () => {
  const { dir, run } = await project(SCREEN);
  const env = { PICTURE: '1', WORD: 'two' };
  expect(await run(env, '--t4a-update')).toMatchObject({ status: 0 });
  expect(await run(env)).toMatchObject({ status: 0 });
  const other = await run({ ...env, WORD: 'twx' });
  expect(other.status).toBe(1);
  const [, count, of] = /(\d+) of (\d+) pixels differ/.exec(other.output) ?? [];
  // One cell of 8x16 pixels, of 20x5.
  expect(Number(count)).toBeGreaterThan(5);
  expect(Number(count)).toBeLessThanOrEqual(128);
  expect(Number(of)).toBe(160 * 80);
  const kept = readdirSync(dir.join('.t4a-failures')).toSorted((one, other) => one.localeCompare(other));
  expect(kept).toEqual(
    ['actual.png', 'diff.png', 'expected.png', 'shown.cast', 'shown.png', 'shown.txt']
      .map((end) => (end.startsWith('shown') ? `test_a-test_screen-${end}` : `test_a-test_screen.${end}`))
      .toSorted((one, other) => one.localeCompare(other)),
  );
  expect(await redPixels(readFileSync(dir.join('.t4a-failures/test_a-test_screen.diff.png')))).toBe(Number(count));
  expect(await run({ ...env, WORD: 'twx', TOLERANCE: count ?? '' })).toMatchObject({ status: 0 });
  expect((await run({ ...env, WORD: 'twx', TOLERANCE: String(Number(count) - 1) })).output).toMatch(/, and \d+ may\./);
  expect((await run({ ...env, TOLERANCE: '-1' })).output).toContain('tolerance is -1: expected a number of pixels');
});

itNeeds('pytest')('a picture of another size or font, and one that is none, is an error that says so', async () => {
  const { dir, run } = await project(SCREEN);
  const env = { PICTURE: '1', WORD: 'two' };
  expect(await run(env, '--t4a-update')).toMatchObject({ status: 0 });
  const says = async (given: Readonly<Record<string, string>>, words: string): Promise<void> => {
    const { status, output } = await run({ ...env, ...given });
    expect(status).toBe(1);
    expect(output).toContain(words);
  };
  await says({ ROWS: '6' }, 'the terminal has another size: 20x6 cells, and the snapshot has 20x5 cells');
  const font = 'its font has another size: cells of 10x20 pixels, and the snapshot has cells of 8x16 pixels';
  await says({ PROFILE: 'exact' }, font);
  const snapshot = dir.join('__snapshots__/test_a/test_screen.png');
  const drawn = readFileSync(snapshot);
  // Of another program, which says nothing of cells.
  const plain = await createCanvas(10, 10).encode('png');
  for (const [content, words] of [
    [plain, 'it has 160x80 pixels, and the snapshot 10x10'],
    [Buffer.from('no picture'), 'the snapshot cannot be read as a picture'],
    [Buffer.alloc(0), 'the snapshot cannot be read as a picture'],
    [drawn.subarray(0, drawn.length / 2), 'the snapshot cannot be read as a picture'],
  ] as const) {
    writeFileSync(snapshot, content);
    await says({}, words);
  }
  expect(await run(env, '--t4a-update')).toMatchObject({ status: 0 });
  expect(readFileSync(snapshot).equals(drawn)).toBe(true);
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
