/** Questions: asked in the line of the cursor while the program reads. What only has their words is answered by nobody. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCliHere } from '../support/cli-in-process.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { EventStream } from '../support/wait-for.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const ask = (fields: object): ReturnType<typeof request> => request(daemon, fields);
const create = async (script: string): Promise<string> =>
  String((await ask({ cmd: 'create', cmd_args: ['sh', '-c', script] }))['id']);

const LOG_THEN_OTHER =
  'echo "log: Overwrite? was answered"; printf "Delete all? "; read -r a; echo "got:$a."; exec cat';
const OVERWRITE = { when: { text: 'Overwrite?' }, do: [{ press: ['y', 'Enter'] }] };

it.each([{}, { reading: true }, { when: { regex: 'Over\\w+\\?' } }])(
  'a line of a log with the words of a question answers no other question (%j)',
  async (fields) => {
    const id = await create(LOG_THEN_OTHER);
    const events = await EventStream.open(daemon.socketPath, { types: ['triggered', 'warning'] });
    const { trigger } = await ask({ cmd: 'trigger', id, ...OVERWRITE, ...fields });
    expect(await events.next()).toMatchObject({ event: 'triggered', trigger });
    const message = expect.stringMatching(/"Overwrite\?" does not stand in the line of the cursor/) as string;
    expect(await events.next()).toMatchObject({ event: 'warning', code: 'trigger', terminal: id, message });
    events.close();
    await ask({ cmd: 'press', id, keys: ['Enter'] });
    expect(await ask({ cmd: 'wait', id, until: { regex: '^got:.*\\.' } })).toMatchObject({ match: { text: 'got:.' } });
    expect(await ask({ cmd: 'triggers', id })).toMatchObject({ triggers: [{ fired: 1, state: 'armed' }] });
  },
);

it('a trigger that may send anywhere does', async () => {
  const id = await create(LOG_THEN_OTHER);
  const { stdout } = await runCliHere(
    ['trigger', id, '--when', 'text=Overwrite?', '--press', 'y Enter', '--anywhere', '--json'],
    daemon,
  );
  expect(await ask({ cmd: 'wait', id, until: { text: 'got:y.' } })).toMatchObject({ outcome: 'matched' });
  const { trigger } = JSON.parse(stdout) as { trigger: number };
  expect(await ask({ cmd: 'triggers', id })).toMatchObject({
    triggers: [{ trigger, anywhere: true, last_error: null }],
  });
});

it('a question after a line with its words is answered once', async () => {
  const id = await create(
    'echo "log: Overwrite? comes"; printf "Overwrite? "; read -r a; printf "Again? "; read -r b; echo "got:$a,$b."; exec cat',
  );
  const events = await EventStream.open(daemon.socketPath, { types: ['warning'] });
  // Both conditions are true of one line: the second firing finds it answered, or answers nothing else.
  await ask({ cmd: 'trigger', id, ...OVERWRITE, when: [{ text: 'Overwrite?' }, { regex: 'Overwrite\\? $' }] });
  expect(await ask({ cmd: 'wait', id, until: { text: 'Again?' } })).toMatchObject({ outcome: 'matched' });
  expect(await events.next()).toMatchObject({ code: 'trigger', message: expect.stringContaining('nothing was sent') });
  events.close();
  await ask({ cmd: 'press', id, keys: ['n', 'Enter'] });
  expect(await ask({ cmd: 'wait', id, until: { text: 'got:y,n.' } })).toMatchObject({ outcome: 'matched' });
});

it('a question that is wrapped is one line', async () => {
  const words = 'Overwrite the file '.repeat(6);
  const { id } = await ask({
    cmd: 'create',
    cols: 40,
    cmd_args: ['sh', '-c', `printf '${words}? '; read -r a; echo "got:$a."; exec cat`],
  });
  await ask({ cmd: 'trigger', id, when: { regex: '^Overwrite.*\\? $' }, do: [{ type: { text: 'y', submit: true } }] });
  expect(await ask({ cmd: 'wait', id, until: { text: 'got:y.' } })).toMatchObject({ outcome: 'matched' });
});

it('a wait for a question passes over a log with its words, and ends when it is asked', async () => {
  const id = await create('echo "log: Sure? no"; read -r go; printf "Sure? "; read -r a; echo "got:$a."; exec cat');
  const until = { text: 'Sure?' };
  const early = { cmd: 'wait', id, until, at_cursor: true, timeout_ms: 1 };
  expect(await ask({ ...early, until: { awaiting_input: true }, at_cursor: false, timeout_ms: 20_000 })).toMatchObject({
    outcome: 'matched',
  });
  expect(await ask(early)).toMatchObject({ outcome: 'timeout' });
  expect(await ask({ cmd: 'press', id, keys: ['Enter'], wait: { until, at_cursor: true } })).toMatchObject({
    wait: { outcome: 'matched', match: { row: 2, col: 0, text: 'Sure?' }, awaiting_input: { kind: 'line' } },
  });
  expect(await runCliHere(['wait', id, '--regex', '^Sure. $', '--at-cursor'], daemon)).toMatchObject({ status: 0 });
  const typed = ['type', id, 'y', '--submit', '--wait', 'text=Sure?', '--at-cursor', '--timeout', '1'];
  expect(await runCliHere(typed, daemon)).toMatchObject({ status: 124 });
});

it.each([
  [{ until: { done: true }, at_cursor: true }, 'at_cursor'],
  [{ until: { exit: true }, fail: { text: 'x' }, at_cursor: true }, 'at_cursor'],
  [{ until: { text: 'x' }, at_cursor: 'yes' }, 'at_cursor'],
])('%j is refused', async (fields, field) => {
  const id = await create('exec cat');
  expect(await ask({ cmd: 'wait', id, ...fields })).toMatchObject({ ok: false, code: 'invalid_field', field });
});
