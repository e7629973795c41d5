/**
 * Shells that read $ENV and report no starts of commands: what the daemon reports about commands, in each shell. The suite has
 * all tests in one of them, and one test in each other program.
 */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { itNeeds, requireProgram } from '../support/programs.js';
import { casesOf, inSuite } from '../support/trial.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ env: { HOME: '/no/such', XDG_CONFIG_HOME: '/no/such', HISTFILE: '/dev/null' } });
});
afterAll(() => daemon.stop());

interface Shell {
  readonly program: string;
  /** What it is called as, where that decides what it is. */
  readonly link?: string;
  /** Typed first. */
  readonly setUp?: string;
  readonly name: string;
}

const DASH: Shell = { program: 'dash', name: 'dash' };
const ONE_EACH: readonly Shell[] = [
  { program: 'busybox', link: 'ash', name: 'busybox' },
  { program: 'mksh', name: 'mksh' },
  { program: 'ksh93', name: 'ksh93' },
  { program: 'bash', link: 'sh', name: 'bash' },
];
const SHELLS: readonly Shell[] = [
  DASH,
  ...ONE_EACH,
  { program: 'dash', link: 'sh', name: 'dash' },
  { program: 'busybox', link: 'sh', name: 'busybox' },
  { program: 'mksh', setUp: 'set -o vi', name: 'mksh' },
  { program: 'ksh93', setUp: 'set -o emacs', name: 'ksh93' },
  { program: 'ksh93', setUp: 'set -o vi', name: 'ksh93' },
];

type Reply = Record<string, unknown> & { wait: Record<string, unknown> };

const DONE = { until: { done: true }, timeout_ms: 20_000 };

function programOf({ program, link }: Shell): string {
  const file = requireProgram(program);
  if (link === undefined) return file;
  const folder = path.join(daemon.dir, `bin-${program}`);
  mkdirSync(folder, { recursive: true });
  const linked = path.join(folder, link);
  try {
    symlinkSync(file, linked);
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('EEXIST');
  }
  return linked;
}

async function create(shell: Shell, fields: object = {}): Promise<string> {
  const command = { cmd: 'create', cmd_args: [programOf(shell)], wait: DONE, ...fields };
  const reply = (await request(daemon, command)) as Reply & { id: string };
  expect(reply.wait).toMatchObject({ outcome: 'matched' });
  if (shell.setUp !== undefined) expect(await type(reply.id, shell.setUp)).toMatchObject({ code: 0 });
  return reply.id;
}

async function type(id: string, text: string, key = '\r'): Promise<Record<string, unknown>> {
  return ((await request(daemon, { cmd: 'send', id, input: `${text}${key}`, wait: DONE })) as Reply).wait;
}

const run = (id: string, command: string) => request(daemon, { cmd: 'run', id, command, timeout_ms: 20_000 });

async function commandsOf(id: string, { setUp }: Shell): Promise<Record<string, unknown>[]> {
  const { commands } = (await request(daemon, { cmd: 'commands', id })) as { commands: Record<string, unknown>[] };
  return setUp === undefined ? commands : commands.slice(1);
}

const linesOf = async (id: string, command: number) =>
  (await request(daemon, { cmd: 'text', id, command, trim: true }))['lines'];

describe.each([DASH, ...ONE_EACH])('$program $link', (shell) => {
  const it = itNeeds(shell.program);

  it('has the code and the text of a line typed before its first prompt', async () => {
    const { id } = (await request(daemon, { cmd: 'create', cmd_args: [programOf(shell)] })) as Reply & { id: string };
    const line = "sh -c 'exit 7'";
    expect(await type(id, line)).toMatchObject({ outcome: 'matched', exit_code: 7, command: line });
    expect(await commandsOf(id, shell)).toMatchObject([{ command: line, code: 7 }]);
    await request(daemon, { cmd: 'kill', id });
  });

  it('takes no end that a line prints before it ends the shell for its own', async () => {
    const id = await create(shell);
    const line = String.raw`printf '\033]7777;done;3\007'; exit 4`;
    const wait = { until: { exit: true }, timeout_ms: 20_000 };
    await request(daemon, { cmd: 'type', id, text: `${line}\r`, wait });
    expect(await commandsOf(id, shell)).toMatchObject([{ command: line, code: null }]);
    await request(daemon, { cmd: 'kill', id });
  });
});

