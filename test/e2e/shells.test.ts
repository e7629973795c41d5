/** Whole turns with real shells: a line is sent, and the reply reports how its command ended. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { fishMarksItself } from '../support/fish.js';
import { casesOf } from '../support/trial.js';
import { EventStream } from '../support/wait-for.js';
import { itCannot, itNeeds, requireProgram } from '../support/programs.js';

/** In a home that can be written zsh asks a new user what its files shall say. */
const NO_HOME = '/dev/null/home';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ env: { HOME: NO_HOME, XDG_CONFIG_HOME: NO_HOME } });
});
afterAll(() => daemon.stop());

type Reply = Record<string, unknown> & { wait: Record<string, unknown>; observed: { lines: string[] } };

const DONE = { until: { done: true }, timeout_ms: 20_000 };

async function createShell(shell: string, fields: object = {}): Promise<string> {
  const command = { cmd: 'create', cmd_args: [requireProgram(shell)], wait: DONE, ...fields };
  const reply = (await request(daemon, command)) as Reply & { id: string };
  expect(reply.wait).toMatchObject({ outcome: 'matched' });
  return reply.id;
}

async function run(id: string, line: string, fields: object = {}): Promise<Reply> {
  const turn = { cmd: 'send', id, input: `${line}\r`, wait: DONE, observe: { text: true }, ...fields };
  return (await request(daemon, turn)) as Reply;
}

async function commandsOf(id: string): Promise<Record<string, unknown>[]> {
  return ((await request(daemon, { cmd: 'commands', id })) as { commands: Record<string, unknown>[] }).commands;
}

/** How each shell spells the same. */
const SPELLING = {
  bash: { fail: '(exit 7)', multi: 'for i in 1 2; do echo line$i; done', background: 'sleep 30 &' },
  zsh: { fail: '(exit 7)', multi: 'for i in 1 2; do echo line$i; done', background: 'sleep 30 &' },
  fish: { fail: 'sh -c "exit 7"', multi: 'for i in 1 2; echo line$i; end', background: 'sleep 30 &' },
} as const;

