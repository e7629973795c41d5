/** Rules that are run through the history of a terminal, from the command line. */
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCliHere } from '../support/cli-in-process.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

/** Asks on an empty screen, and empties it again once it has an answer. */
const ASKS =
  'for file in a b; do printf "\\033[2J\\033[HOverwrite $file? [y/n] "; read answer; done; printf "\\033[2J\\033[Hdone"';

async function asked(fields: object = {}): Promise<unknown> {
  const { id } = await request(daemon, { cmd: 'create', cmd_args: ['sh', '-c', ASKS], ...fields });
  for (const file of ['a', 'b']) {
    for (const until of [{ text: `Overwrite ${file}?` }, { settled_ms: 300 }])
      expect(await request(daemon, { cmd: 'wait', id, until })).toMatchObject({ outcome: 'matched' });
    await request(daemon, { cmd: 'press', id, keys: ['y', 'Enter'] });
  }
  expect(await request(daemon, { cmd: 'wait', id, until: { exit: true } })).toMatchObject({ outcome: 'matched' });
  return id;
}

const cli = async (...args: string[]): Promise<string> => {
  const { stdout, stderr, status } = await runCliHere(['--socket', daemon.socketPath, ...args]);
  expect([stderr, status]).toEqual(['', 0]);
  return stdout;
};

async function questions(id: unknown): Promise<unknown[]> {
  const { entries } = await request(daemon, { cmd: 'entries', id });
  return (entries as { data: { text: string } }[]).map(({ data }) => data.text);
}

it('finds what was asked on screens that are gone, in a terminal that had no rules, and finds it once', async () => {
  const id = String(await asked());
  expect(await questions(id)).toEqual([]);
  const apply = ['rules', 'apply', '--terminal', id, '--from', 'start'];
  expect(await cli(...apply, '--profile', 'generic')).toBe('4 corrections have followed.\n');
  expect(await questions(id)).toEqual(['Overwrite a?', 'Overwrite b?']);
  expect(await cli(...apply)).toBe('Nothing differs.\n');
});

it('corrects what other rules have found, since a moment', async () => {
  const id = String(await asked({ rules: 'generic', name: 'both' }));
  expect(await questions(id)).toEqual(['Overwrite a?', 'Overwrite b?']);
  const rule = {
    id: 'file',
    on: 'region',
    region: { top: 0 },
    start: 'Overwrite (?P<text>\\w)',
    emit: { kind: 'file' },
  };
  const text = JSON.stringify({ version: 1, profiles: [{ id: 'mine', rules: [rule] }] });
  await request(daemon, { cmd: 'rules', action: 'set', rules: text });
  const apply = ['rules', 'apply', '--terminal', id, '--profile', 'mine', '--from'];
  await cli(...apply, 'end');
  expect(await questions(id)).toEqual(['Overwrite a?', 'Overwrite b?']);
  await cli(...apply, 'input');
  expect(await questions(id)).toEqual(['Overwrite a?', 'b']);
  await cli(...apply, 'start');
  expect(await questions(id)).toEqual(['b', 'a']);
});

it('refuses a moment that is none, and one that goes with another action', async () => {
  const { id } = await request(daemon, { cmd: 'create', cmd_args: ['true'], wait: { until: { exit: true } } });
  const ask = (fields: object) => request(daemon, { cmd: 'rules', terminal: id, ...fields });
  expect(await ask({ action: 'apply', from: 'yesterday' })).toMatchObject({ ok: false, code: 'invalid_field' });
  expect(await ask({ action: 'apply', from: 'marker:none' })).toMatchObject({ ok: false, code: 'moment_unknown' });
  expect(await ask({ action: 'set', from: 'start' })).toMatchObject({
    ok: false,
    code: 'invalid_field',
    field: 'from',
  });
  await request(daemon, { cmd: 'config', history_bytes: 0 });
  const created = await request(daemon, { cmd: 'create', cmd_args: ['true'], wait: { until: { exit: true } } });
  const none = await request(daemon, { cmd: 'rules', terminal: created['id'], action: 'apply', from: 'start' });
  expect(none).toMatchObject({ ok: false, code: 'moment_lost' });
  await request(daemon, { cmd: 'config', history_bytes: 8 * 1024 * 1024 });
});

interface Found {
  readonly id: string;
  readonly version: number;
  readonly open: boolean;
  readonly kind: string;
  readonly line: number | null;
  readonly data: object;
}