describe.each(casesOf(SHELLS, (shell) => shell === DASH))('$program $link $setUp', (shell) => {
  const it = itNeeds(shell.program);

  it('is done with each line when its command has ended, with its code, text and lines', async () => {
    const id = await create(shell);
    expect(await type(id, 'echo one')).toMatchObject({ outcome: 'matched', code: 0 });
    expect(await type(id, '(exit 7)')).toMatchObject({ code: 7 });
    const slow = await type(id, 'echo begun; sleep 0.4; echo ended');
    expect(slow).toMatchObject({ code: 0 });
    expect(Number(slow['elapsed_ms'])).toBeGreaterThanOrEqual(400);
    expect(await type(id, 'seq 1 100')).toMatchObject({ code: 0 });
    const records = await commandsOf(id, shell);
    expect(records.map(({ command, code }) => [command, code])).toEqual([
      ['echo one', 0],
      ['(exit 7)', 7],
      ['echo begun; sleep 0.4; echo ended', 0],
      ['seq 1 100', 0],
    ]);
    expect(records.at(-1)).toMatchObject({ running: false, output_rows: 100, cwd: daemon.dir });
    expect(Number(records[2]?.['duration_ms'])).toBeGreaterThan(200);
    expect(await linesOf(id, Number(records[2]?.['n']))).toEqual(['begun', 'ended']);
    expect(await linesOf(id, -1)).toEqual(Array.from({ length: 100 }, (_, i) => `${i + 1}`));
    await request(daemon, { cmd: 'kill', id });
  });

  itRuns(shell);

  it('records no line that Ctrl+C drops, but the code of a command that Ctrl+C ends', async () => {
    const id = await create(shell);
    await request(daemon, { cmd: 'send', id, input: 'echo dropped' });
    expect(await type(id, '', '\x03')).toMatchObject({ outcome: 'matched' });
    expect(await commandsOf(id, shell)).toEqual([]);
    expect(await run(id, 'echo kept')).toMatchObject({ lines: ['kept'] });
    await request(daemon, { cmd: 'send', id, input: 'sleep 30\r', wait: { until: { event: 'command_started' } } });
    expect(await type(id, '', '\x03')).toMatchObject({ outcome: 'matched' });
    const records = await commandsOf(id, shell);
    expect(records.map(({ command, running }) => [command, running])).toEqual([
      ['echo kept', false],
      ['sleep 30', false],
    ]);
    expect([130, 258, 386]).toContain(records[1]?.['code']);
    await request(daemon, { cmd: 'kill', id });
  });

  it('is done with several lines at once when the last one has ended, and records each', async () => {
    const id = await create(shell);
    expect(await type(id, 'echo a\rsleep 0.4\recho b\r(exit 3)')).toMatchObject({ outcome: 'matched', code: 3 });
    const records = await commandsOf(id, shell);
    expect(records.map(({ command, code }) => [command, code])).toEqual([
      ['echo a', 0],
      ['sleep 0.4', 0],
      ['echo b', 0],
      ['(exit 3)', 3],
    ]);
    expect(Number(records[1]?.['duration_ms'])).toBeGreaterThan(200);
    expect(await run(id, 'echo c')).toMatchObject({ lines: ['c'] });
    await request(daemon, { cmd: 'kill', id });
  });

  it('records no commands for blank lines and comments', async () => {
    const id = await create(shell);
    expect(await type(id, 'false')).toMatchObject({ code: 1 });
    for (const line of ['', '   ', '# a comment']) {
      expect(await type(id, line), line).toMatchObject({ outcome: 'matched' });
    }
    expect((await commandsOf(id, shell)).map(({ command }) => command)).toEqual(['false']);
    await request(daemon, { cmd: 'kill', id });
  });

  it('is done with a syntax error, with the code that the shell gives it', async () => {
    const id = await create(shell);
    const { outcome, code } = await type(id, 'echo )');
    expect(outcome).toBe('matched');
    expect([1, 2, 3]).toContain(code);
    expect(await run(id, 'echo after')).toMatchObject({ exit_code: 0, lines: ['after'] });
    await request(daemon, { cmd: 'kill', id });
  });

  it('is not done with half a command, which is recorded once the rest has come', async () => {
    const id = await create(shell);
    const half = (await request(daemon, {
      cmd: 'send',
      id,
      input: 'if true\r',
      wait: { until: { done: true }, timeout_ms: 700 },
    })) as Reply;
    expect(half.wait).toMatchObject({ outcome: 'timeout' });
    expect(await commandsOf(id, shell)).toEqual([]);
    expect(await type(id, 'then echo whole\rfi')).toMatchObject({ outcome: 'matched', code: 0 });
    const [record, ...more] = await commandsOf(id, shell);
    expect(record).toMatchObject({ command: 'if true\nthen echo whole\nfi', code: 0 });
    expect(more).toEqual([]);
    await request(daemon, { cmd: 'kill', id });
  });

  it('is done at the prompt of an inner shell without marks, and records the end of that shell', async () => {
    const id = await create(shell);
    expect(await type(id, `env -u ENV PS1='in> ' ${requireProgram('sh')}`)).toMatchObject({
      outcome: 'matched',
      code: null,
    });
    expect(await type(id, 'echo inside')).toMatchObject({ outcome: 'matched', code: null });
    expect(await type(id, 'exit 5')).toMatchObject({ outcome: 'matched', code: 5 });
    expect(await run(id, 'echo outside')).toMatchObject({ lines: ['outside'] });
    await request(daemon, { cmd: 'kill', id });
  });

  it('records no command for lines that a command reads, even without echo', async () => {
    const id = await create(shell);
    await request(daemon, {
      cmd: 'send',
      id,
      input: 'stty -echo; read x; read y; stty echo; echo "got ${#x}"\r',
      wait: { until: { awaiting_input: true }, timeout_ms: 20_000 },
    });
    expect(await type(id, 'hunter2\rmore')).toMatchObject({ outcome: 'matched', code: 0 });
    expect(await type(id, 'echo next')).toMatchObject({ code: 0 });
    const records = await commandsOf(id, shell);
    expect(records.map(({ command }) => command)).toEqual([
      'stty -echo; read x; read y; stty echo; echo "got ${#x}"',
      'echo next',
    ]);
    expect(await linesOf(id, Number(records[0]?.['n']))).toEqual(['got 7']);
    await request(daemon, { cmd: 'kill', id });
  });

  it('is done without a code after a new prompt has replaced the marks', async () => {
    const id = await create(shell);
    expect(await type(id, "PS1='mine> '")).toMatchObject({ outcome: 'matched', code: null });
    expect(await type(id, 'echo still')).toMatchObject({ outcome: 'matched', code: null });
    expect(await run(id, 'ls')).toMatchObject({ ok: false, code: 'no_shell_prompt' });
    await request(daemon, { cmd: 'kill', id });
  });

  it('shows the same screen as without marks, and leaves no trace of them to programs', async () => {
    const file = path.join(daemon.dir, `rc ${shell.program}`);
    writeFileSync(file, 'set -u\nMINE=seen\nPS1="<${PS1-}>"\nalias unset=false printf=false command=false\n');
    const environments = [
      {},
      { ENV: file },
      { ENV: `${file}.absent` },
      { ENV: daemon.dir },
      { PS1: 'mine> ', ENV: file },
    ];
    await Promise.all(environments.map((env) => expectSameScreen(shell, env)));
  });

  it('draws and edits a line longer than the screen in the same way as without marks', async () => {
    const long = Array.from({ length: 45 }, (_, i) => `w${i}`).join(' ');
    const steps = [`echo ${long}`, '\x7f\x7f\x7f', '\x01', 'X', '\x05', '\x7f', '\x1b0', 'iY', '\x1b$', 'aZ'];
    const screens = await Promise.all(
      [true, false].map(async (on) => {
        const settled = { until: { settled_ms: 300 }, timeout_ms: 20_000 };
        const id = await create({ ...shell, setUp: undefined as never }, { shell_integration: on, wait: settled });
        if (shell.setUp !== undefined)
          await request(daemon, { cmd: 'send', id, input: `${shell.setUp}\r`, wait: settled });
        const seen = [];
        for (const input of steps) {
          const wait = { until: { settled_ms: 300 }, timeout_ms: 20_000 };
          const reply = await request(daemon, { cmd: 'send', id, input, wait, observe: { text: true } });
          seen.push((reply as unknown as { observed: { lines: string[]; cursor: unknown } }).observed);
        }
        await request(daemon, { cmd: 'kill', id });
        return seen.map(({ lines, cursor }) => ({ lines, cursor }));
      }),
    );
    expect(screens[0]).toEqual(screens[1]);
  });

  it('passes its marks to no inner shell, even with an exported prompt', async () => {
    const file = path.join(daemon.dir, `all ${shell.program}`);
    writeFileSync(file, 'set -a\n');
    const id = await create({ ...shell, setUp: undefined as never }, { env: { ENV: file, PS1: 'mine> ' } });
    expect(await run(id, 'echo "$-" | tr -cd a')).toMatchObject({ lines: ['a'] });
    expect(await type(id, `env -u ENV ${requireProgram('sh')}`)).toMatchObject({ outcome: 'matched', code: null });
    expect(await type(id, 'false')).toMatchObject({ outcome: 'matched', code: null });
    expect(await type(id, 'exit 5')).toMatchObject({ outcome: 'matched', code: 5 });
    await request(daemon, { cmd: 'kill', id });
  });

  it('continues after a mistake in the file that $ENV names', async () => {
    const file = path.join(daemon.dir, `broken ${shell.program}`);
    writeFileSync(file, 'MINE=seen\nif\n');
    const command = { cmd: 'create', cmd_args: [programOf(shell)], env: { ENV: file } };
    const settled = { until: { settled_ms: 500 }, timeout_ms: 20_000 };
    const plain = (await request(daemon, { ...command, shell_integration: false, wait: settled })) as Reply;
    const { id, wait } = (await request(daemon, { ...command, wait: DONE })) as Reply & { id: string };
    // mksh 59c ends itself.
    if (plain.wait['outcome'] === 'exited') return expect(wait).toMatchObject({ outcome: 'exited' });
    expect(wait).toMatchObject({ outcome: 'matched' });
    expect(await run(id, 'echo "$MINE $ENV"')).toMatchObject({ exit_code: 0, lines: [`seen ${file}`] });
    await request(daemon, { cmd: 'kill', id });
  });

  it('reports the reason for missing marks if its prompt is readonly', async () => {
    const file = path.join(daemon.dir, `readonly ${shell.program}`);
    writeFileSync(file, "PS1='fixed> '\nreadonly PS1\n");
    const id = await create({ ...shell, setUp: undefined as never }, { env: { ENV: file } });
    expect(await run(id, 'ls')).toMatchObject({
      code: 'no_shell_prompt',
      error: expect.stringContaining(
        `${shell.name} does not mark its prompts, since PS1 or PS2 is readonly`,
      ) as unknown,
    });
    expect(await type(id, 'echo hi')).toMatchObject({ outcome: 'matched', code: null });
    await request(daemon, { cmd: 'kill', id });
  });
});

