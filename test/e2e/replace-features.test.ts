/** What features have of terminals goes along to the daemon that takes the place of another. */
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { changesIn } from '../../src/protocol/entry-lines.js';
import { RawConnection } from '../support/raw.js';
import { replaceable } from '../support/replaceable.js';
import { tempDir } from '../support/temp-dir.js';
import { EventStream } from '../support/wait-for.js';

type Answer = Record<string, unknown>;

it('triggers go on with their numbers, counts and bounds, and what they have seen fires no second time', async () => {
  const { ask, replace } = await replaceable();
  const script = 'read a; echo one-$a; read b; echo one-$b; echo count-one; exec cat';
  await ask({ cmd: 'create', name: 'a', cmd_args: ['sh', '-c', script] });
  const seen = await ask({ cmd: 'trigger', id: 'a', when: { text: 'one-' }, do: [{ publish: { name: 'seen' } }] });
  await ask({ cmd: 'trigger', id: 'a', when: { text: 'never' }, do: [{ notify: 'x' }], as: 'ann', name: 'n' });
  await ask({ cmd: 'untrigger', trigger: 2, as: 'ann' });
  await ask({ cmd: 'trigger', id: 'a', when: { after_ms: 3_600_000 }, do: [{ notify: 'late' }], once: true });
  await ask({
    cmd: 'trigger',
    id: 'a',
    when: { regex: 'count-(\\w+)' },
    anywhere: true,
    do: [{ type: { text: 'typed', submit: true } }],
  });
  await ask({ cmd: 'type', id: 'a', text: 'x', submit: true });
  await expect.poll(async () => ((await ask({ cmd: 'triggers' }))['triggers'] as Answer[])[0]?.['fired']).toBe(1);
  const before = await ask({ cmd: 'triggers' });
  expect(before).toMatchObject({ triggers: [{ trigger: seen['trigger'], fired: 1 }, { trigger: 3 }, { trigger: 4 }] });
  await replace();
  expect(await ask({ cmd: 'triggers' })).toMatchObject({ triggers: before['triggers'] });
  await replace();
  expect(await ask({ cmd: 'triggers' })).toMatchObject({ triggers: before['triggers'] });
  await ask({ cmd: 'type', id: 'a', text: 'y', submit: true });
  expect(await ask({ cmd: 'wait', id: 'a', until: { text: 'typed' } })).toMatchObject({ outcome: 'matched' });
  expect(await ask({ cmd: 'triggers' })).toMatchObject({ triggers: [{ fired: 2 }, { fired: 0 }, { fired: 1 }] });
  expect(await ask({ cmd: 'trigger', id: 'a', when: { text: 'z' }, do: [{ notify: 'z' }] })).toMatchObject({
    trigger: 5,
  });
});

it('a timer of a trigger goes on with the time that is left, and a spent condition stays spent', async () => {
  const { ask, replace } = await replaceable();
  await ask({ cmd: 'create', name: 'a', cmd_args: ['cat'] });
  await ask({ cmd: 'trigger', id: 'a', when: { after_ms: 1 }, do: [{ publish: { name: 'soon' } }] });
  await expect.poll(async () => ((await ask({ cmd: 'triggers' }))['triggers'] as Answer[])[0]?.['fired']).toBe(1);
  await ask({ cmd: 'trigger', id: 'a', when: { after_ms: 1500 }, do: [{ type: 'late' }] });
  await replace();
  expect(await ask({ cmd: 'wait', id: 'a', until: { text: 'late' } })).toMatchObject({ outcome: 'matched' });
  expect(await ask({ cmd: 'triggers' })).toMatchObject({
    triggers: [
      { state: 'spent', fired: 1 },
      { state: 'spent', fired: 1 },
    ],
  });
});