describe.each(['bash', 'zsh', 'fish'] as const)('%s', (shell) => {
  it('is done with each line exactly when its command has ended, with its exit code and all of its output', async () => {
    const id = await createShell(shell);
    const { fail, multi, background } = SPELLING[shell];
    expect((await run(id, 'echo one')).wait).toMatchObject({ outcome: 'matched', code: 0 });
    expect((await run(id, fail)).wait).toMatchObject({ outcome: 'matched', code: 7 });
    const looped = await run(id, multi);
    expect(looped.observed.lines).toEqual(expect.arrayContaining(['one', 'line1', 'line2']));
    const slow = await run(id, 'echo begun; sleep 0.4; echo ended');
    expect(slow.wait).toMatchObject({ outcome: 'matched', code: 0 });
    expect(Number(slow.wait['elapsed_ms'])).toBeGreaterThanOrEqual(400);
    expect(slow.observed.lines).toContain('ended');
    expect((await run(id, background)).wait).toMatchObject({ outcome: 'matched', code: 0 });
    expect((await run(id, '')).wait).toMatchObject({ outcome: 'matched' });
    expect((await run(id, 'seq 1 500')).wait).toMatchObject({ outcome: 'matched', code: 0 });

    const records = await commandsOf(id);
    expect(records.map(({ command }) => command)).toEqual([
      'echo one',
      fail,
      multi,
      'echo begun; sleep 0.4; echo ended',
      background,
      'seq 1 500',
    ]);
    expect(records.map(({ code }) => code)).toEqual([0, 7, 0, 0, 0, 0]);
    expect(records.at(-1)).toMatchObject({ running: false, output_rows: 500, cwd: daemon.dir });
    // From mark to mark as they were parsed: a busy machine may see the first one late.
    expect(Number(records[3]?.['duration_ms'])).toBeGreaterThan(200);
    await request(daemon, { cmd: 'kill', id });
  });

  it('returns the output of a command at every width, or command_not_found if its place is lost', async () => {
    const id = await createShell(shell);
    const long = Array.from({ length: 30 }, (_, i) => i).join('-');
    await run(id, `echo ${long}; echo ${long}; echo end`);
    await run(id, 'seq 1 60');
    await run(id, 'printf cut');
    for (const cols of [40, 131, 33, 80]) {
      await request(daemon, { cmd: 'resize', id, cols, rows: 24 });
      const textOf = (command: number) => request(daemon, { cmd: 'text', id, command, trim: true, join_wrapped: true });
      expect(await textOf(1), `${cols} columns`).toMatchObject({ lines: [long, long, 'end'] });
      expect((await textOf(2))['lines'], `${cols} columns`).toEqual(Array.from({ length: 60 }, (_, i) => `${i + 1}`));
      expect(await textOf(3)).toMatchObject({ code: 'command_not_found' });
    }
    expect((await run(id, 'echo after')).wait).toMatchObject({ code: 0 });
    expect(await request(daemon, { cmd: 'text', id, command: -1, trim: true })).toMatchObject({ lines: ['after'] });
    await request(daemon, { cmd: 'kill', id });
  });

  it('returns the output of a command by its number, and counts lines that have scrolled away', async () => {
    const id = await createShell(shell, { scrollback: 300 });
    await run(id, 'echo alone; echo again');
    await run(id, 'seq 1 100');
    await run(id, 'seq 1 1000');
    const textOf = (command: number) => request(daemon, { cmd: 'text', id, command, trim: true });
    expect(await textOf(1)).toMatchObject({ lines: [], total_lines: 0, lost_lines: 2 });
    const last = await textOf(-1);
    expect(last).toMatchObject({ region: 'command', lines: expect.arrayContaining(['900', '1000']) as unknown });
    expect(Number(last['lost_lines']) + Number(last['total_lines'])).toBe(1000);
    await request(daemon, { cmd: 'kill', id });

    const fresh = await createShell(shell);
    await run(fresh, 'echo alone; echo again');
    await run(fresh, 'seq 1 100');
    const first = await request(daemon, { cmd: 'text', id: fresh, command: 1, trim: true });
    expect(first).toMatchObject({ lines: ['alone', 'again'], total_lines: 2, lost_lines: 0 });
    expect((await request(daemon, { cmd: 'text', id: fresh, command: -1 }))['total_lines']).toBe(100);
    expect(await request(daemon, { cmd: 'text', id: fresh, command: 7 })).toMatchObject({ code: 'command_not_found' });
    await request(daemon, { cmd: 'kill', id: fresh });
  });

  it('is done with a line sent before its first prompt only when its command has ended', async () => {
    const { id } = await request(daemon, { cmd: 'create', cmd_args: [requireProgram(shell)] });
    const { wait, observed } = await run(String(id), 'sleep 0.3; echo said');
    expect(wait).toMatchObject({ outcome: 'matched', code: 0 });
    expect(observed.lines).toContain('said');
    await request(daemon, { cmd: 'kill', id });
  });

  it('publishes its commands and directories as events, each command once', async () => {
    const id = await createShell(shell);
    const types = ['command_started', 'command_done', 'cwd'];
    const events = await EventStream.open(daemon.socketPath, { terminal: id, types });
    await run(id, 'cd /');
    await run(id, 'echo x; false');
    const told = [];
    for (let i = 0; i < 5; i++) told.push(await events.next());
    expect(told).toMatchObject([
      { event: 'command_started', command: 'cd /' },
      { event: 'command_done', command: 'cd /', code: 0 },
      { event: 'cwd', cwd: '/' },
      { event: 'command_started', command: 'echo x; false' },
      { event: 'command_done', command: 'echo x; false', code: 1 },
    ]);
    events.close();
    await request(daemon, { cmd: 'kill', id });
  });

  it('awaits input at its prompt, as a program in it awaits its own', async () => {
    const id = await createShell(shell);
    const atPrompt = await request(daemon, { cmd: 'wait', id, until: { awaiting_input: true } });
    expect(atPrompt).toMatchObject({
      outcome: 'matched',
      awaiting_input: { kind: 'raw', certain: true, process: shell },
    });
    const cat = await run(id, 'cat', { wait: { until: [{ awaiting_input: 'line' }, { done: true }] } });
    expect(cat.wait).toMatchObject({ outcome: 'matched', index: 0, awaiting_input: { process: 'cat', certain: true } });
    expect(await request(daemon, { cmd: 'status', id })).toMatchObject({
      awaiting_input: { kind: 'line', process: 'cat' },
      last_command: { command: 'cat', running: true },
    });
    const ended = await request(daemon, { cmd: 'send', id, input: '\x04', wait: DONE });
    expect(ended).toMatchObject({ wait: { outcome: 'matched', code: 0 } });
    await request(daemon, { cmd: 'kill', id });
  });

  it('runs commands without records with shell_integration false, unless it marks itself', async () => {
    const { id } = await request(daemon, {
      cmd: 'create',
      cmd_args: [requireProgram(shell)],
      shell_integration: false,
    });
    const command = 'echo "<$T4A_TERMINAL>"';
    const typed = { cmd: 'send', id, input: `${command}\r` };
    const reply = (await request(daemon, { ...typed, wait: { until: { text: `<${String(id)}>` } } })) as Reply;
    expect(reply.wait).toMatchObject({ outcome: 'matched' });
    const tellsItself = shell === 'fish' && fishMarksItself();
    expect((await commandsOf(String(id))).map((record) => record['command'])).toEqual(tellsItself ? [command] : []);
    await request(daemon, { cmd: 'kill', id });
  });
});

