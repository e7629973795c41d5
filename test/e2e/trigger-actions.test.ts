/** Actions and conditions of triggers beside keys, and the triggers of the owner's file. */
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '../../src/client/index.js';
import { runCliHere } from '../support/cli-in-process.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { EventStream } from '../support/wait-for.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const ask = (fields: object): ReturnType<typeof request> => request(daemon, fields);
const QUIET_CAT = { cmd: 'create', cmd_args: ['sh', '-c', 'stty -echo; exec cat'] };

it('a command runs beside the terminal, and what matched is its data alone', async () => {
  const cmd_args = ['sh', '-c', 'cd /; stty -echo; exec cat'];
  const { id } = await ask({ cmd: 'create', cmd_args, cwd: daemon.dir, env: { MARK: 'kept' } });
  const run = { command: 'echo "in $PWD with $MARK: $T4A_MATCH"; exec cat', name: 'beside' };
  await ask({ cmd: 'trigger', id, name: 'alarm', when: { regex: 'error: .*' }, do: [{ run }] });
  await ask({ cmd: 'type', id, text: 'error: "; touch harm; $(touch harm) `touch harm`', submit: true });
  await expect.poll(() => ask({ cmd: 'status', id: 'beside' })).toMatchObject({ ok: true, parent: id });
  const shown = await ask({ cmd: 'wait', id: 'beside', until: { text: 'touch harm`' } });
  expect(shown).toMatchObject({ outcome: 'matched' });
  const { lines } = await ask({ cmd: 'text', id: 'beside', join_wrapped: true });
  expect((lines as string[])[0]?.trimEnd()).toBe(
    `in ${daemon.dir} with kept: error: "; touch harm; $(touch harm) \`touch harm\``,
  );
});

it('text is pasted, and a person is asked under the name of the author', async () => {
  const { id } = await ask({ cmd: 'create', cmd_args: ['sh', '-c', 'read x; echo ready; exec cat'] });
  const when = { text: 'ready' };
  await ask({
    cmd: 'trigger',
    id,
    when,
    do: [{ ask: { question: 'Go on?' } }, { paste: 'two\n' }],
    as: 'ci',
    anywhere: true,
  });
  await ask({ cmd: 'press', id, keys: ['Enter'] });
  expect(await ask({ cmd: 'wait', id, until: { text: 'two' } })).toMatchObject({ outcome: 'matched' });
  const { asks } = await ask({ cmd: 'asks' });
  expect(asks).toMatchObject([{ question: 'Go on?', kind: 'confirm', as: 'ci', id }]);
  const nameless = { cmd: 'trigger', id, when, do: [{ ask: { question: 'Who?' } }] };
  expect(await ask(nameless)).toMatchObject({ ok: false, code: 'invalid_field', field: 'as' });
});

it('a client that is gone, however it went, ends what it began', async () => {
  const id = String((await ask(QUIET_CAT))['id']);
  const client = await connect({ socketPath: daemon.socketPath, autoStart: false });
  await client.call('trigger', { id, when: { disconnected: true }, do: [{ kill: true }] });
  expect(await ask({ cmd: 'status', id })).toMatchObject({ alive: true });
  const events = await EventStream.open(daemon.socketPath, { types: ['removed'] });
  await client.close();
  expect(await events.next()).toMatchObject({ terminal: id });
  events.close();
});

it('a terminal is ended with those created from within it, and no other', async () => {
  const ids = ['root', 'branch', 'leaf', 'stranger'];
  const parents = [{}, { parent: 'root' }, { parent: 'branch' }, {}];
  for (const [i, name] of ids.entries()) await ask({ ...QUIET_CAT, name, ...parents[i] });
  const events = await EventStream.open(daemon.socketPath, { types: ['removed'] });
  const root = await ask({ cmd: 'status', id: 'root' });
  await ask({ cmd: 'trigger', id: 'root', when: { published: 'end' }, do: [{ kill: { tree: true } }] });
  await ask({ cmd: 'publish', name: 'end' });
  await events.until('removed', ({ terminal }) => terminal === root['id']);
  events.close();
  for (const id of ids.slice(0, 3))
    expect(await ask({ cmd: 'status', id })).toMatchObject({ code: 'terminal_not_found' });
  expect(await ask({ cmd: 'status', id: 'stranger' })).toMatchObject({ alive: true });
  const { stderr } = await runCliHere(['trigger', 'stranger', '--when', 'published=over', '--kill', '--tree'], daemon);
  expect(stderr).toBe('');
  expect(await ask({ cmd: 'triggers', id: 'stranger' })).toMatchObject({
    triggers: [{ do: [{ kill: { tree: true } }] }],
  });
});

