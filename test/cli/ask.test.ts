/** A question, its answer and a handed terminal, each with the command line. */
import { expect, test } from 'vitest';
import { useCommandLine } from '../support/cli-daemon.js';
import { itNeeds } from '../support/programs.js';

const cli = useCommandLine();
const ADA = { env: { T4A_AS: 'ada' } };
const CLAUDE = { env: { T4A_AS: 'claude' } };

/** The number of the only open question, once there is one. */
async function asked(): Promise<string> {
  for (;;) {
    const { asks } = (await cli.reply(['asks'])) as { asks: { ask: number }[] };
    if (asks[0] !== undefined) return String(asks[0].ask);
  }
}

test('a question is listed, answered and printed; the exit status is that of the answer', async () => {
  expect(await cli.t4a(['asks'])).toMatchObject({ status: 0, stdout: '', stderr: 'No open questions.\n' });
  const choosing = cli.t4a(['ask', 'Which\nbranch?', '--kind', 'choice', '--choices', 'main,next'], CLAUDE);
  const number = await asked();
  expect(await cli.output(['asks'])).toMatch(
    new RegExp(
      `^${number} {2}choice for claude, \\d+h left\\n {4}Which\\n {4}branch\\?\\n {4}1: main\\n {4}2: next\\n$`,
    ),
  );
  expect(await cli.t4a(['answer', number, '2', '--note', 'it is green'], ADA)).toMatchObject({ status: 0 });
  expect(await choosing).toMatchObject({ status: 0, stdout: 'next\n', stderr: 't4a: Note by ada: it is green\n' });
  expect(await cli.t4a(['answer', number, '1'], ADA)).toMatchObject({
    status: 1,
    stderr: `t4a: Question ${number} was answered by ada already.\n  hint: t4a asks\n`,
  });

  const confirming = cli.t4a(['ask', 'Deploy?', '--kind', 'confirm'], CLAUDE);
  await cli.output(['answer', await asked(), 'no'], ADA).catch(() => {});
  expect(await confirming).toMatchObject({ status: 1, stdout: 'no\n' });
});

test('at the deadline the status is 124, with how to wait on; a declined question has none', async () => {
  const { status, stderr } = await cli.t4a(['ask', 'Slow?', '--timeout', '50ms'], CLAUDE);
  const number = await asked();
  expect({ status, stderr }).toEqual({
    status: 124,
    stderr: `t4a: Question ${number} is open: t4a ask --resume ${number}\n`,
  });
  const resumed = cli.t4a(['ask', '--resume', number]);
  await cli.t4a(['answer', number, '--decline'], ADA);
  expect(await resumed).toMatchObject({
    status: 1,
    stdout: '',
    stderr: `t4a: Question ${number} was declined by ada.\n`,
  });
  expect(await cli.t4a(['ask', 'No name'])).toMatchObject({ status: 2 });
});

itNeeds('stty')(
  'a secret comes from standard input, never from an argument, and goes to the terminal alone',
  async () => {
    const id = await cli.create('sh', '-c', 'stty -echo; printf ready; read -r x; printf "[%s]" "${#x}"; sleep 1000');
    await cli.output(['wait', id, '--text', 'ready']);
    const asking = cli.t4a(['ask', 'Password?', '--kind', 'secret', '--id', id], CLAUDE);
    const number = await asked();
    expect(await cli.t4a(['answer', number, 'argument'], ADA)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('A secret is not taken from the command line') as string,
    });
    expect(await cli.t4a(['answer', number], { ...ADA, input: 'canary\n' })).toMatchObject({ status: 0 });
    expect(await asking).toMatchObject({
      status: 0,
      stdout: '',
      stderr: `t4a: Question ${number} was answered by ada.\n`,
    });
    expect(await cli.output(['text', id, '--wait', 'text=[6]'])).toBe('ready[6]\n');
  },
);

test('a terminal is handed to a person and back', async () => {
  const id = await cli.create('sh', '-c', 'stty raw -echo; printf ready; exec cat');
  await cli.output(['wait', id, '--text', 'ready']);
  const asking = cli.t4a(['ask', 'Fix it', '--kind', 'hand', '--id', id, '--text'], CLAUDE);
  await asked();
  await cli.output(['control', id, 'take', '--person'], ADA);
  expect(await cli.output(['asks'])).toMatch(
    /^\d+ {2}hand for claude, terminal \w+ \(cat\), \d+h left, taken by ada\n {4}Fix it\n$/,
  );
  await cli.output(['type', id, ' fixed', '--wait', 'settled=100'], ADA);
  await cli.output(['control', id, 'release', '--note', 'kept both'], ADA);
  const { status, stdout, stderr } = await asking;
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'ready fixed\n' });
  expect(stderr).toMatch(/^t4a: Question \d+ was answered by ada\.\nt4a: Note by ada: kept both\n$/);
});
