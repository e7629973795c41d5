/** `run` at the prompt of an existing shell: its replies, and the state of the shell afterwards. */
import { writeFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { requireProgram } from '../support/programs.js';
import { RawConnection, rawRequest } from '../support/raw.js';
import { tempDir } from '../support/temp-dir.js';
import { casesOf } from '../support/trial.js';
import { EventStream } from '../support/wait-for.js';

/** In a home that can be written zsh asks a new user what its files shall say. */
const NO_HOME = '/dev/null/home';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ env: { HOME: NO_HOME, XDG_CONFIG_HOME: NO_HOME } });
});
afterAll(() => daemon.stop());

async function create(shell: string, fields: object = {}): Promise<string> {
  const { id } = await request(daemon, { cmd: 'create', cmd_args: [requireProgram(shell)], ...fields });
  return String(id);
}

const run = (id: string, command: string, fields: object = {}) =>
  request(daemon, { cmd: 'run', id, command, timeout_ms: 20_000, ...fields });

const runWords = (id: string, words: readonly string[]) =>
  request(daemon, { cmd: 'run', id, cmd_args: words, timeout_ms: 20_000 });

const send = (id: string, input: string, until: object) =>
  request(daemon, { cmd: 'send', id, input, wait: { until, timeout_ms: 20_000 } });

/** Prints its arguments in a form that no shell and no screen touches. */
const HEX = 'for word; do printf %s "$word" | od -An -v -tx1 | tr -d " \\n"; printf .; done';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

it('several lines for a bash in posix mode, which draws its prompt again with them, are run', async () => {
  const home = tempDir();
  writeFileSync(home.join('.bashrc'), 'set -o posix\n');
  for (let i = 0; i < 3; i++) {
    const id = await create('bash', { env: { HOME: home.join('.') }, wait: { until: { done: true } } });
    expect(await run(id, 'if true\nthen echo run\nfi')).toMatchObject({
      outcome: 'done',
      exit_code: 0,
      lines: ['run'],
    });
    await request(daemon, { cmd: 'kill', id });
  }
});

it('in bash that marks no starts the output of a command is found, also after a clear, in a region, and without an end of its last line', async () => {
  const id = await create('bash', { wait: { until: { done: true } } });
  expect(await run(id, 'shopt -u promptvars')).toMatchObject({ outcome: 'done' });
  expect(await run(id, 'printf abc')).toMatchObject({ lines: ['abc'], lost_lines: 0 });
  expect(await run(id, 'true')).toMatchObject({ lines: [], lost_lines: 0 });
  for (const clear of ['\\033[H\\033[2J\\033[3J', '\\033c']) {
    const command = `seq 40; printf '${clear}'; echo one; echo two`;
    expect(await run(id, command)).toMatchObject({ lines: ['one', 'two'], lost_lines: 40 });
    expect(await run(id, command)).toMatchObject({ lines: ['one', 'two'], lost_lines: 40 });
  }
  // At the end of a region that a program has left behind.
  expect(await run(id, `printf '\\033[3;6r\\033[6H'`)).toMatchObject({ outcome: 'done' });
  expect(await run(id, 'echo one; echo two')).toMatchObject({ lines: ['one', 'two'], lost_lines: 0 });
  expect(await run(id, 'seq 5')).toMatchObject({ lines: ['3', '4', '5'], lost_lines: 2 });
  await request(daemon, { cmd: 'kill', id });
});

it('several lines for bash that are refused are reported as such', async () => {
  const id = await create('bash', { wait: { until: { done: true } } });
  expect(await run(id, 'if true\nthen )\nfi')).toMatchObject({ outcome: 'not_run', exit_code: null });
  expect(await run(id, 'echo next')).toMatchObject({ outcome: 'done', lines: ['next'] });
  await request(daemon, { cmd: 'kill', id });
});

