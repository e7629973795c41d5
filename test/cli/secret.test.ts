/** A secret on the command line: from a pipe or asked for on a terminal, and never an argument. */
import { expect, test } from 'vitest';
import { CLI } from '../support/cli.js';
import { useCommandLine } from '../support/cli-daemon.js';
import { TestTerminal } from '../support/screen-fence.js';

const SECRET = 'mandolin-Übung-9917';
const ASKS = [
  'sh',
  '-c',
  'stty -echo; read -r word; stty echo; printf "got %s bytes\\n" "$(printf %s "$word" | wc -c)"',
];
const GOT = `got ${Buffer.byteLength(SECRET)} bytes`;

const cli = useCommandLine();

async function asking(): Promise<string> {
  const id = await cli.create(...ASKS);
  await cli.output(['wait', id, '--input-kind', 'password']);
  return id;
}

/** The command line in a terminal, as a person has it. */
function window(...args: string[]): Promise<TestTerminal> {
  return TestTerminal.start(cli.daemon, [process.execPath, CLI, '--socket', cli.daemon.socketPath, ...args]);
}

test.each([
  ['type', ['--submit']],
  ['paste', ['--submit']],
])('%s --secret reads the secret from a pipe, without its last line break', async (command, flags) => {
  const id = await asking();
  await cli.output([command, id, '--secret', ...flags, '--wait', 'exit'], { input: `${SECRET}\n` });
  expect(await cli.output(['text', id])).toContain(GOT);
});

test('send --secret reads the secret from a pipe, unchanged', async () => {
  const id = await asking();
  await cli.output(['send', id, '--secret', '--wait', 'exit'], { input: `${SECRET}\n` });
  expect(await cli.output(['text', id])).toContain(GOT);
});

test.each([
  ['type', [SECRET]],
  ['paste', [SECRET]],
  ['paste', ['--text-base64', Buffer.from(SECRET).toString('base64')]],
  ['send', [SECRET]],
  ['send', ['--input-base64', Buffer.from(SECRET).toString('base64')]],
])('%s --secret %j is refused, because other programs can read arguments', async (command, args) => {
  const id = await cli.create('cat');
  const { status, stdout, stderr } = await cli.t4a([command, id, '--secret', ...args]);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toBe(
    't4a: A secret is not taken from the command line, where other programs can read it.\n  hint: Leave it out: it is asked for, or read from standard input.\n',
  );
  expect(await cli.output(['text', id])).toBe('');
});

test('a secret is refused with a hint at a prompt that echoes, and is typed with --even-if-shown', async () => {
  const id = await cli.create('cat');
  await cli.output(['wait', id, '--input']);
  const { status, stderr } = await cli.t4a(['type', id, '--secret', '--submit'], { input: SECRET });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: `t4a: In terminal "${id}" "cat" shows what is typed: the secret was not written.\n  hint: t4a wait ${id} --input-kind password\n`,
  });
  const insisting = ['type', id, '--secret', '--submit', '--even-if-shown', '--wait', `text=${SECRET}`];
  await cli.output(insisting, { input: SECRET });
});

test('a secret is asked for on a terminal, and not shown there', async () => {
  const id = await asking();
  const asked = await window('type', id, '--secret', '--submit', '--wait', 'exit');
  await asked.do('wait', { until: { text: `Secret for ${id}, not shown:` } });
  // Its terminal is raw: what is typed is unknown to be hidden.
  expect(await asked.ask('type', { text: SECRET, secret: true })).toMatchObject({ code: 'would_echo' });
  await asked.do('type', { text: `${SECRET}x`, secret: true, even_if_shown: true });
  await asked.press('Backspace', 'Enter');
  expect(await asked.exited()).toMatchObject({ code: 0 });
  expect((await asked.lines()).filter(Boolean)).toEqual([`Secret for ${id}, not shown:`]);
  expect(await cli.output(['text', id])).toContain(GOT);
  await asked.end();
});

test('no secret is sent after Ctrl+C at the question for it', async () => {
  const id = await asking();
  const asked = await window('type', id, '--secret', '--submit');
  await asked.do('wait', { until: { text: 'not shown:' } });
  await asked.do('send', { input: 'half of i\x03' });
  expect(await asked.exited()).toMatchObject({ code: 2 });
  expect((await asked.lines())[1]).toBe('t4a: No secret was given: nothing was sent.');
  await asked.end();
});
