/** `scripts/test-again.mjs` over made-up projects: what it prints of chance, failures, crashes and hangs, and its exit status. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../support/consumer.js';
import { execute } from '../support/execute.js';
import { tempDir, type TempDir } from '../support/temp-dir.js';
import { inTrial } from '../support/trial.js';

const SCRIPT = path.join(ROOT, 'scripts/test-again.mjs');
const LINES = /^(?:once more|unstable|failed|crash|hang|unhandled error|more than).*$/gm;

/** Passes from its second run on. */
const AT_FIRST = `
import { existsSync, writeFileSync } from 'node:fs';
const isFirst = !existsSync('ran');
writeFileSync('ran', '');
`;

test('a test that fails twice, or does not run the second time, fails the check', async () => {
  const { status, lines } = await check({
    'twice.test.mjs': `${AT_FIRST}
      test('fails', () => expect(1).toBe(2));
      test.skipIf(!isFirst)('is skipped then', () => expect(1).toBe(2));
      if (isFirst) test('is gone then', () => expect(1).toBe(2));
      describe('suite', () => { beforeAll(() => { if (isFirst) throw new Error('no'); }); test('waits', () => {}); });
      test('fails then', () => expect(isFirst).toBe(true));`,
  });
  expect(lines).toEqual([
    'once more, alone: twice.test.mjs',
    'unstable: twice.test.mjs: hooks of suite',
    'failed, and did not run again: twice.test.mjs: is skipped then',
    'failed, and did not run again: twice.test.mjs: is gone then',
    'failed again: twice.test.mjs: fails',
    'failed only in the second run: twice.test.mjs: fails then',
  ]);
  expect(status).toBe(1);
});

inTrial(() => {
  test('a test that fails once is named as unstable, and the check passes', async () => {
    const { status, lines } = await check({
      'chance.test.mjs': `${AT_FIRST} describe('chance', () => test('fails first', () => expect(isFirst).toBe(false))); test('passes', () => {});`,
      'sound.test.mjs': `test('passes', () => {});`,
    });
    expect(lines).toEqual(['once more, alone: chance.test.mjs', 'unstable: chance.test.mjs: chance > fails first']);
    expect(status).toBe(0);
  });

  test('a crash, a hang, an unhandled error and a file that cannot be loaded fail the check without a second run', async () => {
    const { status, lines } = await check({
      'crash.test.mjs': `test('ends its process', () => process.kill(process.pid, 'SIGKILL'));`,
      'hang.test.mjs': `test('waits', () => new Promise(() => {}), 50);`,
      'hook.test.mjs': `beforeAll(() => new Promise(() => {}), 50); test('is not reached', () => {});`,
      'load.test.mjs': `throw new Error('not today');`,
      'unhandled.test.mjs': `test('lets one go', () => void Promise.reject(new Error('on the loose')));`,
    });
    expect(lines.toSorted()).toEqual([
      'crash: [vitest-pool]: Worker forks emitted error. Worker exited unexpectedly in crash.test.mjs',
      'crash: load.test.mjs could not be loaded: not today',
      'hang: hang.test.mjs: waits: Test timed out in 50ms.',
      'hang: hook.test.mjs: hooks of the file: Hook timed out in 50ms.',
      'unhandled error: on the loose',
    ]);
    expect(status).toBe(1);
  });

  test('a run that takes longer than its bound is ended and named', async () => {
    const files = { 'endless.test.mjs': `test('does not end', () => { for (;;); });` };
    const { status, lines } = await check(files, ['--bound-seconds=1']);
    expect(lines).toEqual(['hang: the run took more than 1 s and was ended']);
    expect(status).toBe(1);
  });

  test('a signal ends the processes of the tests too', async () => {
    const dir = tempDir();
    project(dir, {
      'endless.test.mjs': `
      import { connect } from 'node:net';
      test('does not end', () => new Promise(() => {
        const socket = connect(${JSON.stringify(dir.socketPath)}, () => socket.write('here', () => { for (;;); }));
      }));`,
    });
    await using server = createServer().listen(dir.socketPath);
    await once(server, 'listening');
    const script = spawn(process.execPath, [SCRIPT], {
      cwd: dir.path,
      env: environmentIn(dir),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    onTestFinished(() => void script.kill('SIGTERM'));
    const exited = once(script, 'exit');
    const [worker] = (await once(server, 'connection')) as [NodeJS.ReadableStream];
    await once(worker, 'readable');
    script.kill('SIGTERM');
    // The connection ends with the process that has it.
    expect(await text(worker)).toBe('here');
    expect(await exited).toEqual([143, null]);
  });
});

interface Checked {
  readonly status: number | string;
  /** Those of the script itself. */
  readonly lines: string[];
}

async function check(files: Readonly<Record<string, string>>, args: readonly string[] = []): Promise<Checked> {
  const dir = tempDir();
  project(dir, files);
  const options = { cwd: dir.path, env: environmentIn(dir) };
  const { status, stdout, stderr } = await execute(process.execPath, [SCRIPT, ...args], options);
  expect(stdout, stderr).not.toContain('[vitest-pool]: Failed');
  return { status, lines: stdout.match(LINES) ?? [] };
}

function project(dir: TempDir, files: Readonly<Record<string, string>>): void {
  mkdirSync(dir.join('node_modules'));
  writeFileSync(dir.join('vitest.config.mjs'), 'export default { test: { globals: true, maxWorkers: 2 } };');
  for (const [name, source] of Object.entries(files)) writeFileSync(dir.join(name), source);
}

/** A vitest that is killed leaves its temporary files. */
function environmentIn({ path: dir }: TempDir): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: dir, TMPDIR: dir, NO_COLOR: '1' };
}