it('a hold goes on with its number, line and time, and one of a connection has ten seconds', async () => {
  const { daemon, ask, replace } = await replaceable();
  for (const name of ['a', 'b']) await ask({ cmd: 'create', name, cmd_args: ['cat'] });
  await ask({ cmd: 'control', id: 'a', action: 'take', as: 'x' });
  await ask({ cmd: 'control', id: 'a', action: 'release', as: 'x' });
  const taken = await ask({
    cmd: 'control',
    id: 'a',
    action: 'take',
    as: 'ann',
    person: true,
    reason: 'mine',
    lease_ms: 500_000,
  });
  await ask({ cmd: 'control', id: 'a', action: 'take', as: 'bob' });
  const owner = new RawConnection(daemon.socketPath);
  await owner.request({ cmd: 'control', id: 'b', action: 'take', as: 'eve', exclusive: true });
  const before = await ask({ cmd: 'control', id: 'a', action: 'show' });
  expect(before).toMatchObject({ hold: 2, holder: { as: 'ann' }, requests: [{ as: 'bob' }] });
  await replace();
  const after = await ask({ cmd: 'control', id: 'a', action: 'show' });
  expect(after).toMatchObject({ hold: taken['hold'], holder: before['holder'], requests: before['requests'] });
  expect(after['expires_in_ms']).toBeLessThanOrEqual(before['expires_in_ms'] as number);
  expect(after['expires_in_ms']).toBeGreaterThan(400_000);
  expect(await ask({ cmd: 'type', id: 'a', text: 'no', as: 'bob' })).toMatchObject({ ok: false, code: 'control_held' });
  await ask({ cmd: 'control', id: 'a', action: 'release', as: 'ann' });
  expect(await ask({ cmd: 'control', id: 'a', action: 'show' })).toMatchObject({ hold: 3, holder: { as: 'bob' } });
  const left = await ask({ cmd: 'control', id: 'b', action: 'show' });
  expect(left).toMatchObject({ hold: 1, holder: { as: 'eve' } });
  expect(left['expires_in_ms']).toBeLessThanOrEqual(10_000);
  expect(await ask({ cmd: 'type', id: 'b', text: 'mine', as: 'eve' })).toMatchObject({ ok: true });
  owner.close();
});

it('a question to a person keeps its number: its request ends with the error `replaced`, and the answer comes after it', async () => {
  const { daemon, ask, replace } = await replaceable();
  await ask({ cmd: 'create', name: 'a', cmd_args: ['cat'] });
  const asker = new RawConnection(daemon.socketPath);
  const asked = asker.request({
    cmd: 'ask',
    id: 'a',
    as: 'ann',
    question: 'Which?',
    kind: 'choice',
    choices: ['l', 'r'],
  });
  await expect.poll(async () => (await ask({ cmd: 'asks' }))['asks']).toHaveLength(1);
  await ask({ cmd: 'ask', as: 'bob', question: 'Over?', timeout_ms: 0 });
  await ask({ cmd: 'answer', ask: 2, text: 'yes', as: 'eve' });
  await replace();
  expect((await asked).header).toMatchObject({ ok: false, code: 'replaced' });
  expect(await ask({ cmd: 'asks' })).toMatchObject({
    asks: [{ ask: 1, as: 'ann', question: 'Which?', choices: ['l', 'r'], id: 'a' }],
  });
  expect(await ask({ cmd: 'ask', resume: 2, as: 'bob', timeout_ms: 0 })).toMatchObject({ answer: 'yes', by: 'eve' });
  await ask({ cmd: 'answer', ask: 1, text: '2', as: 'eve' });
  expect(await ask({ cmd: 'ask', resume: 1, as: 'ann' })).toMatchObject({
    outcome: 'answered',
    answer: 'r',
    by: 'eve',
  });
  expect(await ask({ cmd: 'ask', as: 'bob', question: 'Next?', timeout_ms: 0 })).toMatchObject({ ask: 3 });
  asker.close();
});