it.each([{}, { tree: true, signal: 'INT' }, { tree: 1 }])('an end of the form %j is refused', async (kill) => {
  const id = String((await ask(QUIET_CAT))['id']);
  const reply = await ask({ cmd: 'trigger', id, when: { after_ms: 1 }, do: [{ kill }] });
  expect(reply).toMatchObject({ ok: false, code: 'invalid_field' });
});

it('a condition that waits for the end, a time, control or a stop fires at it', async () => {
  const id = String((await ask(QUIET_CAT))['id']);
  const events = await EventStream.open(daemon.socketPath, { types: ['triggered'] });
  const add = (name: string, when: object): Promise<unknown> =>
    ask({ cmd: 'trigger', id, name, when, do: [{ notify: name }], fresh: true });
  await add('control', { control: 'free' });
  await add('settled', { settled_ms: 50 });
  await add('idle', { idle_ms: 50 });
  await add('cursor', { cursor: { row: 1 } });
  await add('exit', { exit: true });
  await ask({ cmd: 'control', id, action: 'take', as: 'ada' });
  await ask({ cmd: 'control', id, action: 'release', as: 'ada' });
  await ask({ cmd: 'type', id, text: 'line', submit: true });
  const names = new Set<unknown>();
  while (names.size < 4) names.add((await events.next()).name);
  expect([...names]).toEqual(expect.arrayContaining(['control', 'settled', 'idle', 'cursor']));
  await ask({ cmd: 'press', id, keys: ['Ctrl+D'] });
  for (let name: unknown; name !== 'exit';) ({ name } = await events.next());
  events.close();
});

it('an entry, an event, output, a change, an end of a command and a wait for input fire at them', async () => {
  const id = String((await ask({ ...QUIET_CAT, rules: 'generic' }))['id']);
  const wait = { until: { awaiting_input: true } };
  const shell = String((await ask({ cmd: 'create', cmd_args: ['sh'], wait }))['id']);
  const { rev, output_bytes } = await ask({ cmd: 'status', id });
  const conditions: Readonly<Record<string, object>> = {
    entry: { entry: { kind: 'diagnostic' } },
    bell: { event: 'bell' },
    changed: { changed_since: rev },
    output: { output_since: output_bytes },
    reads: { awaiting_input: true },
    told: { published: 'go' },
  };
  const events = await EventStream.open(daemon.socketPath, { types: ['triggered'] });
  const add = (name: string, of: string, when: object): Promise<unknown> =>
    ask({ cmd: 'trigger', id: of, name, when, do: [{ notify: name }], fresh: true });
  for (const [name, when] of Object.entries(conditions)) await add(name, id, when);
  await add('done', shell, { done: true });
  await ask({ cmd: 'publish', name: 'go' });
  await ask({ cmd: 'type', id, text: 'a.c:1:2: error: no\x07', submit: true });
  await ask({ cmd: 'type', id: shell, text: 'true', submit: true });
  const texts = new Map<unknown, unknown>();
  while (texts.size < 7) {
    const { name, text } = await events.next();
    texts.set(name, text);
  }
  expect(new Set(texts.keys())).toEqual(new Set([...Object.keys(conditions), 'done']));
  expect(texts.get('entry')).toBe('a.c:1:2: error: no');
  events.close();
});

const ASKS = 'printf "Overwrite it? [y/N] "; read answer; echo "said $answer"; exec cat';

it('an entry that is open when the trigger is made counts, unless the trigger is fresh', async () => {
  const events = await EventStream.open(daemon.socketPath, { types: ['entry', 'triggered'] });
  const { id } = await ask({ cmd: 'create', cmd_args: ['sh', '-c', ASKS], rules: 'generic' });
  await events.until('entry', ({ entry }) => (entry as { kind: string }).kind === 'question');
  const add = (fields: object): Promise<Record<string, unknown>> =>
    ask({ cmd: 'trigger', id, when: { entry: { kind: 'question' } }, ...fields });
  expect(await add({ name: 'late', do: [{ notify: 'late' }], fresh: true })).toMatchObject({ ok: true });
  const made = await add({ name: 'answers', do: [{ press: ['y', 'Enter'] }], once: true });
  expect(made).toMatchObject({ ok: true });
  expect(made).not.toHaveProperty('warning');
  // Triggers of terminals before this one may fire meanwhile.
  expect(await events.until('triggered', (event) => event['terminal'] === id)).toMatchObject({
    name: 'answers',
    text: 'Overwrite it?',
  });
  events.close();
  expect(await ask({ cmd: 'wait', id, until: { text: 'said y' } })).toMatchObject({ outcome: 'matched' });
  expect(await ask({ cmd: 'triggers', id })).toMatchObject({ triggers: [{ name: 'late', fired: 0, state: 'armed' }] });
});

