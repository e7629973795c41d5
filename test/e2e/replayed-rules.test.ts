/** Rules that are run through the history of a terminal, from the command line. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
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
  const { stdout, stderr, status } = await runCli(['--socket', daemon.socketPath, ...args]);
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
});
