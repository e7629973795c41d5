/** Clients of tmux, unchanged, with tmux and with the door beside it: one of npm's registry, and the tests of those that are at hand. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { useCliDaemon } from '../../test/support/cli-daemon.js';
import { eventually } from '../../test/support/eventually.js';
import { execute } from '../../test/support/execute.js';
import { tempDir } from '../../test/support/temp-dir.js';
import { DOOR, type Tmux, tmuxOf } from '../../test/support/tmux.js';

const cli = useCliDaemon();

const door = (): Tmux =>
  tmuxOf(undefined, {
    T4A_SOCKET: cli.daemon.socketPath,
    PATH: `${dirname(DOOR)}:${process.env['PATH']}`,
  });

const steps = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Output of a program that finds that tmux on its PATH. */
async function withTmux(tmux: Tmux, program: string, args: readonly string[], more = {}): Promise<string[]> {
  const { stdout, stderr } = await execute(program, args, { env: { ...tmux.env, ...more }, cwd: tmux.cwd });
  return (stdout + stderr).trimEnd().split('\n');
}

/** Checkouts of clients of tmux with tests of their own for pytest: folders, with colons between. */
const SUITES = (process.env['T4A_TMUX_SUITES'] ?? '').split(':').filter((folder) => folder !== '');
/** Of a hundred tests that pass with tmux, those that may fail by the door. */
const MOST_FAILED = 1;

test.each(SUITES)('the own tests of %s pass by the door as by tmux', async (folder) => {
  const args = ['-m', 'pytest', '-p', 'no:cacheprovider', '-q', '-rA', '--tb=no'];
  const outcomes = async (tmux: Tmux): Promise<Map<string, string>> => {
    const { stdout, stderr } = await execute('/usr/bin/python3', args, { env: tmux.env, cwd: folder });
    const lines = [...stdout.matchAll(/^(PASSED|FAILED|ERROR) (\S+)/gm)];
    expect(lines.length, stdout + stderr).toBeGreaterThan(0);
    return new Map(lines.map(([, outcome = '', name = '']) => [name, outcome]));
  };
  const [real, other] = [await outcomes(tmuxOf('tmux')), await outcomes(door())];
  const passed = (all: ReadonlyMap<string, string>): string[] =>
    [...all].flatMap(([name, outcome]) => (outcome === 'PASSED' ? [name] : []));
  const lost = passed(real).filter((name) => other.get(name) !== 'PASSED');
  console.log(
    `${folder}: tmux passes ${passed(real).length} of ${real.size}, the door ${passed(other).length}\n${lost.join('\n')}`,
  );
  expect(lost.length).toBeLessThanOrEqual((passed(real).length * MOST_FAILED) / 100);
});

test('node-tmux gets the same answers from both', async () => {
  const dir = tempDir();
  mkdirSync(dir.join('npm'));
  execFileSync('npm', ['install', '--no-audit', '--no-fund', 'node-tmux'], { cwd: dir.join('npm'), stdio: 'ignore' });
  const ask = (tmux: Tmux) => withTmux(tmux, process.execPath, [steps('node-tmux-steps.mjs'), dir.join('npm')]);
  const real = await ask(tmuxOf('tmux'));
  expect(real).toHaveLength(16);
  expect(await ask(door())).toEqual(real);
});

test('20,000 bytes of keys arrive, and 5,000 lines can be read', async () => {
  const tmux = door();
  await tmux('new-session', '-d', '-s', 'a', '-x', '160', '-y', '40');
  const words = Array.from({ length: 2000 }, (_, at) => `word-${String(at).padStart(4, '0')}`).join('\n');
  await tmux('send-keys', '-t', 'a', 'cat > keys', 'Enter');
  await tmux('send-keys', '-t', 'a', '-l', `${words}\n`);
  await tmux('send-keys', '-t', 'a', 'C-d');
  await tmux('send-keys', '-t', 'a', 'cksum < keys; seq 1 5000; tmux wait-for -S done', 'Enter');
  expect(await tmux('wait-for', 'done')).toMatchObject({ status: 0 });
  const [sum] = execFileSync('cksum', { input: `${words}\n`, encoding: 'utf8' }).split('\n');
  await eventually(async () => {
    const lines = (await tmux('capture-pane', '-p', '-t', 'a', '-S', '-')).stdout.split('\n');
    const from = lines.indexOf(sum ?? '');
    expect(lines.slice(from + 1, from + 5001)).toEqual(Array.from({ length: 5000 }, (_, at) => String(at + 1)));
  });
});
