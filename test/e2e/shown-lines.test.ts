/**
 * Shells that mark no starts, where a typed line is not shown as it was typed: on a terminal without echo, and after a program
 * that has left the charset for lines behind.
 */
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { eventually } from '../support/eventually.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { itNeeds, requireProgram } from '../support/programs.js';
import { tempDir } from '../support/temp-dir.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ env: { HOME: '/no/such' } });
});
afterAll(() => daemon.stop());

/** busybox is its shell by that name. */
function programOf(shell: string): string {
  if (shell !== 'busybox') return requireProgram(shell);
  const link = path.join(daemon.dir, 'bin', 'ash');
  if (!existsSync(link)) {
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(requireProgram(shell), link);
  }
  return link;
}

const WAIT = { until: { done: true }, timeout_ms: 20_000 };

describe.each(['dash', 'mksh', 'busybox'])('in %s', (shell) => {
  itNeeds(shell)(
    'what a job prints behind a typed line is no part of it, and only the word of its end is among the lines',
    async () => {
      const { id } = await request(daemon, { cmd: 'create', cmd_args: [programOf(shell)], wait: WAIT });
      const go = path.join(tempDir().path, 'go');
      const job = `(while [ ! -e ${go} ]; do sleep 0.05; done; printf LATE) &`;
      await request(daemon, { cmd: 'send', id, input: `${job}\r`, wait: WAIT });
      const shows = (text: string) =>
        eventually(async () => {
          const { lines: screen } = await request(daemon, { cmd: 'text', id });
          expect((screen as string[]).join('\n')).toContain(text);
        });
      await request(daemon, { cmd: 'send', id, input: 'echo x' });
      await shows('echo x');
      writeFileSync(go, '');
      await shows('echo xLATE');
      await request(daemon, { cmd: 'send', id, input: '\r', wait: WAIT });
      const { commands } = await request(daemon, { cmd: 'commands', id, last: 1 });
      expect(commands).toMatchObject([{ command: 'echo x' }]);
      const { lines } = await request(daemon, { cmd: 'text', id, command: -1, trim: true });
      const [first, ...others] = lines as string[];
      expect(first).toBe('x');
      expect(others.join('')).toMatch(/^(?:\[1\][ +]+Done\b.*)?$/);
    },
  );

  itNeeds(shell)(
    'what a job prints at the prompt before a line is no part of it, nor is that line output',
    async () => {
      const { id } = await request(daemon, { cmd: 'create', cmd_args: [programOf(shell)], wait: WAIT });
      const go = path.join(tempDir().path, 'go');
      const job = `(while [ ! -e ${go} ]; do sleep 0.05; done; printf 'EAR%s\\n' LY) &`;
      await request(daemon, { cmd: 'send', id, input: `${job}\r`, wait: WAIT });
      writeFileSync(go, '');
      await request(daemon, { cmd: 'wait', id, until: { text: 'EARLY' }, timeout_ms: 20_000 });
      await request(daemon, { cmd: 'send', id, input: 'echo x\r', wait: WAIT });
      const { commands } = await request(daemon, { cmd: 'commands', id, last: 1 });
      expect(commands).toMatchObject([{ command: 'echo x' }]);
      const { lines } = await request(daemon, { cmd: 'text', id, command: -1, trim: true });
      const [first, ...others] = lines as string[];
      expect(first).toBe('x');
      expect(others.join('')).toMatch(/^(?:\[1\][ +]+Done\b.*)?$/);
    },
  );

  itNeeds(shell)('after a charset that was left over a command is itself, or unknown where it was edited', async () => {
    const { id } = await request(daemon, { cmd: 'create', cmd_args: [programOf(shell)], wait: WAIT });
    const type = (text: string) => request(daemon, { cmd: 'send', id, input: `${text}\r`, wait: WAIT });
    const last = async () => {
      const { commands } = await request(daemon, { cmd: 'commands', id, last: 1 });
      return (commands as { command: string | null }[])[0]?.command;
    };
    await type(String.raw`printf '\033(0'`);
    await type('echo a_line');
    expect(await last()).toBe('echo a_line');
    const text = await request(daemon, { cmd: 'text', id, command: -1, trim: true });
    expect(text['lines']).toHaveLength(1);
    await type('echo mistake\u0015echo right');
    expect([null, 'echo right']).toContain(await last());
    await request(daemon, { cmd: 'kill', id });
  });

  itNeeds(shell)('with echo off the lines of a command are what it printed', async () => {
    const { id } = await request(daemon, { cmd: 'create', cmd_args: [programOf(shell)], wait: WAIT });
    const run = (command: string) => request(daemon, { cmd: 'run', id, command, timeout_ms: 20_000 });
    await run('stty -echo');
    expect(await run('echo one; echo two')).toMatchObject({ lines: ['one', 'two'], lost_lines: 0 });
    expect(await run('sh -c "exit 3"')).toMatchObject({ exit_code: 3, lines: [] });
    expect(await run(String.raw`printf 'working\r\033[Kdone\nnext\n'`)).toMatchObject({ lines: ['done', 'next'] });
    await request(daemon, { cmd: 'type', id, text: 'echo typed', submit: true, wait: WAIT });
    const text = await request(daemon, { cmd: 'text', id, command: -1, trim: true });
    expect((text['lines'] as string[]).filter((line) => line !== '')).toEqual(['typed']);
  });
});