/** Each of them done with; `code` is that of the last command before. Lines that a shell cannot read: refused-lines.test.ts. */
const NO_COMMANDS = {
  bash: ['', '# a comment', '  '],
  zsh: ['', '  '],
  fish: ['', '# a comment', '  '],
} as const;

const INNER = ['bash', 'zsh', 'fish', 'dash'] as const;
const INNER_IN_SUITE = { bash: 'dash', zsh: 'bash', fish: 'fish' } as const;

describe.each(['bash', 'zsh', 'fish'] as const)('%s in special cases', (shell) => {
  it('is done at once with blank lines and comments, and records no command', async () => {
    const id = await createShell(shell);
    await run(id, SPELLING[shell].fail);
    for (const line of NO_COMMANDS[shell]) {
      const { wait } = await run(id, line);
      expect({ line, ...wait }).toMatchObject({ line, outcome: 'matched', exit_code: null, nothing_ran: true });
    }
    expect(await commandsOf(id)).toMatchObject([{ code: 7 }]);
    expect((await run(id, 'echo fine')).wait).toMatchObject({ outcome: 'matched', code: 0 });
    await request(daemon, { cmd: 'kill', id });
  });

  it('is done after Ctrl+C at its prompt, with or without text, and within a command of several lines', async () => {
    const id = await createShell(shell);
    for (const input of ['\x03', 'typed\x03']) {
      // A SIGINT between zsh's prompt and its read is noticed by zsh only at the next key.
      const atPrompt = await request(daemon, { cmd: 'wait', id, until: { awaiting_input: 'raw' } });
      expect(atPrompt).toMatchObject({ outcome: 'matched' });
      const reply = await request(daemon, { cmd: 'send', id, input, wait: DONE });
      expect(reply).toMatchObject({ wait: { outcome: 'matched' } });
    }
    // Not done: the shell asks for the rest of it.
    const unfinished = await run(id, 'echo "one', {
      wait: { until: [{ done: true }, { awaiting_input: 'raw' }], timeout_ms: 20_000 },
    });
    expect(unfinished.wait).toMatchObject({ outcome: 'matched', index: 1 });
    const dropped = await request(daemon, { cmd: 'send', id, input: '\x03', wait: DONE });
    expect(dropped).toMatchObject({ wait: { outcome: 'matched' } });
    const whole = await run(id, 'echo "one\rtwo"');
    expect(whole).toMatchObject({ wait: { outcome: 'matched', code: 0 } });
    expect(whole.observed.lines.slice(-3, -1)).toEqual(['one', 'two']);
    expect(await commandsOf(id)).toHaveLength(1);
    await request(daemon, { cmd: 'kill', id });
  });

  it('is done with several lines when the last has ended, and records none that a program reads', async () => {
    const id = await createShell(shell);
    const three = await run(id, 'echo one\rsleep 0.3\rsh -c "exit 4"');
    expect(three.wait).toMatchObject({ outcome: 'matched', code: 4 });
    expect(await commandsOf(id)).toHaveLength(3);
    // A line that a program reads is no command. (Enter in raw mode would be no line's end for it.)
    const read = await run(id, 'head -n 1\nfor the program\n');
    expect(read.wait).toMatchObject({ outcome: 'matched', code: 0 });
    expect(await commandsOf(id)).toHaveLength(4);
    await request(daemon, { cmd: 'kill', id });
  });

  it.each(casesOf(INNER, (inner) => inner === INNER_IN_SUITE[shell]))(
    'is done after commands of %s, inside it or in its place, with codes only if that marks itself',
    async (inner) => {
      const quietly = { bash: 'bash --norc', zsh: 'zsh -f', fish: 'fish --no-config', dash: 'dash' }[inner];
      const tellsItself = requireProgram(inner).endsWith('fish') && fishMarksItself();
      for (const line of [quietly, `exec ${quietly}`]) {
        const id = await createShell(shell);
        expect((await run(id, line)).wait).toMatchObject({ outcome: 'matched', code: null });
        const slow = await run(id, 'sleep 0.4; echo slow; false');
        expect(slow.wait).toMatchObject({ outcome: 'matched', code: tellsItself ? 1 : null });
        expect(Number(slow.wait['elapsed_ms'])).toBeGreaterThanOrEqual(400);
        expect(slow.observed.lines).toContain('slow');
        const inIt = tellsItself ? [{ command: 'sleep 0.4; echo slow; false', running: false, code: 1 }] : [];
        expect(await commandsOf(id)).toMatchObject([{ command: line, running: true, code: null }, ...inIt]);
        const left = await run(id, 'exit 3');
        if (line === quietly) {
          expect(left.wait).toMatchObject({ outcome: 'matched', code: 3 });
          expect((await run(id, 'true')).wait).toMatchObject({ outcome: 'matched', code: 0 });
        } else expect(left.wait).toMatchObject({ outcome: 'exited' });
        await request(daemon, { cmd: 'kill', id });
      }
    },
  );
});

