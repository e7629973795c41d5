/** `run` of a command that asks somebody ends with `awaiting_input`, whoever reads, and by whatever call. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIKELY_READ_MS } from '../../src/terminal/lasting-read.js';
import { itAsRoot } from '../support/as-root.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { itNeeds, requireProgram } from '../support/programs.js';

const NO_HOME = '/dev/null/home';
const TIMEOUT_MS = 20_000;

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ env: { HOME: NO_HOME, XDG_CONFIG_HOME: NO_HOME } });
});
afterAll(() => daemon.stop());

/** In a new terminal, which is removed again. */
const runNew = (words: readonly string[], timeoutMs = TIMEOUT_MS) =>
  request(daemon, { cmd: 'run', cmd_args: words, timeout_ms: timeoutMs, keep: false });

const LINE = 'printf "name? "; read x';
const ASKS = { outcome: 'awaiting_input', awaiting_input: { certain: true } };
const LIKELY = { outcome: 'awaiting_input', awaiting_input: { certain: false } };

describe.skipIf(process.platform !== 'linux')('a question', { concurrent: true }, () => {
  it('of an event loop is reported as likely', async () => {
    const question =
      'require("readline").createInterface({input:process.stdin,output:process.stdout}).question("? ",()=>{})';
    expect(await runNew([process.execPath, '-e', question])).toMatchObject(LIKELY);
  });

  itNeeds('bash')('with a time limit of its own is reported as likely', async () => {
    expect(await runNew(['bash', '-c', 'read -t 60 -p "name? " x'])).toMatchObject(LIKELY);
  });

  itNeeds('tmux')('in a pane of tmux is reported as likely: another one may be shown', async () => {
    const tmux = ['-S', path.join(daemon.dir, 'tmux'), '-f', '/dev/null'];
    expect(await runNew(['tmux', ...tmux, 'new', LINE])).toMatchObject({
      ...LIKELY,
      awaiting_input: { certain: false, kind: 'line', secrecy: 'unknown' },
    });
    expect(await runNew(['tmux', ...tmux, 'new', 'sleep 60'], 2 * LIKELY_READ_MS)).toMatchObject({
      outcome: 'timeout',
    });
    execFileSync('tmux', [...tmux, 'kill-server']);
  });

  itNeeds('script')('behind script is found', async () => {
    expect(await runNew(['script', '-qc', LINE, '/dev/null'])).toMatchObject({
      ...ASKS,
      awaiting_input: { certain: true, kind: 'line' },
    });
  });

  itNeeds('script')('behind script in script is found, without echo as a password', async () => {
    const inner = "script -qc 'stty -echo; printf pass; read x' /dev/null";
    expect(await runNew(['script', '-qc', inner, '/dev/null'])).toMatchObject({
      awaiting_input: { certain: true, kind: 'password', secrecy: 'unknown' },
    });
  });

  itNeeds('expect')('behind expect that passes keys on is found', async () => {
    expect(await runNew(['expect', '-c', `spawn sh -c {${LINE}}; interact`])).toMatchObject(ASKS);
  });

  itAsRoot('sudo')('behind sudo is found', async () => {
    expect(await runNew(['sudo', '-u', 'nobody', 'sh', '-c', LINE])).toMatchObject(ASKS);
  });

  itAsRoot('su')('behind su with a terminal of its own, and without any, is found', async () => {
    const su = ['su', 'nobody', '-s', '/bin/sh', '-c', LINE];
    const [own, none] = await Promise.all([runNew([...su, '--pty']), runNew(su)]);
    expect([own, none]).toMatchObject([ASKS, ASKS]);
  });

  it.each([
    ['bash', 'read -rsn1 -p "Deploy? " a'],
    ['bash', 'ask() { read -p "? " -t 60; }; ask'],
    ['bash', 'select x in a b; do :; done'],
    ['zsh', 'read -q'],
    ['zsh', 'rm -- *'],
    ['fish', 'read -P "name? " x'],
  ])('of %s itself is found: %s', async (shell, command) => {
    writeFileSync(path.join(daemon.dir, 'file'), '');
    const created = await request(daemon, { cmd: 'create', cmd_args: [requireProgram(shell)] });
    const id = String(created['id']);
    const asked = await request(daemon, { cmd: 'run', id, command, timeout_ms: TIMEOUT_MS });
    expect(asked).toMatchObject({ outcome: 'awaiting_input', awaiting_input: { process: shell } });
    await request(daemon, { cmd: 'kill', id });
  });
});

describe.skipIf(process.platform !== 'linux')(
  'what asks nobody goes on until the deadline',
  { concurrent: true },
  () => {
    const SILENCE = 'import time; time.sleep(60)';
    const SERVER = 'require("http").createServer().listen(0)';
    // Each with its own terminal, at once.
    it('programs that read no keys, also behind other terminals', async () => {
      const quiet: readonly (readonly string[])[] = [
        ['tail', '-f', '/dev/null'],
        ['sleep', '60'],
        ['sh', '-c', 'sleep 60 & wait'],
        [requireProgram('python3'), '-c', SILENCE],
        [process.execPath, '-e', SERVER],
        [requireProgram('script'), '-qc', 'sleep 60', '/dev/null'],
        [requireProgram('bash'), '-c', 'read -t 60 x < <(sleep 60)'],
      ];
      const ends = await Promise.all(quiet.map((words) => runNew(words, 2 * LIKELY_READ_MS)));
      expect(ends.map(({ outcome }) => outcome)).toEqual(quiet.map(() => 'timeout'));
    });

    itNeeds('expect')('a dialogue that a script of expect leads', async () => {
      const script = `spawn sh -c {${LINE}}; expect "never"`;
      expect(await runNew(['expect', '-c', `set timeout 60; ${script}`], 2 * LIKELY_READ_MS)).toMatchObject({
        outcome: 'timeout',
      });
    });

    itNeeds('top')('whole lines that are shown again and again', async () => {
      expect(await runNew(['sh', '-c', 'top -d 20 | cat'], 2 * LIKELY_READ_MS)).toMatchObject({ outcome: 'timeout' });
    });

    itAsRoot('sudo')('a quiet command behind sudo', async () => {
      const words = ['sudo', '-u', 'nobody', 'sleep', '60'];
      expect(await runNew(words, 2 * LIKELY_READ_MS)).toMatchObject({ outcome: 'timeout' });
    });
  },
);

describe.skipIf(process.platform !== 'linux')('a shell in the place of the shell', () => {
  it.each(['exec bash --norc', 'exec dash', 'exec zsh -f'])(
    'ends the run, and no later run waits for it: %s',
    async (command) => {
      requireProgram('dash');
      requireProgram('zsh');
      const created = await request(daemon, { cmd: 'create', cmd_args: [requireProgram('bash')] });
      const id = String(created['id']);
      const replaced = await request(daemon, { cmd: 'run', id, command, timeout_ms: TIMEOUT_MS });
      expect(replaced).toMatchObject({ outcome: 'awaiting_input' });
      const later = await request(daemon, { cmd: 'run', id, command: 'echo hi', timeout_ms: TIMEOUT_MS });
      expect(later).toMatchObject({ ok: false, code: 'no_shell_prompt' });
      await request(daemon, { cmd: 'kill', id });
    },
  );
});