it('what programs and their hooks report stands, and ends as before', async () => {
  const { ask, replace } = await replaceable();
  const says = (status: string): string => `process.stdout.write('\\x1b]7501;${status}\\x07');`;
  const program = `${says('state=blocked:kind=permission:app=prog')} process.stdin.once('data', () => { ${says('state=clear')} });`;
  const { pid } = await ask({ cmd: 'create', name: 'a', cmd_args: [process.execPath, '-e', program] });
  await ask({ cmd: 'create', name: 'b', cmd_args: ['sleep', '1000'] });
  await ask({ cmd: 'report', id: 'b', state: 'working', app: 'hook', ttl_ms: 600_000 });
  const stood = async (): Promise<Answer[]> =>
    Promise.all(
      ['a', 'b'].map(async (id) =>
        (({ reported, report, doing }) => ({ reported, report, doing }))(await ask({ cmd: 'status', id })),
      ),
    );
  await expect.poll(async () => (await stood())[0]).toMatchObject({ reported: { state: 'blocked' } });
  const before = await stood();
  expect(before).toMatchObject([{ reported: { state: 'blocked', by: { pid } } }, { report: { state: 'working' } }]);
  await replace();
  expect(await stood()).toEqual(before);
  await ask({ cmd: 'type', id: 'a', text: 'yes', submit: true });
  await expect.poll(() => ask({ cmd: 'status', id: 'a' })).toMatchObject({ reported: null });
  await ask({ cmd: 'report', id: 'b', state: 'clear' });
  expect((await ask({ cmd: 'status', id: 'b' }))['report'] ?? null).toBeNull();
});

it('rules go on with entries of the same ids and versions, find nothing a second time, and fill the same file', async () => {
  const { ask, replace } = await replaceable();
  await ask({ cmd: 'config', activity: 'disk' });
  const rules = JSON.stringify({
    version: 1,
    profiles: [
      {
        id: 'mine',
        rules: [
          { id: 'error', start: '^ERROR (?P<what>.*)', emit: { kind: 'error' } },
          { id: 'asked', start: '^Sure\\?', on: 'region', region: { top: 0 }, emit: { kind: 'question' } },
        ],
      },
    ],
  });
  const script =
    'for i in 1 2 3; do echo "ERROR $i"; echo "Sure?"; read x; clear; done; echo "ERROR last"; exec sleep 1000';
  await ask({ cmd: 'create', name: 'a', cmd_args: ['sh', '-c', script] });
  const set = await ask({ cmd: 'rules', action: 'set', rules, terminal: 'a', profile: 'mine' });
  expect(set).toMatchObject({ ok: true, version: 1, profile: 'mine' });
  const entries = async (fields: object = {}): Promise<Answer> => ask({ cmd: 'entries', id: 'a', ...fields });
  const errors = async (): Promise<string[]> =>
    ((await entries())['entries'] as { kind: string; data: { what: string } }[])
      .filter(({ kind }) => kind === 'error')
      .map(({ data }) => data.what);
  await expect.poll(errors).toEqual(['1']);
  await ask({ cmd: 'type', id: 'a', text: 'y', submit: true });
  await expect.poll(errors).toEqual(['1', '2']);
  // The look that stands finds what is final.
  const settled = async (): Promise<unknown> => JSON.stringify(await entries());
  let last = '';
  await expect.poll(async () => last === (last = String(await settled())), { interval: 400 }).toBe(true);
  const { seq: _, ...before } = await entries();
  await replace();
  const { seq, ...after } = await entries();
  expect(after).toEqual(before);
  expect(await ask({ cmd: 'rules', action: 'show', terminal: 'a', with_text: true })).toMatchObject({
    version: 1,
    text: rules,
    profile: 'mine',
  });
  await ask({ cmd: 'type', id: 'a', text: 'y', submit: true });
  await expect.poll(errors).toEqual(['1', '2', '3']);
  await ask({ cmd: 'type', id: 'a', text: 'y', submit: true });
  await expect.poll(errors).toEqual(['1', '2', '3', 'last']);
  const since = await entries({ since: before['next'] });
  expect(since).toMatchObject({ gap: false });
  const numbers = changesIn(readFileSync(String(before['file']), 'utf8')).map(({ n }) => n);
  expect(numbers).toEqual(Array.from({ length: since['next'] as number }, (_n, at) => at + 1));
  expect(seq).toBeGreaterThan(0);
  expect(await ask({ cmd: 'stats', rules: true })).toMatchObject({
    rules: [{ rule: 'error', found: 4 }, { rule: 'asked' }],
  });
});