describe.each(['dash', 'mksh', 'busybox'])('in %s', (shell) => {
  itNeeds(shell)('a line that is longer than the screen is the command, and not among its lines', async () => {
    const { id } = await request(daemon, { cmd: 'create', cmd_args: [programOf(shell)], wait: WAIT });
    const command = `echo ${'word '.repeat(30)}| wc -w`;
    const ran = await request(daemon, { cmd: 'run', id, command, timeout_ms: 20_000 });
    expect(ran).toMatchObject({ outcome: 'done', exit_code: 0, lines: ['30'] });
    const { commands } = await request(daemon, { cmd: 'commands', id, last: 1 });
    expect(commands).toMatchObject([{ command }]);
  });
});

itNeeds('dash')('after a scroll region that was left over, the line itself is not among the lines', async () => {
  const { id } = await request(daemon, { cmd: 'create', cmd_args: [programOf('dash')], wait: WAIT });
  const run = (command: string) => request(daemon, { cmd: 'run', id, command, timeout_ms: 20_000 });
  await run(String.raw`printf '\033[5;10r'; seq 30`);
  for (const word of ['one', 'two', 'three']) {
    const ran = await run(`echo ${word}`);
    expect(ran).toMatchObject({ outcome: 'done', exit_code: 0, lines: [word], lost_lines: 0 });
  }
  await request(daemon, { cmd: 'kill', id });
});

itNeeds('busybox')('on a terminal of two columns its lines are those of the command alone', async () => {
  const create = { cmd: 'create', cmd_args: [programOf('busybox')], cols: 2, rows: 24, wait: WAIT };
  const { id } = await request(daemon, create);
  for (const word of ['one', 'two']) {
    const ran = await request(daemon, { cmd: 'run', id, command: `echo ${word}`, timeout_ms: 20_000 });
    expect(ran).toMatchObject({ outcome: 'done', lines: [word], lost_lines: 0 });
  }
  const { commands } = await request(daemon, { cmd: 'commands', id });
  expect(commands).toMatchObject([{ command: 'echo one' }, { command: 'echo two' }]);
});

itNeeds('busybox')('characters that its line editor shows as question marks are part of the typed line', async () => {
  for (const cols of [7, 11, 33, 80]) {
    const create = { cmd: 'create', cmd_args: [programOf('busybox')], cols, rows: 24, wait: WAIT };
    const { id } = await request(daemon, create);
    const typed = [
      'echo 漢字漢字漢字漢字x; sh -c "exit 4"',
      'for k in 1 2; do echo 字字字字字字$k é 🎉; done',
      'echo "漢字?"',
    ];
    const printed = [['漢字漢字漢字漢字x'], ['字字字字字字1 é 🎉', '字字字字字字2 é 🎉'], ['漢字?']];
    for (const [i, command] of typed.entries()) {
      const ran = await request(daemon, { cmd: 'run', id, command, timeout_ms: 20_000 });
      expect(ran).toMatchObject({ outcome: 'done', lines: printed[i], lost_lines: 0 });
    }
    const { commands } = await request(daemon, { cmd: 'commands', id });
    expect(commands).toMatchObject(typed.map((command) => ({ command })));
  }
});

describe.each(['dash', 'mksh', 'busybox'])('in %s', (shell) => {
  itNeeds(shell)('a command that clears the screen at once has all lines that it prints after that', async () => {
    const { id } = await request(daemon, { cmd: 'create', cmd_args: [programOf(shell)], wait: WAIT });
    const run = (command: string) => request(daemon, { cmd: 'run', id, command, timeout_ms: 20_000 });
    for (const erase of ['2J', '2J\\033[3J', 'J']) {
      const command = String.raw`printf '\033[H\033[${erase}'`.replaceAll('\\\\', '\\');
      expect(await run(`${command}; printf 'one\\ntwo\\n'`)).toMatchObject({ lines: ['one', 'two'], lost_lines: 0 });
      expect(await run('echo three')).toMatchObject({ lines: ['three'], lost_lines: 0 });
    }
  });
});

itNeeds('busybox')('a line of which a part was erased is the command that is left of it', async () => {
  const { id } = await request(daemon, { cmd: 'create', cmd_args: [programOf('busybox')], wait: WAIT });
  const text = `echo mistake\u0015echo ${'word '.repeat(30)}| wc -x\u007fw`;
  await request(daemon, { cmd: 'send', id, input: `${text}\r`, wait: WAIT });
  const { commands } = await request(daemon, { cmd: 'commands', id, last: 1 });
  expect(commands).toMatchObject([{ command: `echo ${'word '.repeat(30)}| wc -w` }]);
  const shown = await request(daemon, { cmd: 'text', id, command: -1, trim: true });
  expect((shown['lines'] as string[]).filter((line) => line !== '')).toEqual(['30']);
});