async function entriesOf(id: unknown): Promise<Found[]> {
  return (await request(daemon, { cmd: 'entries', id }))['entries'] as Found[];
}

/** Without what names the terminal and the time of a look. */
const content = (entries: readonly Found[]): object[] =>
  entries.map(({ kind, line, open, data }) => ({ kind, line, open, data }));

const BUILDS = `read -r _; ${ASKS}; printf "\\r\\na.c:3:9: error: 'x' undeclared\\nhttp://localhost:5173/\\n 10%%\\r 70%%\\r\\n"`;

it('finds in an opened recording what it found in the terminal that was recorded', async () => {
  const file = path.join(daemon.dir, 'live.cast');
  const { id: live } = await request(daemon, { cmd: 'create', cmd_args: ['sh', '-c', BUILDS], rules: 'generic' });
  await request(daemon, { cmd: 'record', id: live, path: file });
  await request(daemon, { cmd: 'press', id: live, keys: ['Enter'] });
  for (const name of ['a', 'b']) {
    for (const until of [{ text: `Overwrite ${name}?` }, { settled_ms: 300 }])
      expect(await request(daemon, { cmd: 'wait', id: live, until })).toMatchObject({ outcome: 'matched' });
    await request(daemon, { cmd: 'press', id: live, keys: ['y', 'Enter'] });
  }
  await request(daemon, { cmd: 'wait', id: live, until: { exit: true } });
  const found = await entriesOf(live);
  expect(found.map(({ kind }) => kind)).toEqual(['question', 'question', 'diagnostic', 'url', 'progress']);
  // Its file is complete by then.
  await request(daemon, { cmd: 'kill', id: live });
  const { id } = await request(daemon, { cmd: 'open', path: file });
  expect(await entriesOf(id)).toEqual([]);
  const apply = ['rules', 'apply', '--terminal', String(id), '--from', 'start'];
  expect(await cli(...apply, '--profile', 'generic')).toMatch(/^\d+ corrections have followed\.\n$/);
  expect(content(await entriesOf(id))).toEqual(content(found));
  expect(await cli(...apply)).toBe('Nothing differs.\n');
});

it('a key for a dialogue that rules have found in the past meets it, and no earlier version of it', async () => {
  const { id } = await request(daemon, { cmd: 'create', cmd_args: ['sh', '-c', `${ASKS}; exec cat`] });
  for (const until of [{ text: 'Overwrite a?' }, { settled_ms: 300 }])
    await request(daemon, { cmd: 'wait', id, until });
  const apply = (profile: string) =>
    request(daemon, { cmd: 'rules', terminal: id, action: 'apply', from: 'start', profile });
  const standing = async (): Promise<string> => {
    const [{ id: entry, version } = { id: '', version: 0 }] = (await entriesOf(id)).filter(({ open }) => open);
    return `${entry}@${version}`;
  };
  const press = (ifEntry: string) => request(daemon, { cmd: 'press', id, keys: ['y', 'Enter'], if_entry: ifEntry });
  expect(await apply('generic')).toMatchObject({ ok: true });
  // The screen of now is looked at a little later.
  await expect.poll(standing).not.toBe('@0');
  const before = await standing();
  // The same entry by other rules has a later version.
  const rule = { id: 'yes-no', on: 'region', start: '(?P<file>\\w+)\\? \\[y/n\\]', emit: { kind: 'question' } };
  const text = JSON.stringify({ version: 1, profiles: [{ id: 'own', rules: [rule] }] });
  expect(await request(daemon, { cmd: 'rules', action: 'set', rules: text })).toMatchObject({ ok: true });
  expect(await apply('own')).toMatchObject({ ok: true });
  await expect.poll(standing).not.toMatch(new RegExp(`^(@0|${before})$`));
  const now = await standing();
  expect(await press(before)).toMatchObject({ ok: false, code: 'entry_changed' });
  expect(await press(now)).toMatchObject({ ok: true });
  await request(daemon, { cmd: 'wait', id, until: { text: 'Overwrite b?' } });
  expect(await press(now)).toMatchObject({ ok: false, code: 'entry_changed' });
  await expect.poll(standing).not.toMatch(new RegExp(`^(@0|${now})$`));
  expect(await press(await standing())).toMatchObject({ ok: true });
  expect(await request(daemon, { cmd: 'wait', id, until: { text: 'done' } })).toMatchObject({ outcome: 'matched' });
});
