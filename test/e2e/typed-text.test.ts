/** What is typed is no output: neither as the kernel echoes it, nor as a line editor draws it again. What is printed is. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCliHere } from '../support/cli-in-process.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { itNeeds } from '../support/programs.js';
import { casesOf } from '../support/trial.js';
import { EventStream } from '../support/wait-for.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const ask = (fields: object): ReturnType<typeof request> => request(daemon, fields);

async function create(cmd_args: readonly string[], fields: object = {}): Promise<string> {
  return String((await ask({ cmd: 'create', cmd_args, ...fields }))['id']);
}

const sh = (script: string): Promise<string> => create(['sh', '-c', script]);

interface Ended {
  readonly outcome: string;
  readonly elapsed_ms: number;
  readonly match?: { readonly text: string };
  readonly warning?: string;
}

async function typeAndWait(id: string, text: string, until: object, timeout_ms = 20_000): Promise<Ended> {
  const reply = await ask({ cmd: 'type', id, text, submit: true, wait: { until, timeout_ms } });
  return reply['wait'] as Ended;
}

const untilOk = { text: 'ALL-OK' };
const LATE_MS = 700;
const late = (text: string): string => `sleep 0.7; echo ${text}`;

interface ShellCase {
  readonly command: readonly string[];
  readonly shell_integration: boolean;
}

const SHELLS: readonly ShellCase[] = [
  ['bash'],
  ['bash', '--norc', '--noediting'],
  ['zsh', '-f'],
  ['fish'],
  ['dash'],
  ['mksh'],
  ['busybox', 'ash'],
].flatMap((command) => [true, false].map((integration) => ({ command, shell_integration: integration })));

const isInSuite = ({ command: { length, 0: program = '' }, shell_integration: integration }: ShellCase): boolean =>
  length < 3 && (integration ? ['bash', 'dash'] : ['bash', 'zsh', 'mksh']).includes(program);

for (const { command, shell_integration } of casesOf(SHELLS, isInSuite)) {
  const title = `${command.join(' ')}, ${shell_integration ? 'with' : 'without'} integration`;
  itNeeds(command[0] ?? '')(`a shell draws what was typed before it reads, and then prints (${title})`, async () => {
    const id = await create(command, { shell_integration });
    const fresh = await typeAndWait(id, late('ALL-OK'), untilOk);
    expect(fresh).toMatchObject({ outcome: 'matched', match: { text: 'ALL-OK' } });
    expect(fresh).not.toHaveProperty('warning');
    expect(fresh.elapsed_ms).toBeGreaterThanOrEqual(LATE_MS);
    // Once it is ready, and behind a command that runs.
    const ready = await typeAndWait(id, late('ALL-OK-2'), { regex: 'ALL-OK-2$' });
    expect(ready).toMatchObject({ outcome: 'matched' });
    expect(ready.elapsed_ms).toBeGreaterThanOrEqual(LATE_MS);
    const began = performance.now();
    await ask({ cmd: 'type', id, text: 'sleep 0.6', submit: true });
    const ahead = await typeAndWait(id, late('ALL-OK-3'), { text: 'ALL-OK-3' });
    expect(ahead).toMatchObject({ outcome: 'matched' });
    expect(performance.now() - began).toBeGreaterThanOrEqual(LATE_MS + 600);
    await ask({ cmd: 'kill', id });
  });
}

itNeeds('python3')('a busy interpreter draws what was typed, and then prints', async () => {
  const id = await create(['python3', '-i']);
  expect(await ask({ cmd: 'wait', id, until: { text: '>>> ' } })).toMatchObject({ outcome: 'matched' });
  await ask({ cmd: 'type', id, text: 'import time; time.sleep(0.6)', submit: true });
  const ended = await typeAndWait(id, 'time.sleep(0.7); print("ALL-OK")', untilOk);
  expect(ended).toMatchObject({ outcome: 'matched' });
  expect(ended.elapsed_ms).toBeGreaterThanOrEqual(LATE_MS);
  await ask({ cmd: 'kill', id });
});

it.each([
  ['reads on', 'read x; echo "got: $x"; exec cat'],
  ['ends', 'read x; echo "got: $x"'],
  ['reads no more', 'read x; echo "got: $x"; exec sleep 100'],
  ['prints it alone', 'exec cat'],
  ['shows no input', 'stty -echo; read x; echo "$x"; exec cat'],
  ['shows no input, and reads no more', 'stty -echo; read x; echo "$x"; exec sleep 100'],
])('a program that %s after it has printed what was typed has printed it', async (_, script) => {
  // What is typed before echo is off is shown twice: by the kernel and by the program, which reads no more.
  for (const isReady of script.startsWith('stty') && script.includes('sleep') ? [true] : [false, true]) {
    const id = await sh(script);
    if (isReady) await ask({ cmd: 'wait', id, until: { awaiting_input: true } });
    const ended = await typeAndWait(id, 'hello', { text: 'hello' }, 5000);
    expect(ended).toMatchObject({ outcome: 'matched' });
    await ask({ cmd: 'kill', id });
  }
});

it('a word that is typed twice is printed twice', async () => {
  const id = await create(['cat']);
  await ask({ cmd: 'type', id, text: 'y', submit: true });
  expect(await typeAndWait(id, 'y', { text: 'y' }, 5000)).toMatchObject({ outcome: 'matched' });
  await ask({ cmd: 'kill', id });
});

it('a word of the typed line that is printed is output', async () => {
  const id = await create(['bash', '--norc']);
  expect(await typeAndWait(id, 'echo done', { text: 'done' })).toMatchObject({ outcome: 'matched' });
  expect(await typeAndWait(id, 'echo done', { regex: '^done$' })).toMatchObject({ outcome: 'matched' });
  await ask({ cmd: 'kill', id });
});

it('a wait for what is only typed ends at its deadline, and says so', async () => {
  const id = await create(['bash', '--norc']);
  const ended = await typeAndWait(id, 'true ALL-OK', untilOk, 1000);
  expect(ended).toMatchObject({
    outcome: 'timeout',
    warning: expect.stringContaining('What was typed meets the condition'),
  });
  // A wait by itself sees what stands there, and says what it is.
  const alone = await ask({ cmd: 'wait', id, until: untilOk });
  expect(alone).toMatchObject({ outcome: 'matched', warning: expect.stringContaining('is what was typed') });
  await typeAndWait(id, 'echo ALL-"OK"', { text: 'ALL-OK' });
  const printed = await ask({ cmd: 'wait', id, until: untilOk });
  expect(printed).toMatchObject({ outcome: 'matched' });
  expect(printed).not.toHaveProperty('warning');
  const typed = ['type', id, 'true NEVER', '--submit', '--wait', 'text=NEVER', '--timeout', '1000'];
  expect((await runCliHere(typed, daemon)).stderr).toContain('What was typed meets the condition');
  await ask({ cmd: 'kill', id });
});

it('a trigger is not met by the command that one types, and by what it prints', async () => {
  const id = await create(['bash', '--norc']);
  const events = await EventStream.open(daemon.socketPath, { types: ['triggered', 'command_done', 'published'] });
  const when = { text: 'Overwrite?' };
  await ask({ cmd: 'trigger', id, when, do: [{ press: ['y', 'Enter'] }] });
  expect(await typeAndWait(id, 'grep -c "Overwrite?" /dev/null', { regex: '^0$' })).toMatchObject({
    outcome: 'matched',
  });
  expect(await typeAndWait(id, 'read -p "Over""write? " x; echo "got:$x."', { text: 'got:y.' })).toMatchObject({
    outcome: 'matched',
  });
  expect(await ask({ cmd: 'triggers', id })).toMatchObject({ triggers: [{ fired: 1, last_error: null }] });
  events.close();
  await ask({ cmd: 'kill', id });
});
