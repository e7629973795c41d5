/** `t4a run` against a real daemon; built, where its streams are the subject. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { CLI, type CliOptions, type CliStream, runCli, streamCli } from '../support/cli.js';
import { useCommandLine } from '../support/cli-daemon.js';
import { request } from '../support/daemon.js';
import { requireProgram } from '../support/programs.js';
import { EventStream } from '../support/wait-for.js';
import { tempDir } from '../support/temp-dir.js';

const PNG_SIGNATURE = '89504e470d0a1a0a';
const cli = useCommandLine();

/** The built one, whose standard input and output are those of a process. */
const built = (args: readonly string[], options: CliOptions = {}) =>
  runCli(args, { socketPath: cli.daemon.socketPath, ...options });

describe('run', () => {
  test("prints the output and exits with the command's own status", async () => {
    expect(await built(['run', '--', 'sh', '-c', 'echo out; echo err >&2; exit 7'])).toMatchObject({
      status: 7,
      stdout: 'out\nerr\n',
      stderr: '',
    });
    expect(await cli.t4a(['run', 'true'])).toMatchObject({ status: 0, stdout: '' });
  });

  test('exits with 128 and the number of the signal that ended the command', async () => {
    const { status, stderr } = await cli.t4a(['run', '--command', 'kill -TERM $$']);
    expect({ status, stderr }).toEqual({ status: 143, stderr: 't4a: The command was ended by SIGTERM.\n' });
  });

  test('exits with 124 at its deadline, and prints the output so far', async () => {
    const { status, stdout, stderr } = await cli.t4a([
      'run',
      '--timeout',
      '300ms',
      '--',
      'sh',
      '-c',
      'echo begun; sleep 100',
    ]);
    expect({ status, stdout }).toEqual({ status: 124, stdout: 'begun\n' });
    expect(stderr).toMatch(/^t4a: The command had not ended after \d+ ms\.\n$/);
  });

  test('exits with 127 if the program does not exist', async () => {
    expect(await cli.t4a(['run', '--', '/no/such/program'])).toMatchObject({ status: 127, stdout: '' });
  });

  test('reports the number of lines left out', async () => {
    const { stdout, stderr } = await cli.t4a(['run', '--max-lines', '4', '--', 'seq', '10']);
    expect(stdout).toBe('1\n2\n9\n10\n');
    expect(stderr).toContain('6 lines left out');
  });

  test('writes a picture of the last screen besides the output', async () => {
    const dir = tempDir();
    expect(await cli.output(['run', '--screenshot', 'end.png', '--', 'echo', 'hi'], { cwd: dir.path })).toBe('hi\n');
    expect(readFileSync(dir.join('end.png')).subarray(0, 8).toString('hex')).toBe(PNG_SIGNATURE);
  });

  test('with --json prints the reply and keeps the status of the command', async () => {
    const { status, stdout } = await cli.t4a(['run', '--json', '--', 'sh', '-c', 'echo x; exit 3']);
    expect(status).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, outcome: 'exited', exit_code: 3, lines: ['x'] });
  });
});

describe('run --id', () => {
  const inShell = (id: string, ...args: string[]) => cli.t4a(['run', '--id', id, '--timeout', '20000', ...args]);

  test('runs at the prompt of a persistent shell, in its current directory', async () => {
    const id = await cli.create('--', requireProgram('bash'));
    expect(await inShell(id, '--', 'cd', '/')).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(await inShell(id, '--command', 'pwd; (exit 7)')).toMatchObject({ status: 7, stdout: '/\n', stderr: '' });
    expect(await inShell('@', '--', 'echo', 'a  b', '$HOME')).toMatchObject({ status: 0, stdout: 'a  b $HOME\n' });
    // One of its own in between leaves "@" as it was.
    await cli.output(['run', '--', 'true']);
    expect(await inShell('@', '--json', '--', 'true')).toMatchObject({ status: 0 });
    const dir = tempDir();
    const shot = ['run', '--id', id, '--screenshot', 'end.png', '--', 'echo', 'hi'];
    expect(await cli.output(shot, { cwd: dir.path })).toBe('hi\n');
    expect(readFileSync(dir.join('end.png')).subarray(0, 8).toString('hex')).toBe(PNG_SIGNATURE);
  });

  test('reports a line that the shell refused, a command that continues, and a busy shell', async () => {
    const id = await cli.create('--', requireProgram('bash'));
    const broken = await inShell(id, '--command', 'echo )');
    expect(broken).toMatchObject({ status: 2, stdout: expect.stringContaining('syntax error') as unknown });
    expect(broken.stderr).toContain('ran nothing');
    const late = await cli.t4a(['run', '--id', id, '--timeout', '300ms', '--', 'sleep', '100']);
    expect(late).toMatchObject({ status: 124, stdout: '' });
    expect(late.stderr).toMatch(
      /^t4a: The command had not ended after \d+ ms, and continues: t4a wait \w+ --done\.\n$/,
    );
    const busy = await inShell(id, '--', 'true');
    expect(busy).toMatchObject({ status: 125, stdout: '' });
    expect(busy.stderr).toContain('"sleep 100"');
    expect(await inShell('nobody', '--', 'true')).toMatchObject({ status: 125, stdout: '' });
    expect(await inShell(id, '--cwd', '/', '--', 'true')).toMatchObject({ status: 125, stdout: '' });
    expect(await inShell(id, '--env', 'A=b', '--', 'true')).toMatchObject({ status: 125, stdout: '' });
  });
});

