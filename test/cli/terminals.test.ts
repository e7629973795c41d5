/** The command line against a real daemon: terminals made, named, resized and ended. */
import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { useCommandLine } from '../support/cli-daemon.js';
import { EventStream } from '../support/wait-for.js';
import { tempDir } from '../support/temp-dir.js';

const cli = useCommandLine({ FROM_THE_DAEMON: 'yes' });

describe('create', () => {
  test('prints only the id', async () => {
    expect(await cli.output(['create', '--name', 'alpha'])).toBe('alpha\n');
  });

  test('accepts a whole turn: a wait with failure and deadline, text and picture', async () => {
    const dir = tempDir();
    const ready = 'echo starting; echo ready; sleep 100';
    const args = ['--wait', 'text=ready', '--text', '--screenshot', 'ready.png', '--', 'sh', '-c', ready];
    const lines = (await cli.output(['create', '--name', 'turn', ...args], { cwd: dir.path })).split('\n');
    expect(lines.slice(0, 3)).toEqual(['turn', 'starting', 'ready']);
    expect(readFileSync(dir.join('ready.png')).subarray(1, 4).toString()).toBe('PNG');

    const wait = ['--wait', 'text=never', '--fail', 'rror'];
    const failed = await cli.t4a(['create', '--name', 'failing', ...wait, '--', 'sh', '-c', 'echo Error; sleep 100']);
    expect(failed).toMatchObject({ status: 3, stdout: 'failing\n' });
    expect(failed.stderr).toContain('Error');
    const late = await cli.t4a(['create', '--name', 'late', ...wait, '--timeout', '50', '--', 'sleep', '100']);
    expect(late).toMatchObject({ status: 124, stdout: 'late\n' });
    expect(await cli.t4a(['create', '--name', 'gone', '--wait', 'done', 'true'])).toMatchObject({ status: 4 });
    expect(await cli.t4a(['create', '--name', 'odd', '--wait', 'nothing'])).toMatchObject({ status: 2, stdout: '' });
    expect(await cli.reply(['create', '--json', '--wait', 'exit', '--', 'true'])).toMatchObject({
      ok: true,
      wait: { outcome: 'matched' },
    });
  });

  test('starts a program with the flags of that program', async () => {
    const id = await cli.create('--cols', '40', 'sh', '-c', 'sleep 100');
    expect(await cli.reply(['status', id])).toMatchObject({ id, cols: 40, cmd: ['sh', '-c', 'sleep 100'] });
  });

  test('reports an error of the daemon with its exit status', async () => {
    expect(await cli.t4a(['create', '--name', 'taken'])).toMatchObject({ status: 0 });
    const { status, stdout, stderr } = await cli.t4a(['create', '--name', 'taken']);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^t4a: .*"taken".*\n/);
    expect((await cli.t4a(['create', '--', '/no/such/program'])).status).toBe(2);
    expect((await cli.t4a(['create', '--cols', '0'])).status).toBe(2);
  });
});

describe('directory and environment of a program', () => {
  test('are those of the caller, not those of the daemon', async () => {
    const dir = tempDir();
    mkdirSync(dir.join('inner'));
    const script = 'pwd; echo "$MINE $ADDED [$FROM_THE_DAEMON] $TERM [$COLUMNS]"';
    const options = { cwd: dir.path, env: { MINE: 'mine', TERM: 'weird', COLUMNS: '7' } };
    const ran = await cli.output(['run', '--cwd', 'inner', '--env', 'ADDED=a=b', '--', 'sh', '-c', script], options);
    expect(ran).toBe(`${realpathSync(dir.join('inner'))}\nmine a=b [] xterm-256color []\n`);
  });

  test('are refused if --env is no assignment', async () => {
    const { status, stderr } = await cli.t4a(['create', '--env', 'NOPE']);
    expect(status).toBe(2);
    expect(stderr).toContain('expected NAME=VALUE');
  });
});