describe.each(SHELLS)('in %s', (shell) => {
  it('returns exit code, output, number, directory, and the seq from which events continue', async () => {
    const id = await create(shell);
    const failed = await run(id, 'echo one; sh -c "exit 7"');
    expect(failed).toMatchObject({
      ok: true,
      id,
      outcome: 'done',
      exit_code: 7,
      signal: null,
      lines: ['one'],
      omitted_lines: 0,
      lost_lines: 0,
      n: 1,
      cwd: daemon.dir,
    });
    const events = await EventStream.open(daemon.socketPath, { terminal: id, since: failed['seq'] });
    expect(await run(id, 'cd /')).toMatchObject({ outcome: 'done', exit_code: 0, lines: [], n: 2, cwd: '/' });
    expect(await events.until('command_started')).toMatchObject({ command: 'cd /' });
    events.close();
    expect(await run(id, 'pwd')).toMatchObject({ lines: ['/'] });
    const release = tempDir().join('release');
    const slow = run(id, `echo begun; sh -c 'until [ -e ${release} ]; do sleep 0.01; done'`);
    // 200 ms of the daemon, from where it has read the start of the command to where the command may end.
    expect(await request(daemon, { cmd: 'wait', id, until: { regex: '^begun' } })).toMatchObject({
      outcome: 'matched',
    });
    const late = await request(daemon, { cmd: 'wait', id, until: { exit: true }, timeout_ms: 200 });
    expect(late).toMatchObject({ outcome: 'timeout' });
    writeFileSync(release, '');
    expect(Number((await slow)['duration_ms'])).toBeGreaterThan(150);
    await request(daemon, { cmd: 'kill', id });
  });

  it('passes each word of cmd_args to the program unchanged, with any characters', async () => {
    const id = await create(shell, { cols: 400 });
    const word = fc.string({
      unit: fc.constantFrom(...Array.from('aZ09 \'"\\$`!#&|;<>(){}[]*?~=^%@-.,\n\t\u00e9\u4e16')),
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 4 }), async (words) => {
        const reply = await runWords(id, ['sh', '-c', HEX, 'sh', ...words]);
        expect(reply).toMatchObject({ outcome: 'done', exit_code: 0 });
        const expected = words.map((each) => `${Buffer.from(each).toString('hex')}.`).join('');
        expect(reply['lines']).toEqual([expected]);
      }),
      { numRuns: 25 },
    );
    await request(daemon, { cmd: 'kill', id });
  });

  it('returns not_run for lines that the shell refuses, and leaves a clean command line', async () => {
    const id = await create(shell);
    const broken = await run(id, 'echo )');
    expect(broken).toMatchObject({ outcome: 'not_run', exit_code: null });
    expect((broken['lines'] as string[]).join('\n')).toMatch(/\)/);
    expect(await run(id, 'echo "unfinished')).toMatchObject({ outcome: 'not_run', exit_code: null });
    expect(await run(id, 'echo fine')).toMatchObject({ outcome: 'done', exit_code: 0, lines: ['fine'] });
    await request(daemon, { cmd: 'kill', id });
  });
});

describe.each([...SHELLS, 'dash'])('in %s', (shell) => {
  it('returns the blank lines at the end of the output, and none of the screen below it', async () => {
    const id = await create(shell);
    const printed: [string, string[]][] = [
      [String.raw`printf '\n\n'`, ['', '']],
      [String.raw`printf 'x\n\n'`, ['x', '']],
      ['printf x', ['x']],
      ['true', []],
    ];
    for (const [command, lines] of printed)
      expect(await run(id, command)).toMatchObject({ outcome: 'done', lines, omitted_lines: 0 });
  });

  it('returns the lines of the command alone after a clear, and on a screen that a killed program left behind', async () => {
    const id = await create(shell);
    expect(await run(id, 'seq 30')).toMatchObject({ outcome: 'done' });
    // What is erased below other lines is drawn anew: that is how programs show their progress.
    for (const [clear, lines, lost] of [
      ['\\033[H\\033[2J\\033[3J', ['hi'], 5],
      ['\\033[H\\033[J', ['hi'], 5],
      ['\\033c', ['hi'], 5],
      ['\\033[2A\\033[J', ['1', '2', '3', 'hi'], 0],
    ] as const) {
      expect(await run(id, `seq 5; printf '${clear}'; echo hi`)).toMatchObject({ lines, lost_lines: lost });
    }
    const marked = "printf '\\033[2J\\033[H\\033]133;A;aid=1\\007one\\ntwo\\n'";
    expect(await run(id, marked)).toMatchObject({ lines: ['one', 'two'], lost_lines: 0 });
    await run(id, "printf '\\033[?1049h\\033[2J\\033[HMENU\\n'");
    expect(await run(id, 'echo hi')).toMatchObject({ lines: ['hi'], lost_lines: 0 });
    expect(await request(daemon, { cmd: 'text', id, command: -1, trim: true })).toMatchObject({ lines: ['hi'] });
    expect(await run(id, 'seq 40')).toMatchObject({ lost_lines: 17 });
    // What a command has written there is lost once it leaves that screen; a screen of its own is no output.
    const back = "printf 'one\\ntwo\\n\\033[?1049h\\033[HTUI\\033[?1049lafter\\n'";
    expect(await run(id, back)).toMatchObject({ lines: ['after'], lost_lines: 2 });
    expect(await run(id, back)).toMatchObject({ lines: ['one', 'two', 'after'], lost_lines: 0 });
    await request(daemon, { cmd: 'kill', id });
  });
});