it('the past before a replacement can be read after it: moments, commands, markers, films and what is still printed', async () => {
  const { ask, replace } = await replaceable();
  await ask({ cmd: 'create', name: 'a', cmd_args: ['bash'], env: { PS1: '$ ' } });
  await ask({ cmd: 'run', id: 'a', command: 'seq 1 3000' });
  await ask({ cmd: 'marker', id: 'a', label: 'here' });
  await ask({ cmd: 'run', id: 'a', command: 'clear; echo second' });
  const moments = ['start', 'command:1:end', 'marker:here', 'command:2:end', 'input:-1'];
  const screenAt = async (at: string): Promise<Answer> => {
    const shown = await ask({ cmd: 'text', id: 'a', at });
    return { ...shown, at: { ...(shown['at'] as object), ago_ms: 0 } };
  };
  const past = (): Promise<Answer[]> => Promise.all(moments.map(screenAt));
  const before = await past();
  expect(before[1]).toMatchObject({ ok: true, lines: expect.arrayContaining([expect.stringMatching(/^3000 *$/)]) });
  await replace();
  expect(await past()).toEqual(before);
  expect(await ask({ cmd: 'run', id: 'a', command: 'echo third' })).toMatchObject({ exit_code: 0 });
  await replace();
  expect((await past()).slice(0, 4)).toEqual(before.slice(0, 4));
  const third = await ask({ cmd: 'text', id: 'a', at: 'command:3:end' });
  expect(third).toMatchObject({ lines: expect.arrayContaining([expect.stringMatching(/^third *$/)]) });
  const told = await ask({ cmd: 'replace', history: false });
  expect(told).toMatchObject({ ok: true, history: false });
  expect(await ask({ cmd: 'text', id: 'a', at: 'marker:here' })).toMatchObject({ ok: false });
  const now = await ask({ cmd: 'text', id: 'a', at: 'end' });
  expect(now).toMatchObject({ lines: expect.arrayContaining([expect.stringMatching(/^third *$/)]) });
});

it('settings of a request go along before what they decide: a terminal without a history has none after it', async () => {
  const { ask, replace } = await replaceable();
  await ask({ cmd: 'config', history_bytes: 0, max_terminals: 7 });
  await ask({ cmd: 'create', name: 'a', cmd_args: ['cat'] });
  const before = await ask({ cmd: 'config' });
  expect(before).toMatchObject({ history_bytes: 0, max_terminals: 7 });
  await replace();
  expect(await ask({ cmd: 'config' })).toEqual(before);
  expect(await ask({ cmd: 'text', id: 'a', at: 'end' })).toMatchObject({ ok: false, code: 'moment_lost' });
});