async function programs(): Promise<(string | undefined)[]> {
  const { terminals } = (await cli.reply(['list'])) as { terminals: { cmd: string[] }[] };
  return terminals.map(({ cmd }) => cmd[0]);
}

describe('the output of run', () => {
  test('is printed completely, however much it is, and waits for a reader that is slow', async () => {
    const slow =
      '"$0" "$1" --socket "$2" run --scrollback 10 -- seq 400000 | { read first; sleep 1; echo "$first"; md5sum; }';
    const whole = 'seq 400000 | { read first; echo "$first"; md5sum; }';
    const args = [process.execPath, CLI, cli.daemon.socketPath];
    const sums = [slow, whole].map((script) => spawnSync('bash', ['-c', script, ...args], { encoding: 'utf8' }).stdout);
    expect(sums[0]).toBe(sums[1]);
    expect(sums[0]).toMatch(/^1\n[0-9a-f]{32}/);
  });

  test('comes as it is printed, as plain lines', async () => {
    const fifo = tempDir().join('go');
    expect(spawnSync('mkfifo', [fifo]).status).toBe(0);
    // What it reads is there by then: a run ends with a question that nobody answers.
    const script = String.raw`printf '\033[31mred\033[m\t|\r\n'; read go <"$0"; printf '10%%\r20%%\n'; read answer; echo "got $answer"`;
    const running = streamCli(['run', '--', 'sh', '-c', script, fifo], { socketPath: cli.daemon.socketPath });
    expect(await running.line()).toBe('red\t|');
    const { terminals } = (await cli.reply(['list'])) as { terminals: { id: string; alive: boolean }[] };
    await request(cli.daemon, { cmd: 'type', id: terminals.at(-1)?.id, text: 'yes', submit: true });
    expect(await running.line()).toBe('yes');
    await writeFile(fifo, 'go\n');
    expect(await running.line()).toBe('20%');
    expect(await running.line()).toBe('got yes');
    expect(await running.ended()).toEqual({ status: 0, stderr: '' });
  });

  test('ends with its reader', async () => {
    const events = await EventStream.open(cli.daemon.socketPath, { types: ['removed'] });
    const args = [process.execPath, CLI, cli.daemon.socketPath];
    const script = '"$0" "$1" --socket "$2" run -- yes | head -2; echo "${PIPESTATUS[0]}"';
    expect(spawnSync('bash', ['-c', script, ...args], { encoding: 'utf8' }).stdout).toBe('y\ny\n0\n');
    await events.until('removed');
    events.close();
    expect(await programs()).not.toContain('yes');
  });
});

describe.each([{ flags: [] }, { flags: ['--json'] }])('Ctrl+C of run $flags', ({ flags }) => {
  /** Each line that the command writes into the FIFO `$1` is a fence. */
  function running(script: string): { run: CliStream; told: () => Promise<string> } {
    const fifo = tempDir().join('told');
    expect(spawnSync('mkfifo', [fifo]).status).toBe(0);
    const words = ['run', ...flags, '--', requireProgram('bash'), '-c', script, 'bash', fifo];
    return { run: streamCli(words, { socketPath: cli.daemon.socketPath }), told: () => readFile(fifo, 'utf8') };
  }

  test('is SIGINT for its command, whose last output and status are still seen', async () => {
    const { run, told } = running(
      "trap 'echo last; exit 9' INT; trap 'echo hup' HUP TERM; echo up >$1; while :; do sleep .1; done",
    );
    expect(await told()).toBe('up\n');
    run.process.kill('SIGINT');
    const line = await run.line();
    if (flags.length === 0) expect(line).toBe('last');
    else expect(JSON.parse(line)).toMatchObject({ outcome: 'exited', exit_code: 9, lines: ['last'] });
    expect(await run.ended()).toEqual({ status: 9, stderr: '' });
  });

  test('is SIGINT also where a person has taken the terminal, and the last output is seen', async () => {
    const { run, told } = running("trap 'echo last; exit 9' INT; echo up >$1; while :; do sleep .1; done");
    expect(await told()).toBe('up\n');
    const { terminals } = await request(cli.daemon, { cmd: 'list' });
    const { id } = (terminals as { id: string }[]).at(-1) ?? {};
    const taken = await request(cli.daemon, { cmd: 'control', id, action: 'take', as: 'ada', person: true });
    expect(taken).toMatchObject({ ok: true });
    run.process.kill('SIGINT');
    const line = await run.line();
    if (flags.length === 0) expect(line).toBe('last');
    else expect(JSON.parse(line)).toMatchObject({ exit_code: 9, lines: ['last'] });
    expect(await run.ended()).toEqual({ status: 9, stderr: '' });
  });

  test('the second time ends t4a, and with it a command that goes on', async () => {
    const events = await EventStream.open(cli.daemon.socketPath, { types: ['removed'] });
    const { run, told } = running("trap 'echo int >$1' INT; echo up >$1; while :; do sleep .1; done");
    expect(await told()).toBe('up\n');
    run.process.kill('SIGINT');
    expect(await told()).toBe('int\n');
    run.process.kill('SIGINT');
    expect(await run.ended()).toEqual({ status: 'SIGINT', stderr: '' });
    await events.until('removed');
    events.close();
  });
});

