/** Evidence of a real failing build, as a person gets it. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { CLI, runCli } from '../support/cli.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { itNeeds } from '../support/programs.js';
import { tempDir, type TempDir } from '../support/temp-dir.js';
import { toolsOverMcp } from '../support/tool-doors.js';

async function withDaemon(env: Record<string, string> = {}): Promise<TestDaemon> {
  const daemon = await startDaemon({ env: { LC_ALL: 'C.UTF-8', ...env } });
  onTestFinished(() => daemon.stop());
  return daemon;
}

const KEY = 'AKIAIOSFODNN7EXAMPLE';

/** A shell in which a build has failed. */
async function failedBuild(daemon: TestDaemon, dir: TempDir): Promise<string> {
  writeFileSync(
    dir.join('Makefile'),
    `all:\n\t@echo building a_b with key ${KEY}\n\t@echo 'main.c:3: error: expected ;'\n\t@false\n`,
  );
  const { id } = await request(daemon, {
    cmd: 'create',
    name: 'build',
    cmd_args: ['bash'],
    cwd: dir.path,
    env: { HOME: dir.path, PS1: '$ ' },
    cols: 60,
    rows: 12,
    wait: { until: { done: true } },
  });
  for (const command of ['echo start | cat', 'make'])
    expect(await request(daemon, { cmd: 'run', id, command })).toMatchObject({ ok: true });
  return id as string;
}

const evidence = (daemon: TestDaemon, dir: TempDir, ...args: string[]) =>
  runCli(['--socket', daemon.socketPath, 'evidence', ...args], { cwd: dir.path });

itNeeds('bash', 'make')(
  'evidence has the film, the last screen, the transcript and each command with its status and time',
  async () => {
    const [daemon, dir] = [await withDaemon(), tempDir()];
    await failedBuild(daemon, dir);
    const { stdout, stderr, status } = await evidence(daemon, dir, 'build');
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: `${dir.join('evidence-build')}: film.gif, last.png, transcript.txt, README.md\n`,
    });
    expect(stderr).toContain(`gh pr comment --body-file ${dir.join('evidence-build')}/README.md`);
    const page = readFileSync(dir.join('evidence-build/README.md'), 'utf8');
    expect(page).toMatch(/\| <code>echo start &#124; cat<\/code> \| 0 \| \d{4}-\d\d-\d\dT\S+Z \| \d+\.\d s \|/);
    expect(page).toMatch(/\| <code>make<\/code> \| 2 \|/);
    expect(page).toContain('![Film](film.gif)');
    expect(page).toContain('![Last screen](last.png)');
    expect(page).toContain('main.c:3: error: expected ;');
    expect(page).toContain('No secrets were looked for.');
    expect(readFileSync(dir.join('evidence-build/transcript.txt'), 'utf8')).toContain(KEY);
    expect(await sharp(dir.join('evidence-build/last.png')).metadata()).toMatchObject({
      format: 'png',
      width: 600,
      height: 240,
    });
    expect((await sharp(dir.join('evidence-build/film.gif'), { pages: -1 }).metadata()).pages).toBeGreaterThan(1);
  },
);

itNeeds('bash', 'make')('evidence from a moment has the commands from there on', async () => {
  const [daemon, dir] = [await withDaemon(), tempDir()];
  await failedBuild(daemon, dir);
  const { status, stdout } = await evidence(
    daemon,
    dir,
    'build',
    '--from',
    'command:-1:start',
    '-o',
    'proof',
    '--json',
  );
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ output: dir.join('proof'), commands: 1, masked: null });
  expect(readFileSync(dir.join('proof/README.md'), 'utf8')).not.toContain('<code>echo');
});

itNeeds('bash', 'make')('evidence has no secret in any file, and says how many were masked', async () => {
  const daemon = await withDaemon();
  const dir = tempDir();
  await failedBuild(daemon, dir);
  const env = { T4A_REDACT: '{"known":true}' };
  const { status } = await runCli(['--socket', daemon.socketPath, 'evidence', 'build'], { cwd: dir.path, env });
  expect(status).toBe(0);
  for (const name of readdirSync(dir.join('evidence-build'))) {
    expect({ name, has: readFileSync(dir.join('evidence-build', name)).includes(KEY) }).toEqual({ name, has: false });
  }
  expect(readFileSync(dir.join('evidence-build/README.md'), 'utf8')).toContain('Secrets that were masked: 1.');
});

