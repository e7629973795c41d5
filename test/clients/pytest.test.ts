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
    assert_screen(terminal, picture="PICTURE" in os.environ)
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
    ['actual.png', 'diff.png', 'expected.png', 'shown.png', 'shown.txt']
      .map((end) => (end.startsWith('shown') ? `test_a-test_screen-${end}` : `test_a-test_screen.${end}`))
      .toSorted((one, other) => one.localeCompare(other)),
  );
  expect(await redPixels(readFileSync(dir.join('.t4a-failures/test_a-test_screen.diff.png')))).toBe(Number(count));
  const larger = await run({ ...env, ROWS: '6' });
  expect(larger.status).toBe(1);
  expect(larger.output).toContain('160x96 pixels large, and the snapshot 160x80');
  writeFileSync(dir.join('__snapshots__/test_a/test_screen.png'), 'no picture');
  expect((await run(env)).output).toMatch(/has other bytes, and cannot be compared/);
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