describe('a command that waits for input', () => {
  const run = (...args: string[]) => cli.t4a(['run', ...args]);

  test('ends the wait with 123, and stays in its terminal, where it can be answered', async () => {
    const { status, stdout, stderr } = await run('--', 'sh', '-c', 'printf "name? "; read name; exit 7');
    expect({ status, stdout }).toEqual({ status: 123, stdout: 'name? ' });
    const [, reader, id = ''] = /^t4a: (\S+) waits for input \(line\), in terminal (\w+)\.\n/.exec(stderr) ?? [];
    expect(reader).toBe('sh');
    expect(stderr).toContain(`t4a type ${id} ANSWER --submit, then t4a wait ${id} --exit`);
    expect(await cli.t4a(['type', id, 'me', '--submit', '--wait', 'exit'])).toMatchObject({ status: 7 });
  });

  test('ends with --no-keep', async () => {
    const { status, stderr } = await run('--no-keep', '--', 'cat');
    expect({ status, stderr }).toEqual({ status: 123, stderr: 't4a: cat waits for input (line).\n' });
    expect(await programs()).not.toContain('cat');
  });

  test('for a moment only does not count: a read with a time limit, an answer that comes', async () => {
    const script = 'read -t 1.5 -p "a? " a; read -t 1.5 -p "b? " b; echo end';
    expect(await run('--', requireProgram('bash'), '-c', script)).toMatchObject({ status: 0, stdout: 'a? b? end\n' });
  });

  test('has its kind, and with --id goes on in its shell', async () => {
    const id = await cli.create('--', requireProgram('bash'));
    const { status, stderr } = await run('--id', id, '--command', 'read -sp "password: " x; (exit 5)');
    expect(status).toBe(123);
    expect(stderr).toContain(`waits for input (password), in terminal ${id}.`);
    expect(await cli.t4a(['type', id, 'xyz', '--submit', '--wait', 'done'])).toMatchObject({ status: 5 });
  });
});

describe('run --stdin', () => {
  test('passes on standard input, as it is and to its end', async () => {
    const input = Buffer.concat([Buffer.from([3, 4, 13, 10, 0, 255]), Buffer.alloc(300_000, 'x')]);
    const sum = createHash('md5').update(input).digest('hex');
    const { status, stdout, stderr } = await built(['run', '--stdin', '--', 'md5sum'], { input });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: `${sum}  -\n`, stderr: '' });
    expect(await built(['run', '--stdin', '--command', 'tr a-z A-Z; exit 4'], { input: 'abc\n' })).toMatchObject({
      status: 4,
      stdout: 'ABC\n',
    });
    expect(await built(['run', '--stdin', '--', 'cat'], { input: '' })).toMatchObject({ status: 0, stdout: '' });
  });

  test('a command that does not read, or does not exist, ends all the same', async () => {
    const input = Buffer.alloc(300_000, 'x');
    expect(await built(['run', '--stdin', '--', 'true'], { input })).toMatchObject({ status: 0, stderr: '' });
    expect(await built(['run', '--stdin', '--', '/no/such/program'], { input })).toMatchObject({ status: 127 });
    expect(await built(['run', '--stdin', '--cwd', '/no/such', '--', 'cat'], { input })).toMatchObject({
      status: 125,
    });
  });

  test('leaves no FIFO behind, and is refused where there can be none', async () => {
    const dir = tempDir();
    const options = { input: 'abc', env: { TMPDIR: dir.path } };
    expect(await built(['run', '--stdin', '--', 'cat'], options)).toMatchObject({ status: 0, stdout: 'abc' });
    expect(readdirSync(dir.path)).toEqual([]);
    const nowhere = { input: 'abc', env: { TMPDIR: dir.join('none') } };
    const refused = await built(['run', '--stdin', '--', 'cat'], nowhere);
    expect(refused.status).toBe(125);
    expect(refused.stderr).toContain('TMPDIR');
  });

  test('without it, bytes in a pipe are noticed and left there', async () => {
    const args = [process.execPath, CLI, cli.daemon.socketPath];
    const script = 'printf "kept\n" | { "$0" "$1" --socket "$2" run -- echo hi; cat; }';
    const { stdout, stderr } = spawnSync(requireProgram('bash'), ['-c', script, ...args], { encoding: 'utf8' });
    expect(stdout).toBe('hi\nkept\n');
    expect(stderr).toBe(
      't4a: Standard input was not passed on: the command reads its terminal. --stdin passes it on.\n',
    );
    expect(await built(['run', '--', 'echo', 'hi'], { input: '' })).toMatchObject({ stdout: 'hi\n', stderr: '' });
  });
});