inSuite(() => {
  describe.each(ONE_EACH)('$program $link', itRuns);
});

function itRuns(shell: Shell): void {
  const it = itNeeds(shell.program);

  it('runs the commands of "run", which returns their lines and codes', async () => {
    const id = await create(shell);
    expect(await run(id, 'echo one; sh -c "exit 7"')).toMatchObject({
      outcome: 'done',
      exit_code: 7,
      lines: ['one'],
      omitted_lines: 0,
      cwd: daemon.dir,
    });
    expect(await run(id, 'clear')).toMatchObject({ outcome: 'done', exit_code: 0 });
    expect(await run(id, 'cd /')).toMatchObject({ outcome: 'done', exit_code: 0, lines: [], cwd: '/' });
    expect(await run(id, 'pwd')).toMatchObject({ lines: ['/'] });
    expect(await run(id, 'printf cut')).toMatchObject({ outcome: 'done', exit_code: 0, lines: ['cut'] });
    expect(await run(id, 'if true')).toMatchObject({ outcome: 'not_run' });
    expect(await run(id, 'echo after')).toMatchObject({ outcome: 'done', exit_code: 0, lines: ['after'] });
    expect((await commandsOf(id, shell)).map(({ command }) => command)).toEqual([
      'echo one; sh -c "exit 7"',
      'clear',
      'cd /',
      'pwd',
      'printf cut',
      'echo after',
    ]);
    await request(daemon, { cmd: 'kill', id });
  });
}

/** What a line prints about its shell, with the marks and without. */
async function expectSameScreen(shell: Shell, env: object): Promise<void> {
  const screens = await Promise.all(
    [true, false].map(async (on) => {
      const fields = { env, shell_integration: on, wait: { until: { settled_ms: 300 }, timeout_ms: 20_000 } };
      const id = await create({ ...shell, setUp: undefined as never }, fields);
      const line = 'echo "${MINE-}" "${ENV-}" $-; env | grep -E "^(PS1|T4A_SH|ENV)|t4a\\.sh"';
      const wait = { until: { settled_ms: 500 }, timeout_ms: 20_000 };
      const reply = await request(daemon, { cmd: 'send', id, input: `${line}\r`, wait, observe: { text: true } });
      await request(daemon, { cmd: 'kill', id });
      return (reply as unknown as { observed: { lines: string[] } }).observed.lines;
    }),
  );
  // bash alone speaks of a directory, and the prompt is no program's.
  const [ours, plain] = screens.map((lines) =>
    lines.filter((line) => !line.startsWith('PS1=') && !/is a directory$/i.test(line)),
  );
  expect(ours, JSON.stringify(env)).toEqual(plain);
}
