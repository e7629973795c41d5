/** `press {if_entry}`: a key for a dialogue meets that dialogue, or nothing. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCliHere } from '../support/cli-in-process.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
  const rule = { id: 'allow', on: 'region', start: 'Allow (?P<what>\\S+)\\?', emit: { kind: 'permission_request' } };
  const set = { version: 1, profiles: [{ id: 'dialogues', rules: [rule] }] };
  expect(await request(daemon, { cmd: 'rules', action: 'set', rules: JSON.stringify(set) })).toMatchObject({
    ok: true,
  });
});
afterAll(() => daemon.stop());

const ROUNDS = 12;

/**
 * Each dialogue is replaced on the same row, by one that says that it is there by a file; the key is for the second one.
 * What was pressed before the second one counts as wrong.
 */
const DIALOGUES = `
import os, time, tty
tty.setcbreak(0)
wrong = 0
for i in range(${ROUNDS}):
    os.write(1, b'\\r\\x1b[KAllow old-%d? ' % i)
    while not os.path.exists('seen-%d' % i): time.sleep(0.001)
    os.write(1, b'\\r\\x1b[KAllow new-%d? ' % i)
    open('replaced-%d' % i, 'w').close()
    while os.read(0, 1) and not os.path.exists('asked-%d' % i): wrong += 1
os.write(1, b'\\r\\nwrong=%d.\\r\\n' % wrong)
os.read(0, 1)`;

interface Found {
  readonly id: string;
  readonly version: number;
  readonly open: boolean;
  readonly data: { readonly what: string };
}

it('a dialogue that was replaced is never answered, and the one that stands is', async () => {
  const { id } = await request(daemon, {
    cmd: 'create',
    cmd_args: ['python3', '-c', DIALOGUES],
    cwd: daemon.dir,
    rules: 'dialogues',
  });
  const found = async (what: string): Promise<string> => {
    let entry: Found | undefined;
    await expect
      .poll(
        async () => {
          const { entries } = await request(daemon, { cmd: 'entries', id, open: true });
          entry = (entries as Found[]).find(({ data }) => data.what === what);
          return entry?.data.what;
        },
        { timeout: 20_000 },
      )
      .toBe(what);
    return `${entry?.id}@${entry?.version}`;
  };
  const mark = (name: string): Promise<unknown> =>
    request(daemon, { cmd: 'run', cmd_args: ['touch', name], cwd: daemon.dir });
  for (let i = 0; i < ROUNDS; i++) {
    const old = await found(`old-${i}`);
    await mark(`seen-${i}`);
    while (!existsSync(path.join(daemon.dir, `replaced-${i}`))) await new Promise(setImmediate);
    expect(await request(daemon, { cmd: 'press', id, keys: ['y'], if_entry: old })).toMatchObject({
      ok: false,
      code: 'entry_changed',
    });
    const next = await found(`new-${i}`);
    await mark(`asked-${i}`);
    expect(await request(daemon, { cmd: 'press', id, keys: ['y'], if_entry: next })).toMatchObject({ ok: true });
  }
  const end = await request(daemon, { cmd: 'wait', id, until: { regex: 'wrong=\\d+\\.' } });
  expect(end).toMatchObject({ match: { text: 'wrong=0.' } });
});

it('Ctrl+C is held to it too, and a terminal without rules has no such entry', async () => {
  const { id } = await request(daemon, { cmd: 'create', cmd_args: ['cat'] });
  for (const keys of [['Ctrl+C'], ['y'], ['Ctrl+C', 'y']]) {
    expect(await request(daemon, { cmd: 'press', id, keys, if_entry: 'none@1' })).toMatchObject({
      code: 'entry_changed',
      field: 'if_entry',
    });
  }
  expect(await request(daemon, { cmd: 'press', id, keys: ['y'], if_entry: 'none' })).toMatchObject({
    code: 'invalid_field',
  });
  expect(await request(daemon, { cmd: 'status', id })).toMatchObject({ alive: true, inputs: 0 });
  expect(await runCliHere(['press', String(id), 'y', '--if-entry', 'none@1'], daemon)).toMatchObject({
    stderr: expect.stringContaining('does not stand any more'),
  });
});

/** Two dialogues in the same words; the second one comes a while after the first was answered. */
const ALIKE = `
import os, time, tty
tty.setraw(0)
def ask(tool):
    os.write(1, b'\\x1b[2J\\x1b[H' + tool + b'\\r\\nAllow it?')
    key = os.read(0, 1)
    os.write(1, b'\\x1b[2J\\x1b[H' + tool + b' got ' + key)
ask(b'read-one')
time.sleep(0.05)
os.write(1, b'\\x1b[2J\\x1b[H')
ask(b'delete-all')
time.sleep(1000)`;

it('a dialogue in the words of the one that was answered is another, whether a look fell between them or not', async () => {
  const { id } = await request(daemon, { cmd: 'create', cmd_args: ['python3', '-c', ALIKE], rules: 'dialogues' });
  const open = async (): Promise<string[]> => {
    const { entries } = await request(daemon, { cmd: 'entries', id, open: true });
    return (entries as Found[]).map((entry) => `${entry.id}@${entry.version}`);
  };
  await expect.poll(open).toHaveLength(1);
  const [first = ''] = await open();
  const press = (entry: string): Promise<Record<string, unknown>> =>
    request(daemon, { cmd: 'press', id, keys: ['y'], if_entry: entry });
  expect(await press(first)).toMatchObject({ ok: true });
  // At once: the program has not read the key, and the dialogue still stands.
  expect(await press(first)).toMatchObject({ ok: false, code: 'entry_changed' });
  expect(await request(daemon, { cmd: 'wait', id, until: { text: 'delete-all' } })).toMatchObject({ ok: true });
  expect(await press(first)).toMatchObject({ ok: false, code: 'entry_changed' });
  await expect.poll(open).toHaveLength(1);
  const [second = ''] = await open();
  expect(second).not.toBe(first);
  expect(await press(second)).toMatchObject({ ok: true });
  expect(await request(daemon, { cmd: 'wait', id, until: { text: 'delete-all got y' } })).toMatchObject({ ok: true });
});