it('a recording goes on in its file, without a seam, and one whose file is another ends with a warning', async () => {
  const { daemon, ask, replace } = await replaceable();
  const { join } = tempDir();
  const script = 'echo first; read a; echo second-$a; read b; echo third-$b; exit 3';
  const paths = { a: join('plain.cast'), b: join('packed.cast.gz'), c: join('lost.cast') };
  for (const [id, file] of Object.entries(paths)) {
    await ask({ cmd: 'create', name: id, cmd_args: ['sh', '-c', script] });
    await ask({ cmd: 'record', id, action: 'start', path: file, title: 'kept', input: id === 'a' });
  }
  await ask({ cmd: 'create', name: 'd', cmd_args: ['cat'], record: true });
  const answer = async (text: string): Promise<void> => {
    for (const id of ['a', 'b']) await ask({ cmd: 'type', id, text, submit: true });
  };
  await replace();
  await answer('one');
  for (const id of ['a', 'b']) await ask({ cmd: 'wait', id, until: { text: 'second-one' } });
  renameSync(paths.c, `${paths.c}.old`);
  writeFileSync(paths.c, 'mine');
  const listed = (await ask({ cmd: 'recordings' }))['recordings'] as Answer[];
  expect(listed.filter(({ live }) => live === true).map(({ terminal }) => terminal)).toEqual(
    expect.arrayContaining(['a', 'b', 'd']),
  );
  await replace();
  await answer('two');
  for (const id of ['a', 'b']) await ask({ cmd: 'wait', id, until: { exit: true } });
  const lines = (file: string): unknown[][] => {
    const bytes = readFileSync(file);
    const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
    return text
      .split('\n')
      .slice(1, -1)
      .map((line) => JSON.parse(line) as unknown[]);
  };
  for (const file of [paths.a, paths.b]) {
    await expect.poll(() => lines(file).at(-1)?.slice(1)).toEqual(['x', '3']);
    const printed = lines(file).flatMap(([, code, text]) => (code === 'o' ? [text] : []));
    // What stood there when it began is painted.
    expect(printed.join('').replaceAll('\r', '')).toMatch(/first[^]*one\nsecond-one\ntwo\nthird-two\n$/);
    expect(printed.join('').match(/first|second-one|third-two/g)).toEqual(['first', 'second-one', 'third-two']);
    expect(lines(file).filter(([, code]) => code === 'm')).toEqual([]);
    expect(lines(file).every(([since]) => (since as number) >= 0)).toBe(true);
  }
  const events = await EventStream.open(daemon.socketPath, { since: 0, types: ['warning'] });
  expect(await events.next()).toMatchObject({ code: 'recording', terminal: 'c' });
  events.close();
  expect(readFileSync(paths.c, 'utf8')).toBe('mine');
  expect(await ask({ cmd: 'record', id: 'd', action: 'stop' })).toMatchObject({ live: false, gaps: 0 });
});

it('moments stay what they were, however often the daemon is replaced', async () => {
  const { daemon, ask, replace } = await replaceable();
  const file = path.join(daemon.dir, 'a.cast');
  await ask({ cmd: 'create', name: 'asks', cmd_args: ['sh', '-c', 'printf "name? "; read x; exec cat'] });
  await ask({ cmd: 'create', name: 'works', cmd_args: ['sleep', '1000'] });
  await ask({ cmd: 'create', name: 'shell', cmd_args: ['bash', '--norc'] });
  await ask({ cmd: 'report', id: 'works', state: 'working', msg: 'builds' });
  await ask({ cmd: 'record', id: 'asks', action: 'start', path: file });
  await ask({ cmd: 'type', id: 'shell', text: 'sleep 1000', submit: true });
  const doing = async (): Promise<Map<unknown, unknown>> => {
    const { terminals } = await ask({ cmd: 'list' });
    return new Map((terminals as Answer[]).map(({ id, doing: does }) => [id, does]));
  };
  await expect.poll(doing).toMatchObject(
    new Map([
      ['asks', { is: 'waiting' }],
      ['works', { is: 'working' }],
      ['shell', { is: 'working' }],
    ]),
  );
  const before = await doing();
  const moments = [...before.values()].map((does) => (does as Answer)['since']);
  for (let count = 0; count < 3; count++) await replace();
  // Wall times are whole milliseconds: each switch may round another way.
  for (const [at, does] of [...(await doing()).values()].entries()) {
    expect(Math.abs(Number((does as Answer)['since']) - Number(moments[at]))).toBeLessThanOrEqual(6);
  }
  const { size } = statSync(file);
  expect(size).toBeGreaterThan(0);
  expect(await ask({ cmd: 'recordings' })).toMatchObject({ recordings: [{ path: file, size, live: true }] });
});
