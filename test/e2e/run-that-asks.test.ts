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
const MATCHED = { wait: { outcome: 'matched' } };
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

/** A thread reads the terminal; `work` is what the main thread does. */
const reading = (work: string): string[] => [
  requireProgram('python3'),
  '-c',
  `import os, subprocess, sys, threading, time
threading.Thread(target=lambda: os.read(0, 1), daemon=True).start()
end = time.time() + ${(LIKELY_READ_MS + 1500) / 1000}
${work}
print('DONE', flush=True)`,
];

describe.skipIf(process.platform !== 'linux')('a reader beside work', { concurrent: true }, () => {
  const LOOP = 'while True: pass';
  it.each([
    ['that computes', 'while time.time() < end: sum(range(10000))'],
    ['that prints now and then', 'for n in range(4): time.sleep(1.4); print(n, flush=True)'],
    [
      'that prints now and then, without echo',
      "subprocess.run(['stty', '-echo'])\nfor n in range(4): time.sleep(1.4); print(n, flush=True)",
    ],
    [
      'of a child',
      `subprocess.run([sys.executable, '-c', '${LOOP}'.replace('True', f'__import__("time").time() < {end}')])`,
    ],
    [
      'of children in a session of their own',
      `c = subprocess.Popen([sys.executable, '-c', '${LOOP}'], start_new_session=True); threading.Timer(end - time.time(), c.kill).start(); c.wait()`,
    ],
    ['of many short children', "while time.time() < end: subprocess.run([sys.executable, '-c', 'sum(range(300000))'])"],
  ])('%s asks no question', async (_, work) => {
    expect(await runNew(reading(work), 4 * LIKELY_READ_MS)).toMatchObject({ outcome: 'exited', exit_code: 0 });
  });

  it.each([
    ['that waits for a time', 'time.sleep(60)', LIKELY],
    ['that waits for another program', 'os.read(os.pipe()[0], 1)', LIKELY],
    ['that has come to its end', 'threading.Event().wait()', ASKS],
  ])('%s is reported: %s', async (_, work, asked) => {
    expect(await runNew(reading(work))).toMatchObject(asked);
  });

  it.each([
    [
      'idle threads',
      'import threading; threading.Thread(target=threading.Event().wait, args=(60,), daemon=True).start(); input("? ")',
    ],
    ['a child that rests', 'import subprocess; subprocess.Popen(["cat"], stdin=subprocess.PIPE); input("? ")'],
  ])('is certain beside %s', async (_, program) => {
    expect(await runNew([requireProgram('python3'), '-c', program])).toMatchObject(ASKS);
  });
});

/** Under that name, it passes keys on to nobody: the far side shows what is printed. */
function relay(name: string, words: readonly string[], shown: string): string[] {
  return [requireProgram('python3'), '-c', RELAY, name, shown, ...words];
}

const RELAY = `import ctypes, os, select, socket, sys, tty
ctypes.CDLL(None).prctl(15, sys.argv[1].encode())
here, there = socket.socketpair()
tty.setraw(0)
os.write(1, sys.argv[2].encode())
while True: select.select([0, here], [], []); os.read(0, 1)
`;

describe.skipIf(process.platform !== 'linux')('of what passes keys on', { concurrent: true }, () => {
  it.each([
    ['ssh', [], 'Linux far 6.1\r\n', 'timeout'],
    ['ssh', [], 'Compiling...', 'timeout'],
    ['ssh', [], 'copied 12 %', 'timeout'],
    ['ssh', [], 'Overwrite? [y/N] ', 'awaiting_input'],
    ['ssh', [], 'ada@far:~$ ', 'awaiting_input'],
    ['socat', [], '', 'timeout'],
    ['kubectl', ['exec', '-it', 'pod', '--', 'make'], 'building', 'timeout'],
    ['docker', ['exec', '-it', 'box', 'sh'], '# ', 'awaiting_input'],
    ['docker', ['system', 'prune'], 'working', 'awaiting_input'],
  ])('%s %j only a question on the screen counts: %j', async (name, words, shown, outcome) => {
    const seen = await runNew(relay(name, words, shown), outcome === 'timeout' ? LIKELY_READ_MS + 3000 : TIMEOUT_MS);
    expect(seen).toMatchObject(outcome === 'timeout' ? { outcome } : { ...LIKELY, awaiting_input: { process: name } });
  });
});

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

describe.skipIf(process.platform !== 'linux')('bash that asks for the rest of a line of which something ran', () => {
  const inBash = async (setting = '') => {
    const { id } = await request(daemon, { cmd: 'create', cmd_args: [requireProgram('bash')] });
    const run = (command: string) => request(daemon, { cmd: 'run', id, command, timeout_ms: TIMEOUT_MS });
    if (setting !== '') expect(await run(setting)).toMatchObject({ outcome: 'done', exit_code: 0 });
    return { id, run };
  };

  it.each([
    ['echo one\nif', ['one'], ''],
    ['true\ncat <<X', [], ''],
    ['printf part\nif', ['part'], ''],
    ['echo one\nif', ['one'], "PS2='more: '"],
    // A prompt that a program asks with is its own.
    ['echo one\nread -e -p "name? "', ['one', 'name?'], ''],
  ])('%j: the lines are %j, without its prompt: %s', async (command, lines, setting) => {
    const { id, run } = await inBash(setting);
    expect(await run(command)).toMatchObject({ ...ASKS, lines });
    const { lines: ofCommand } = await request(daemon, { cmd: 'text', id, command: -1, trim: true });
    expect((ofCommand as string[]).filter((line) => line !== '')).toEqual(lines);
    await request(daemon, { cmd: 'kill', id });
  });

  it('has in its lines what the rest prints, also behind a line that `read` has continued', async () => {
    const { id, run } = await inBash();
    await run('echo one\nif');
    const typed = { cmd: 'type', id, submit: true, wait: { until: { done: true } } };
    expect(await request(daemon, { ...typed, text: 'true; then echo inner; fi' })).toMatchObject(MATCHED);
    const linesNow = async () => (await request(daemon, { cmd: 'text', id, command: -1, trim: true }))['lines'];
    expect(await linesNow()).toContain('inner');
    await run('read x; echo after');
    await request(daemon, { cmd: 'type', id, submit: true, text: 'ab\\', wait: { until: { text: '> ' } } });
    expect(await request(daemon, { ...typed, text: 'c' })).toMatchObject(MATCHED);
    expect(await linesNow()).toContain('after');
    await request(daemon, { cmd: 'kill', id });
  });

  it('takes no mark of it from a program that has none of its proofs', async () => {
    const { id, run } = await inBash();
    const forged = 'printf "\\033[?2004hone\\n\\033]133;P;k=s;aid=$$\\007two\\n"; read x';
    expect(await run(forged)).toMatchObject({ ...ASKS, lines: ['one', 'two'] });
    await request(daemon, { cmd: 'kill', id });
  });
});