describe.each(casesOf(SHELLS, (shell) => shell === 'bash'))('also in %s', (shell) => {
  it('runs a command of several lines as one, and returns the last exit code', async () => {
    const id = await create(shell);
    const reply = await run(id, 'echo first\nsleep 0.2\necho second\nfalse');
    expect(reply).toMatchObject({ outcome: 'done', exit_code: 1, lines: ['first', 'second'] });
    expect(await run(id, 'echo third')).toMatchObject({ lines: ['third'] });
    await request(daemon, { cmd: 'kill', id });
  });

  it('keeps head and tail of a long output, and counts lines that the scrollback has lost', async () => {
    const id = await create(shell, { scrollback: 200 });
    expect(await run(id, 'seq 100', { max_lines: 4 })).toMatchObject({
      lines: ['1', '2', '99', '100'],
      omitted_lines: 96,
      lost_lines: 0,
    });
    const long = await run(id, 'seq 1000', { max_lines: 100_000 });
    expect((long['lines'] as string[]).at(-1)).toBe('1000');
    expect(Number(long['lost_lines']) + (long['lines'] as string[]).length).toBe(1000);
    await request(daemon, { cmd: 'kill', id });
  });

  it('leaves a command running after its deadline, with the outcome timeout', async () => {
    const id = await create(shell);
    await run(id, 'true');
    const late = await run(id, 'echo begun; sleep 60', { timeout_ms: 1500 });
    expect(late).toMatchObject({ outcome: 'timeout', exit_code: null, lines: ['begun'], n: 2 });
    expect(await run(id, 'true')).toMatchObject({ ok: false, code: 'shell_busy' });
    expect(await request(daemon, { cmd: 'status', id })).toMatchObject({ last_command: { running: true } });
    const stopped = await send(id, '\x03', { done: true });
    expect(stopped).toMatchObject({ wait: { outcome: 'matched', code: 130 } });
    expect(await run(id, 'echo again')).toMatchObject({ outcome: 'done', lines: ['again'] });
    await request(daemon, { cmd: 'kill', id });
  });

  it('returns the exit code of a command that Ctrl+C ends', async () => {
    const id = await create(shell);
    // Says it once it is the one that the key will end.
    const running = run(id, `sh -c 'trap "exit 130" INT; echo begun; while :; do sleep 0.05; done'`);
    await request(daemon, { cmd: 'wait', id, until: { regex: '^begun' } });
    await request(daemon, { cmd: 'press', id, keys: ['Ctrl+C'] });
    expect(await running).toMatchObject({ outcome: 'done', exit_code: 130 });
    await request(daemon, { cmd: 'kill', id });
  });

  it('returns exited if the command ends the shell, and keeps the terminal', async () => {
    const id = await create(shell);
    const ended = await run(id, 'echo bye; exit 5');
    expect(ended).toMatchObject({ outcome: 'exited', exit_code: 5 });
    expect((ended['lines'] as string[])[0]).toBe('bye');
    expect(await run(id, 'true')).toMatchObject({ ok: false, code: 'terminal_exited' });
    expect(await request(daemon, { cmd: 'status', id })).toMatchObject({ alive: false, exit_code: 5 });
    await request(daemon, { cmd: 'kill', id });
  });

  it('is refused while the prompt has typed text or another run', async () => {
    const id = await create(shell);
    await run(id, 'true');
    // Right away: nothing of it is on the screen yet.
    await request(daemon, { cmd: 'send', id, input: 'echo typed' });
    expect(await run(id, 'true')).toMatchObject({ ok: false, code: 'shell_busy' });
    await send(id, '\x03', { done: true });
    const both = await Promise.all([run(id, 'sleep 0.5; echo one'), run(id, 'sleep 0.5; echo two')]);
    expect(both.map(({ outcome, code }) => String(outcome ?? code))).toEqual(
      expect.arrayContaining(['done', 'shell_busy']),
    );
    await request(daemon, { cmd: 'kill', id });
  });
});

it('a program in a run reads the input of other requests', async () => {
  const id = await create('bash');
  const running = run(id, 'read -r -p "Name? " name; echo "hello $name"');
  await request(daemon, { cmd: 'wait', id, until: { awaiting_input: 'line' } });
  await request(daemon, { cmd: 'type', id, text: 'you', submit: true });
  expect(await running).toMatchObject({ outcome: 'done', exit_code: 0, lines: ['Name? you', 'hello you'] });
  await request(daemon, { cmd: 'kill', id });
});

it('run returns a picture of the end', async () => {
  const id = await create('bash');
  const asked = { cmd: 'run', id, command: 'echo hi', screenshot: { scale: 66 } };
  const { header, bytes } = await rawRequest(daemon.socketPath, asked);
  expect(header).toMatchObject({ outcome: 'done', lines: ['hi'], format: 'png', cols: 80 });
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  expect(bytes).toHaveLength(Number(header['len']));
  await request(daemon, { cmd: 'kill', id });
});