it('a question of a script or of a builtin of an integrated shell is no prompt', async () => {
  const id = await createShell('bash');
  const until = [{ done: true }, { awaiting_input: 'raw' }];
  const lines = ['read -n 1 -s key', 'bash -c "read -n 1 key"', 'read -e line'];
  for (const line of casesOf(lines, (each) => each === 'read -e line')) {
    const asking = await run(id, line, { wait: { until, timeout_ms: 20_000 } });
    expect({ line, ...asking.wait }).toMatchObject({ line, outcome: 'matched', index: 1 });
    const answered = await request(daemon, {
      cmd: 'send',
      id,
      input: line === 'read -e line' ? 'k\r' : 'k',
      wait: DONE,
    });
    expect(answered).toMatchObject({ wait: { outcome: 'matched', code: 0 } });
  }
  await request(daemon, { cmd: 'kill', id });
});

it('a question of a fish builtin is no prompt, even if fish marks it as one', async () => {
  const id = await createShell('fish');
  const until = [{ done: true }, { awaiting_input: 'raw' }];
  const lines = casesOf(
    ["read --prompt-str 'name? ' name", 'sleep 0.1; read name', 'read --silent name'],
    (each) => each === 'sleep 0.1; read name',
  );
  for (const line of lines) {
    const asking = await run(id, line, { wait: { until, timeout_ms: 20_000 } });
    expect({ line, ...asking.wait }).toMatchObject({ line, outcome: 'matched', index: 1 });
    expect(await request(daemon, { cmd: 'run', id, command: 'true' })).toMatchObject({ code: 'shell_busy' });
    const answered = await request(daemon, { cmd: 'send', id, input: 'me\r', wait: DONE });
    expect(answered).toMatchObject({ wait: { outcome: 'matched', code: 0 } });
  }
  expect(await commandsOf(id)).toMatchObject(lines.map(() => ({ code: 0 })));
  await request(daemon, { cmd: 'kill', id });
});

itNeeds('bash')('a builtin that reads counts as a prompt in a shell without integration', async () => {
  const id = String((await request(daemon, { cmd: 'create', cmd_args: ['bash', '--norc'] }))['id']);
  expect(await request(daemon, { cmd: 'wait', id, until: { done: true } })).toMatchObject({
    outcome: 'matched',
    code: null,
  });
  expect((await run(id, 'read -n 1 -s key')).wait).toMatchObject({ outcome: 'matched', code: null });
  expect(await commandsOf(id)).toEqual([]);
  await request(daemon, { cmd: 'kill', id });
});

const itHasFish4 = fishMarksItself() ? it : itCannot('fish 4');