test('evidence of an ended terminal without a shell has its program and its status', async () => {
  const [daemon, dir] = [await withDaemon(), tempDir()];
  await request(daemon, {
    cmd: 'create',
    name: 'one',
    cmd_args: ['sh', '-c', `echo '\`\`\`'; echo done; exit 3`],
    wait: { until: { exit: true } },
  });
  expect((await evidence(daemon, dir, 'one')).status).toBe(0);
  const page = readFileSync(dir.join('evidence-one/README.md'), 'utf8');
  expect(page).toMatch(/\| <code>sh -c echo '&#96;&#96;&#96;'; echo done; exit 3<\/code> \| 3 \|/);
  expect(page).toMatch(/\n````text\n[^]*done[^]*\n````\n/);
});

test('evidence and exports of a recording from before t4a config set redact have no secret', async () => {
  const [daemon, dir] = [await withDaemon({ MY_TOKEN: 'of-the-daemon-9' }), tempDir()];
  const file = dir.join('one.cast');
  await request(daemon, {
    cmd: 'create',
    name: 'one',
    cmd_args: ['sh', '-c', `read x; printf '%s\\n' ${KEY}; read x`],
  });
  await request(daemon, { cmd: 'record', id: 'one', path: file });
  await request(daemon, { cmd: 'send', id: 'one', input: '\n', wait: { until: { text: KEY } } });
  await request(daemon, { cmd: 'record', id: 'one', action: 'stop' });
  expect(readFileSync(file, 'utf8')).toContain(KEY);
  const redact = { patterns: [], variables: ['*_TOKEN'], known: true };
  await request(daemon, { cmd: 'open', path: file, name: 'past' });
  expect(await request(daemon, { cmd: 'config', redact })).toMatchObject({ ok: true });
  for (const name of ['one', 'past']) {
    const args = ['--socket', daemon.socketPath, 'export', name, '-o', '-', '--format', 'text'];
    expect(await runCli(args, { cwd: dir.path })).toMatchObject({
      status: 0,
      stdout: expect.not.stringContaining(KEY),
    });
    expect((await evidence(daemon, dir, name)).status).toBe(0);
    const page = readFileSync(dir.join(`evidence-${name}/README.md`), 'utf8');
    expect(page).not.toContain(KEY);
    expect(page).toMatch(/Secrets that were masked: \d+\. Of <code>&#42;&#95;TOKEN<\/code>, values that/);
  }
});

test.each([{ record: false }, { record: true }])(
  'the heading of the page has no secret, recorded: $record, and its folder is one word of the line for gh',
  async ({ record }) => {
    const [daemon, dir] = [await withDaemon(), tempDir()];
    const token = 'glpat-abcDEF12345678901234';
    await request(daemon, {
      cmd: 'create',
      name: 'one',
      title: `of ${token}`,
      cmd_args: ['sh', '-c', 'echo done; exec sleep 1000'],
      ...(record ? { record: true } : {}),
      wait: { until: { text: 'done' } },
    });
    const { status, stderr } = await runCli(
      ['--socket', daemon.socketPath, 'evidence', 'one', '-o', `a"b$(touch x)'c`],
      { cwd: dir.path, env: { T4A_REDACT: '{"known":true}' } },
    );
    expect(status).toBe(0);
    const folder = dir.join(`a"b$(touch x)'c`);
    expect(readFileSync(`${folder}/README.md`, 'utf8')).toMatch(/^# of \S*&#42;&#42;[^\d]*$/m);
    const line = stderr.slice(stderr.indexOf('gh pr')).trim().replace('gh pr', 'printf "%s|"');
    expect(execFileSync('sh', ['-c', line], { cwd: dir.path, encoding: 'utf8' })).toBe(
      `comment|--body-file|${folder}/README.md|`,
    );
    expect(existsSync(dir.join('x'))).toBe(false);
  },
);

test('evidence without a history has what the terminal holds, and says so', async () => {
  const [daemon, dir] = [await withDaemon({ T4A_HISTORY_BYTES: '0' }), tempDir()];
  await request(daemon, {
    cmd: 'create',
    name: 'one',
    cmd_args: ['sh', '-c', 'seq 1 100; exec sleep 1000'],
    wait: { until: { text: '100' } },
  });
  const { status, stderr } = await evidence(daemon, dir, 'one');
  expect({ status, stderr: stderr.includes('gh pr') }).toEqual({ status: 0, stderr: true });
  expect(readFileSync(dir.join('evidence-one/README.md'), 'utf8')).toContain('There is no history');
  expect(readFileSync(dir.join('evidence-one/transcript.txt'), 'utf8')).toMatch(/ 1\n[^]* 100\n/);
});

test('evidence in a folder that exists, or of no terminal, is refused, and nothing is changed', async () => {
  const [daemon, dir] = [await withDaemon(), tempDir()];
  await request(daemon, {
    cmd: 'create',
    name: 'one',
    cmd_args: ['sh', '-c', 'echo x; exec sleep 1000'],
    wait: { until: { text: 'x' } },
  });
  writeFileSync(dir.join('evidence-one'), 'mine');
  expect(await evidence(daemon, dir, 'one')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('EEXIST') as string,
  });
  expect(readFileSync(dir.join('evidence-one'), 'utf8')).toBe('mine');
  expect(await evidence(daemon, dir, 'none')).toMatchObject({ status: 4 });
  expect(readdirSync(dir.path)).toEqual(['evidence-one']);
});

itNeeds('prlimit')('evidence for which there is no room leaves nothing behind', async () => {
  const [daemon, dir] = [await withDaemon(), tempDir()];
  await request(daemon, {
    cmd: 'create',
    name: 'one',
    cmd_args: ['sh', '-c', 'seq 1 2000; echo end; exec sleep 1000'],
    wait: { until: { text: 'end' } },
  });
  const command = ['--fsize=500', process.execPath, CLI, '--socket', daemon.socketPath, 'evidence', 'one'];
  expect(() => execFileSync('prlimit', command, { cwd: dir.path, stdio: 'pipe' })).toThrow(/EFBIG/);
  expect(existsSync(dir.join('evidence-one'))).toBe(false);
});

itNeeds('bash', 'make')('a model makes it by a tool that --tools names, and by no other offer', async () => {
  const [daemon, dir] = [await withDaemon(), tempDir()];
  await failedBuild(daemon, dir);
  const offered = (...flags: string[]) =>
    toolsOverMcp('2025-06-18', { args: ['--socket', daemon.socketPath, ...flags], env: {}, cwd: dir.path });
  const call = await offered('--tools', 'list,evidence');
  const answer = async (input: object, id: number): Promise<{ isError: boolean; content: { text: string }[] }> =>
    ((await call('evidence', input, id)) as { result: never }).result;
  for (const [at, input] of [{}, { id: 'build', folder: 'x' }, { id: 3 }, { id: 'build', format: 'png' }].entries()) {
    expect(await answer(input, 10 + at), JSON.stringify(input)).toMatchObject({ isError: true });
  }
  expect((await answer({ id: 'none' }, 20)).content[0]?.text).toContain('No terminal "none"');
  const { isError, content } = await answer({ id: 'build', output: 'proof' }, 31);
  expect([isError, content[0]?.text]).toEqual([
    false,
    expect.stringMatching(/proof: film\.gif, last\.png, transcript\.txt, README\.md\. 2 commands\.\n.*gh pr comment/s),
  ]);
  expect(readdirSync(dir.join('proof')).toSorted()).toEqual(['README.md', 'film.gif', 'last.png', 'transcript.txt']);
  expect(JSON.stringify(await (await offered('--profile', 'full'))('evidence', { id: 'build' }, 41))).toContain(
    'There is no tool',
  );
  const refused = await runCli(['mcp', '--tools', 'evidence', '--allow', 'read'], { cwd: dir.path });
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('"--allow create"')]);
});