it('a condition on entries says that no rules find them', async () => {
  const { id } = await ask(QUIET_CAT);
  const whole = {
    cmd: 'trigger',
    id,
    when: [{ entry: { kind: 'diagnostics' } }, { exit: true }],
    do: [{ kill: true }],
  };
  const warnings = async (): Promise<unknown> => (await ask(whole))['warning'];
  const none = `Terminal "${String(id)}" has no rules, and so no entries: `;
  expect(await warnings()).toEqual(expect.stringContaining(none));
  const wait = { cmd: 'wait', id, until: { event: 'entry' }, timeout_ms: 1 };
  expect(await ask(wait)).toMatchObject({ outcome: 'timeout', warning: expect.stringContaining(none) });
  await ask({ cmd: 'rules', action: 'set', terminal: id, profile: 'generic' });
  expect(await warnings()).toMatch(/no rule .*"generic".* "diagnostics"; it has diagnostic\.$/i);
  expect(await ask(wait)).not.toHaveProperty('warning');
  const when = ['--when', 'entry=wat'];
  const { stdout, stderr } = await runCliHere(['trigger', String(id), ...when, '--kill'], daemon);
  expect(stdout).toMatch(/^trigger +\d+\n$/);
  expect(stderr).toMatch(/^No rule of the profile "generic" finds entries of the kind "wat"; it has .*test_summary/);
});

it('triggers of the file join each terminal that they mean, and a broken file leaves those of before', async () => {
  const file = path.join(daemon.dir, 't4a/triggers.json');
  mkdirSync(path.dirname(file), { recursive: true });
  const save = (content: unknown, mode = 0o600): void => {
    // At once: half of a file has a warning of its own.
    const whole = `${file}.new`;
    writeFileSync(whole, typeof content === 'string' ? content : JSON.stringify(content));
    chmodSync(whole, mode);
    renameSync(whole, file);
  };
  const triggersOf = async (fields: object): Promise<unknown> => {
    const { id } = await ask({ ...QUIET_CAT, ...fields });
    // They are added in a later step.
    await ask({ cmd: 'type', id, text: 'x', submit: true });
    await ask({ cmd: 'wait', id, until: { text: 'x' } });
    return (await ask({ cmd: 'triggers', id }))['triggers'];
  };
  const back = { name: 'back', where: { labels: { role: 'web' } }, when: { exit: true }, do: [{ restart: true }] };
  save({ version: 1, triggers: [back] });
  expect(await triggersOf({ labels: { role: 'web' } })).toMatchObject([{ name: 'back', when: [{ exit: true }] }]);
  expect(await triggersOf({ labels: { role: 'other' } })).toEqual([]);

  const events = await EventStream.open(daemon.socketPath, { types: ['warning'] });
  // A command that each new terminal begins in another one.
  const spreads = { where: { command_regex: 'spread' }, when: { after_ms: 1 } };
  save({ version: 1, triggers: [back, { ...spreads, do: [{ run: { command: ': spread; exec cat' } }] }] });
  await ask({ cmd: 'create', command: ': spread; exec cat' });
  expect(await events.next()).toMatchObject({ code: 'trigger', message: expect.stringContaining('did not fire') });
  const spread = (await ask({ cmd: 'list', where: { command_regex: 'spread' } }))['terminals'] as { id: string }[];
  expect(spread.length).toBe(9);
  for (const { id } of spread) await ask({ cmd: 'kill', id });
  save({ version: 1, triggers: [back] });

  for (const [content, says] of [
    ['{"version": 1,\n "triggers": [,]}', 'line 2'],
    [{ version: 1, triggers: [back, { when: { text: 'x' }, do: [{ explode: true }] }] }, 'triggers.json'],
    [{ version: 1, triggers: [{ when: { regex: '(' }, do: [{ kill: true }] }] }, '('],
  ] as const) {
    save(content);
    expect(await triggersOf({ labels: { role: 'web' } })).toMatchObject([{ name: 'back' }]);
    expect(await events.next()).toMatchObject({ code: 'trigger', message: expect.stringContaining(says) });
  }
  save({ version: 1, triggers: [{ when: { text: 'x' }, do: [{ kill: true }] }] }, 0o622);
  expect(await triggersOf({ labels: { role: 'web' } })).toMatchObject([{ name: 'back' }]);
  expect(await events.next()).toMatchObject({ message: expect.stringContaining('others than its owner') });
  events.close();
});
