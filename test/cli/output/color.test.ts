/* oxlint-disable no-control-regex */
/** Colours of t4a's own output: on a terminal, unless a setting turns them off. */
import { describe, expect, test } from 'vitest';
import { CLI } from '../../support/cli.js';
import { useCommandLine } from '../../support/cli-daemon.js';
import { request } from '../../support/daemon.js';

const cli = useCommandLine();

const SGR = /\x1b\[[0-9;]*m/;

/** What a command prints on a terminal, as text with colours. */
async function onTerminal(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const cmd_args = [process.execPath, CLI, '--socket', cli.daemon.socketPath, ...args];
  const { id } = (await request(cli.daemon, { cmd: 'run', cmd_args, cols: 200, rows: 60, env, keep: true })) as {
    id: string;
  };
  const { lines } = (await request(cli.daemon, { cmd: 'text', id, format: 'ansi' })) as { lines: string[] };
  await request(cli.daemon, { cmd: 'kill', id });
  return lines.join('\n');
}

describe('matches', () => {
  test('are coloured like those of ripgrep on a terminal, and plain in a pipe', async () => {
    const id = await cli.printed('hay needle hay\\n');
    const shown = await onTerminal(['grep', id, 'needle']);
    expect(shown).toMatch(/^\x1b\[[^m]*32m0\x1b\[[^m]*m:hay \x1b\[[^m]*31m/);
    expect(await onTerminal(['find', id, 'needle'])).toMatch(SGR);
    expect(await cli.output(['grep', id, 'needle'])).toBe('0:hay needle hay\n');
    expect(await cli.output(['find', id, 'needle'])).toBe('0:4:needle\n');
  });

  test.each([
    ['NO_COLOR', { NO_COLOR: '1' }, []],
    ['T4A_COLOR', { T4A_COLOR: 'never' }, []],
    ['--color', {}, ['--color', 'never']],
    ['a terminal without colours', { TERM: 'dumb' }, []],
  ])('are plain with %s', async (_who, env, flags) => {
    const id = await cli.printed('needle\\n');
    const cmd_args = ['env', ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
    const command = [...cmd_args, process.execPath, CLI, '--socket', cli.daemon.socketPath, 'grep', id, 'needle'];
    const run = await request(cli.daemon, { cmd: 'run', cmd_args: [...command, ...flags], keep: true });
    const { lines } = await request(cli.daemon, { cmd: 'text', id: run['id'], format: 'ansi' });
    expect((lines as string[])[0]).toBe('0:needle');
  });

  test('are coloured with --color=always despite NO_COLOR, and on a terminal if NO_COLOR is empty', async () => {
    const id = await cli.printed('needle\\n');
    const forced = await cli.output(['grep', id, 'needle', '--color=always'], { env: { NO_COLOR: '1' } });
    expect(forced).toBe('\x1b[32m0\x1b[m:\x1b[1;31mneedle\x1b[m\n');
    // An empty one is none: https://no-color.org
    expect(await onTerminal(['grep', id, 'needle'], { NO_COLOR: '' })).toMatch(SGR);
  });
});

test('a terminal of which nothing is known is dim, and one that failed is red', async () => {
  const running = await cli.create('--name', 'runs', 'sleep', '100');
  const failed = await request(cli.daemon, { cmd: 'run', command: 'exit 3', keep: true });
  const list = await onTerminal(['list']);
  const line = (id: unknown): string => list.split('\n').find((row) => row.startsWith(`${String(id)} `)) ?? '';
  expect(line(running)).toMatch(/\x1b\[[^m]*(?:2munknown|34mworking)\x1b/);
  expect(line(failed['id'])).toMatch(/\x1b\[[^m]*31mexited 3\x1b/);
  expect(await onTerminal(['list'], { NO_COLOR: '1' })).not.toMatch(SGR);
  await cli.t4a(['kill', running]);
});

test('the doctor colours its findings on a terminal, except with --json', async () => {
  expect(await onTerminal(['doctor'])).toMatch(/\x1b\[[^m]*32mok\x1b\[[^m]*m {2,}versions/);
  expect(await onTerminal(['doctor', '--json'])).not.toMatch(SGR);
});

test('text printed by a program keeps its colours despite NO_COLOR', async () => {
  const id = await cli.printed('\\033[35mviolet');
  expect(await onTerminal(['text', id, '--format', 'ansi'], { NO_COLOR: '1' })).toMatch(SGR);
});
