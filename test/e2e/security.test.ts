/** Claims of docs/security.md about the daemon as a whole; the page names a test for each claim (lint/pages.test.ts). */
import { spawn } from 'node:child_process';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLI } from '../support/cli.js';
import { DIST, request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { tempDir } from '../support/temp-dir.js';

let daemon: TestDaemon;

beforeAll(async () => {
  const env = { NOTIFY_SOCKET: '/run/x', LISTEN_FDS: '3', T4A_SECRET: 'mine', TMUX: '/tmp/tmux', PLAIN: 'passed on' };
  daemon = await startDaemon({ env });
});
afterAll(() => daemon.stop());

async function run(command: string): Promise<string[]> {
  const reply = await request(daemon, { cmd: 'run', command });
  expect(reply['ok'], JSON.stringify(reply)).toBe(true);
  return reply['lines'] as string[];
}

describe('a program in a terminal', () => {
  it('has none of the descriptors of the daemon or of other terminals', async () => {
    await request(daemon, { cmd: 'create', cmd_args: ['cat'] });
    // 3 is the directory that ls itself reads.
    expect((await run('ls /proc/self/fd | tr "\\n" " "')).join('')).toBe('0 1 2 3');
  });

  it('does not inherit variables that are meant for the process of the daemon', async () => {
    const lines = await run('env | grep -E "^(NOTIFY|LISTEN|NODE_CH|NODE_UN|TMUX|T4A_|PLAIN)" | sort');
    expect(lines).toEqual([
      'PLAIN=passed on',
      `T4A_SOCKET=${daemon.socketPath}`,
      expect.stringMatching(/^T4A_TERMINAL=/),
    ]);
  });

  it('gets no answer that contains the title, the clipboard or the screen', async () => {
    const titles = '\\033]0;evil\\007\\033]2;evil\\007\\033[21t\\033[20t\\033[22;0t';
    const clipboard = '\\033]52;c;ZXZpbA==\\007\\033]52;c;?\\007';
    const others = '\\005\\033[1;1;1;1;5;5*y\\033P+q544e\\033\\\\';
    // The last question is answered: whatever came before it would have been an answer to the others.
    const script = `stty raw -echo; printf '${titles}${clipboard}${others}\\033[5n'; head -c 4 | od -An -c; stty sane`;
    const [said = ''] = await run(script);
    expect(said.trim().replaceAll(/ +/g, ' ')).toBe('033 [ 0 n');
  });
});

describe('files of the daemon', () => {
  it('are accessible only to their owner', () => {
    const names = readdirSync(daemon.dir).filter((name) => name.startsWith('s'));
    expect(names.toSorted()).toEqual(['s', 's.lock']);
    for (const name of names) expect(statSync(`${daemon.dir}/${name}`).mode & 0o777, name).toBe(0o600);
  });
});

describe('lock and socket of the daemon', () => {
  it('are closed to other users from their first instant, under any umask', async () => {
    const { path: place } = tempDir();
    const planted = `${place}/planted.cjs`;
    // At the first look that a program could take: when a name appears, and when the socket gets its own.
    writeFileSync(
      planted,
      `const fs = require('node:fs');
       const tell = (name) => fs.writeSync(2, 'MODE ' + (fs.lstatSync(name).mode & 0o777).toString(8) + '\\n');
       for (const call of ['renameSync', 'linkSync']) {
         const real = fs[call];
         fs[call] = (from, to) => { tell(from); real(from, to); tell(to); };
       }
       require('node:module').syncBuiltinESMExports();`,
    );
    const script = 'umask 0; exec "$0" --require "$1" "$2" --socket "$3"';
    const asked = ['-c', script, process.execPath, planted, `${DIST}daemon.cjs`, `${place}/s`];
    const open = spawn('sh', asked, { stdio: ['ignore', 'ignore', 'pipe'] });
    let log = '';
    for await (const chunk of open.stderr) {
      log += String(chunk);
      if (log.includes('listens on')) open.kill('SIGTERM');
    }
    // Two names of the lock, two of the socket.
    expect(log.match(/MODE \d+/g)).toEqual(Array.from({ length: 4 }, () => 'MODE 600'));
  });
});

describe('the command line on a terminal', () => {
  it('prints active characters of program output in an escaped form', async () => {
    await run(':');
    await request(daemon, {
      cmd: 'create',
      name: 'evil',
      cmd_args: ['sh', '-c', 'printf "a\\342\\200\\256b"; exec cat'],
    });
    const wait = { cmd: 'wait', id: 'evil', until: { text: 'b' } };
    expect(await request(daemon, wait)).toMatchObject({ outcome: 'matched' });
    const asked = [process.execPath, CLI, '--socket', daemon.socketPath, 'text', 'evil'];
    const { lines } = await request(daemon, { cmd: 'run', cmd_args: asked });
    expect((lines as string[])[0]).toBe('a\\u202eb');
  });
});