describe('the terminal of a command', () => {
  test('is the named one, else the surrounding one, else the one used last', async () => {
    const first = await cli.create('--name', 'first', 'sleep', '100');
    const second = await cli.create('--name', 'second', 'sleep', '100');
    expect(await cli.reply(['status'])).toMatchObject({ id: second });
    expect(await cli.reply(['status'], { env: { T4A_TERMINAL: first } })).toMatchObject({ id: first });
    expect(await cli.reply(['status', '@'])).toMatchObject({ id: first });
    expect(await cli.reply(['status', second], { env: { T4A_TERMINAL: first } })).toMatchObject({ id: second });
  });

  test('is resized without output, and killed with a line that says how it ended', async () => {
    const id = await cli.create('sleep', '100');
    expect(await cli.output(['resize', id, '100', '30'])).toBe('');
    expect(await cli.reply(['status', id])).toMatchObject({ cols: 100, rows: 30 });
    expect(await cli.output(['resize', '90', '20'])).toBe('');
    expect(await cli.reply(['status', id])).toMatchObject({ cols: 90, rows: 20 });
    expect(await cli.output(['kill', id])).toBe(`${id}: ended by SIGHUP\n`);
    const gone = await cli.t4a(['text', id]);
    expect(gone).toMatchObject({ status: 4, stdout: '' });
    expect(gone.stderr).toContain(`"${id}"`);
  });

  test('is ended with others by one command, and never by guessing', async () => {
    const shared = new Set((await cli.output(['list'])).split('\n').map((line) => line.split(' ')[0]));
    const [one, two, three] = await Promise.all([1, 2, 3].map(() => cli.create('sleep', '100')));
    const guessed = await cli.t4a(['kill']);
    expect(guessed).toMatchObject({ status: 2, stdout: '' });
    expect(guessed.stderr).toContain('t4a kill @');
    const missing = await cli.t4a(['kill', one ?? '', 'nowhere']);
    expect(missing).toMatchObject({ status: 4, stdout: '' });
    expect(await cli.reply(['status', one ?? ''])).toMatchObject({ alive: true });
    expect(await cli.output(['kill', one ?? '', two ?? '', one ?? ''])).toBe(
      `${one}: ended by SIGHUP\n${two}: ended by SIGHUP\n`,
    );
    const over = await cli.printed('over');
    expect(await cli.output(['kill', '--exited'])).toContain(`${over}: exit code 0\n`);
    expect(await cli.reply(['status', three ?? ''])).toMatchObject({ alive: true });
    expect((await cli.t4a(['kill', '--exited', three ?? ''])).status).toBe(2);
    expect((await cli.output(['kill', '--all'])).split('\n')).toContain(`${three}: ended by SIGHUP`);
    expect(await cli.reply(['list'])).toMatchObject({ terminals: [] });
    expect(shared.size).toBeGreaterThan(0);
  });

  test('has the time that kill gives it to end by itself', async () => {
    const stubborn = 'trap "" HUP TERM; echo ready; while :; do sleep 0.2; done';
    const script = 'trap "" HUP; trap "exit 9" TERM; echo ready; while :; do sleep 0.2; done';
    const id = await cli.create('sh', '-c', stubborn);
    await cli.output(['wait', id, '--text', 'ready']);
    expect(await cli.output(['kill', id, '--grace', '0'])).toBe(`${id}: ended by SIGKILL\n`);
    const other = await cli.create('sh', '-c', script);
    await cli.output(['wait', other, '--text', 'ready']);
    expect(await cli.output(['kill', other, '--grace', '5s'])).toBe(`${other}: exit code 9\n`);
  });

  test('is dropped, when ended, once there are more such terminals than are kept', async () => {
    await cli.output(['kill', '--all']);
    const events = await EventStream.open(cli.daemon.socketPath, { types: ['removed'] });
    await cli.reply(['config', '--ended-max', '1']);
    const [first, second] = [await cli.printed('a'), await cli.printed('b')];
    await events.until('removed', (event) => event['terminal'] === first);
    events.close();
    expect(await cli.reply(['list'])).toMatchObject({ terminals: [{ id: second, alive: false }] });
    await cli.reply(['config', '--ended-max', '200']);
  });

  test('is reported with the closest existing name if it does not exist', async () => {
    await cli.create('--name', 'build-server', 'sleep', '100');
    const { status, stderr } = await cli.t4a(['cursor', 'build-sevrer']);
    expect(status).toBe(4);
    expect(stderr).toContain('build-server');
  });
});