describe('a fish that marks itself', () => {
  itHasFish4('reports its commands without integration', async () => {
    const id = await createShell('fish', { shell_integration: false });
    expect((await run(id, 'sh -c "exit 7"')).wait).toMatchObject({ outcome: 'matched', code: 7 });
    for (const line of ['', '# a comment', '  ']) {
      expect((await run(id, line)).wait).toMatchObject({ outcome: 'matched', code: 7 });
    }
    const three = await run(id, 'echo one\rsleep 0.3\rsh -c "exit 4"');
    expect(three.wait).toMatchObject({ outcome: 'matched', code: 4 });
    const runs = (command: string) => request(daemon, { cmd: 'run', id, command, timeout_ms: 20_000 });
    expect(await runs('echo out; sh -c "exit 3"')).toMatchObject({ outcome: 'done', exit_code: 3, lines: ['out'] });
    for (const line of ['echo )', 'echo "unfinished']) expect(await runs(line)).toMatchObject({ outcome: 'not_run' });
    expect(await runs('echo fine')).toMatchObject({ outcome: 'done', exit_code: 0, lines: ['fine'] });
    expect((await commandsOf(id)).map(({ command, code }) => [command, code])).toEqual([
      ['sh -c "exit 7"', 7],
      ['echo one', 0],
      ['sleep 0.3', 0],
      ['sh -c "exit 4"', 4],
      ['echo out; sh -c "exit 3"', 3],
      ['echo fine', 0],
    ]);
    await request(daemon, { cmd: 'kill', id });
  });

  itHasFish4.each(['bash', 'fish'])(
    'reports its commands inside an integrated %s, which reports its own afterwards',
    async (outer) => {
      const id = await createShell(outer);
      expect((await run(id, 'fish --no-config')).wait).toMatchObject({ outcome: 'matched' });
      expect((await run(id, 'sh -c "exit 7"')).wait).toMatchObject({ outcome: 'matched', code: 7 });
      expect((await run(id, '# a comment')).wait).toMatchObject({ outcome: 'matched', code: 7 });
      const back = await request(daemon, { cmd: 'send', id, input: '\x04', wait: DONE });
      // To fish a comment is a success, though no command.
      expect(back).toMatchObject({ wait: { outcome: 'matched', code: 0 } });
      expect((await run(id, 'sh -c "exit 4"')).wait).toMatchObject({ outcome: 'matched', code: 4 });
      expect((await commandsOf(id)).map(({ command, code }) => [command, code])).toEqual([
        ['fish --no-config', 0],
        ['sh -c "exit 7"', 7],
        ['sh -c "exit 4"', 4],
      ]);
      await request(daemon, { cmd: 'kill', id });
    },
  );

  itHasFish4.each([true, false])('drops a typed line on Ctrl+C, with integration %s', async (integrated) => {
    const id = await createShell('fish', { shell_integration: integrated });
    await request(daemon, { cmd: 'type', id, text: 'typed', wait: { until: { text: 'typed' }, timeout_ms: 20_000 } });
    const pressed = await request(daemon, { cmd: 'press', id, keys: ['Ctrl+C'], wait: DONE });
    expect(pressed).toMatchObject({ wait: { outcome: 'matched' } });
    const next = await request(daemon, { cmd: 'run', id, command: 'echo fine', timeout_ms: 20_000 });
    expect(next).toMatchObject({ outcome: 'done', lines: ['fine'] });
    expect(await commandsOf(id)).toMatchObject([{ command: 'echo fine' }]);
    await request(daemon, { cmd: 'kill', id });
  });
});

it('a hook of the user and the injected ones publish each command once', async () => {
  const id = await createShell('bash');
  await run(id, String.raw`PROMPT_COMMAND='printf "\e]7777;done;%s\a" $?'`);
  const events = await EventStream.open(daemon.socketPath, { terminal: id, types: ['command_done'] });
  await run(id, '(exit 5)');
  await run(id, '');
  await run(id, 'true');
  expect(await events.next()).toMatchObject({ code: 5, command: '(exit 5)' });
  expect(await events.next()).toMatchObject({ code: 0, command: 'true' });
  events.close();
  await request(daemon, { cmd: 'kill', id });
});

it('a hook in an inner shell publishes its commands, and then the outer shell publishes its end', async () => {
  const id = await createShell('bash');
  const events = await EventStream.open(daemon.socketPath, { terminal: id, types: ['command_done'] });
  const inner = String.raw`PS1='inner> ' PROMPT_COMMAND='printf "\e]7777;done;%s\a" $?' bash --norc`;
  await run(id, inner, { wait: { until: { text: 'inner> ' } } });
  await run(id, '(exit 6)', { wait: { until: { event: 'command_done' } } });
  const back = await run(id, 'exit 9');
  expect(back.wait).toMatchObject({ outcome: 'matched', code: 9 });
  const codes = [];
  for (let i = 0; i < 3; i++) codes.push((await events.next())['code']);
  // The inner shell's hook tells an end at its first prompt, too.
  expect(codes).toEqual([0, 6, 9]);
  events.close();
  await request(daemon, { cmd: 'kill', id });
});