it('run removes the terminal with keep set to false', async () => {
  const id = await create('bash');
  expect(await run(id, 'echo hi', { keep: false })).toMatchObject({ outcome: 'done', lines: ['hi'] });
  expect(await run(id, 'true')).toMatchObject({ ok: false, code: 'terminal_not_found' });
});

it('run ends when its terminal is killed', async () => {
  const id = await create('bash');
  const running = run(id, 'echo begun; sleep 60');
  await request(daemon, { cmd: 'wait', id, until: { text: 'begun' } });
  await request(daemon, { cmd: 'kill', id });
  expect(await running).toMatchObject({ ok: true, outcome: 'exited' });
});

it('commands lists a command that run has awaited, with the code of the command', async () => {
  const id = await create('bash');
  await run(id, 'true');
  const caller = rawRequest(daemon.socketPath, { cmd: 'run', id, command: 'echo begun; sleep 0.3; echo done-all' });
  await request(daemon, { cmd: 'wait', id, until: { text: 'begun' } });
  await caller;
  expect(await request(daemon, { cmd: 'commands', id })).toMatchObject({ commands: [{}, { code: 0 }] });
  await request(daemon, { cmd: 'kill', id });
});

it('a command goes on and is recorded if the caller of run disconnects', async () => {
  const id = await create('bash');
  await run(id, 'true');
  const caller = new RawConnection(daemon.socketPath);
  const release = tempDir().join('release');
  caller.write(
    `${JSON.stringify({ cmd: 'run', id, command: `echo begun; until [ -e ${release} ]; do sleep 0.01; done` })}\n`,
  );
  await request(daemon, { cmd: 'wait', id, until: { text: 'begun' } });
  caller.close();
  expect(await run(id, 'true')).toMatchObject({ ok: false, code: 'shell_busy' });
  writeFileSync(release, '');
  await request(daemon, { cmd: 'wait', id, until: { done: true } });
  expect(await request(daemon, { cmd: 'commands', id })).toMatchObject({ commands: [{}, { code: 0 }] });
  expect(await run(id, 'echo next')).toMatchObject({ outcome: 'done', lines: ['next'] });
  await request(daemon, { cmd: 'kill', id });
});

it('run accepts only a single line without tabs if the shell accepts no pastes', async () => {
  const id = await create('bash');
  await run(id, "bind 'set enable-bracketed-paste off'");
  expect(await run(id, 'echo one')).toMatchObject({ outcome: 'done', lines: ['one'] });
  expect(await run(id, 'echo one\necho two')).toMatchObject({ ok: false, code: 'invalid_field', field: 'command' });
  expect(await run(id, 'echo one\techo two')).toMatchObject({ ok: false, code: 'invalid_field' });
  await request(daemon, { cmd: 'kill', id });
});

it('run works with a hook of OSC 7777 alone, and is refused before the hook is set', async () => {
  const hook = String.raw`PROMPT_COMMAND='printf "\e]7777;done;%s\a" $?'`;
  const id = await create('bash', { shell_integration: false });
  expect(await run(id, 'true')).toMatchObject({ ok: false, code: 'no_shell_prompt' });
  await send(id, `${hook}\r`, { event: 'command_done' });
  await send(id, '\r', { event: 'command_done' });
  expect(await run(id, 'sh -c "exit 3"')).toMatchObject({ outcome: 'done', exit_code: 3 });
  await request(daemon, { cmd: 'kill', id });
});

describe('an invalid run', () => {
  it.each([
    ['in a terminal without a shell', { command: 'true' }, 'no_shell_prompt'],
    ['in a missing terminal', { id: 'nope', command: 'true' }, 'terminal_not_found'],
    ['with a working directory', { command: 'true', cwd: '/' }, 'invalid_field'],
    ['with a size', { command: 'true', cols: 80 }, 'invalid_field'],
    ['without a command', {}, 'invalid_field'],
    ['with two commands', { command: 'true', cmd_args: ['true'] }, 'invalid_field'],
    ['with a timeout of 0', { command: 'true', timeout_ms: 0 }, 'invalid_field'],
  ])('%s is refused', async (_, fields, code) => {
    const { id } = await request(daemon, { cmd: 'create', cmd_args: ['cat'] });
    expect(await request(daemon, { cmd: 'run', id, ...fields })).toMatchObject({ ok: false, code });
    await request(daemon, { cmd: 'kill', id });
  });

  it('with control characters is refused, and nothing is typed', async () => {
    const id = await create('bash');
    await run(id, 'true');
    const { rev } = await request(daemon, { cmd: 'cursor', id });
    expect(await run(id, 'echo \x1b[31m')).toMatchObject({ ok: false, code: 'invalid_field', field: 'command' });
    expect(await request(daemon, { cmd: 'cursor', id })).toMatchObject({ rev });
    await request(daemon, { cmd: 'kill', id });
  });
});
