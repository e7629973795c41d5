/** Triggers: a question answered once each time that it appears, and what keeps triggers from doing harm. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCliHere } from '../support/cli-in-process.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { RawConnection } from '../support/raw.js';
import { runsOf } from '../support/trial.js';
import { EventStream } from '../support/wait-for.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const TIMES = runsOf({ suite: 18, trial: 100 });

/** More than a screen has rows. Asks so many times and counts the answers; input beyond them is reported at the end. */
const COOKED = `
i=0; yes=0
while [ $i -lt ${TIMES} ]; do
  printf 'Overwrite? '; read answer
  [ "$answer" = y ] && yes=$((yes+1)); i=$((i+1))
done
read -t 0.5 extra || extra=none
echo "yes=$yes extra=[$extra]"; exec cat`;

const cbreak = (end: string): string => `
import os, select, sys, termios, tty
tty.setcbreak(0)
yes = 0
for i in range(${TIMES}):
    os.write(1, b'Overwrite? ')
    yes += os.read(0, 1) == b'y'
    os.write(1, ${end})
extra = select.select([0], [], [], 0.5)[0]
os.write(1, b'\\r\\nyes=%d extra=[%s]\\r\\n' % (yes, os.read(0, 9) if extra else b'none'))
os.read(0, 1)`;

/** Questions of real programs, each a program of its own. */
const PROGRAMS: readonly [name: string, program: string[], trigger: object][] = [
  ['cooked', ['bash', '-c', COOKED], { press: ['y', 'Enter'] }],
  ['cbreak', ['python3', '-c', cbreak("b'\\r\\n'")], { press: 'y' }],
  ['cbreak in one row', ['python3', '-c', cbreak("b'\\r\\x1b[K'")], { press: 'y' }],
];

it.each(PROGRAMS)(
  'a question (%s) is answered once each time that it appears',
  async (name, program, action) => {
    const { id } = await request(daemon, { cmd: 'create', cmd_args: program });
    const reading = name === 'cbreak in one row';
    await request(daemon, { cmd: 'trigger', id, when: { text: 'Overwrite?' }, do: [action], reading, as: 'ci' });
    const end = await request(daemon, { cmd: 'wait', id, until: { text: 'extra=[' }, timeout_ms: 60_000 });
    expect(end['tail']).toContainEqual(`yes=${TIMES} extra=[none]`);
    const { triggers } = await request(daemon, { cmd: 'triggers', id });
    expect(triggers).toMatchObject([{ fired: TIMES, state: 'armed', as: 'ci', last_error: null }]);
    const { inputs } = (await request(daemon, { cmd: 'debug', id })) as { inputs?: { seen: { as: string }[] } };
    expect(inputs?.seen.map(({ as }) => as)).toEqual(Array.from({ length: TIMES }, () => 'ci'));
  },
  90_000,
);

it('two triggers that fire each other do so eight times, and a warning names them', async () => {
  const { id } = await request(daemon, { cmd: 'create', cmd_args: ['cat'] });
  const events = await EventStream.open(daemon.socketPath, { types: ['warning'] });
  for (const [hears, says] of [
    ['ping', 'pong'],
    ['pong', 'ping'],
  ]) {
    await request(daemon, { cmd: 'trigger', id, when: { published: hears }, do: [{ publish: { name: says } }] });
  }
  await request(daemon, { cmd: 'publish', name: 'ping' });
  const warned = events.next();
  const { triggers } = (await request(daemon, { cmd: 'triggers', id })) as { triggers: { trigger: number }[] };
  const named = triggers.map(({ trigger }) => expect.stringContaining(`trigger ${trigger} of "${String(id)}"`));
  for (const message of named) expect((await warned).message).toEqual(message);
  events.close();
  expect(await request(daemon, { cmd: 'triggers', id })).toMatchObject({
    triggers: [
      { state: 'armed', fired: 4 },
      { state: 'armed', fired: 4 },
    ],
  });
  await request(daemon, { cmd: 'kill', id });
});

const BOUNCES = 'while read -r _; do echo ball; done';

it('triggers of two terminals that fire each other through their programs are cut as well', async () => {
  const events = await EventStream.open(daemon.socketPath, { types: ['warning', 'published'] });
  const ids: unknown[] = [];
  for (const [hears, says] of [
    ['left', 'right'],
    ['right', 'left'],
  ]) {
    const { id } = await request(daemon, { cmd: 'create', cmd_args: ['sh', '-c', BOUNCES] });
    const typed = { type: { text: 'go', submit: true } };
    await request(daemon, { cmd: 'trigger', id, when: { published: hears }, do: [typed] });
    await request(daemon, { cmd: 'trigger', id, when: { text: 'ball' }, do: [{ publish: { name: says } }] });
    ids.push(id);
  }
  await request(daemon, { cmd: 'publish', name: 'left' });
  const names: unknown[] = [];
  let event = await events.next();
  for (; event['event'] === 'published'; event = await events.next()) names.push(event['name']);
  expect(names).toEqual(Array.from({ length: 9 }, (_, i) => (i % 2 === 0 ? 'left' : 'right')));
  expect(event).toMatchObject({ code: 'trigger', message: expect.stringContaining(`of "${String(ids[1])}"`) });
  events.close();
  for (const id of ids) await request(daemon, { cmd: 'kill', id });
});

it.each([
  [{ when: { text: 'x', regex: 'y' } }, 'invalid_field', 'when'],
  [{ when: {} }, 'invalid_field', 'when'],
  [{ when: { regex: '(' } }, 'bad_regex', 'regex'],
  [{ when: { exit: true }, reading: true }, 'invalid_field', 'reading'],
  [{ when: { control: 'mine' } }, 'invalid_field', 'until'],
  [{ do: [] }, 'invalid_field', 'do'],
  [{ do: [{ press: 'y', type: 'y' }] }, 'invalid_field', 'do.0'],
  [{ do: [{ press: 'Entre' }] }, 'unknown_key', 'do'],
  [{ do: [{ publish: { name: 'two words' } }] }, 'invalid_field', 'do.0.publish.name'],
  [{ id: 'nowhere' }, 'terminal_not_found', undefined],
])('%j is refused', async (fields, code, field) => {
  const { id } = await request(daemon, { cmd: 'create', cmd_args: ['cat'] });
  const whole = { cmd: 'trigger', id, when: { text: 'x' }, do: [{ press: 'y' }], ...fields };
  const refused = await request(daemon, whole);
  expect(refused).toMatchObject({ ok: false, code });
  expect(refused['field']).toBe(field);
  expect(await request(daemon, { cmd: 'triggers', id })).toMatchObject({ triggers: [] });
});

it('a terminal has at most 64 triggers, which end with it, and all have 256', async () => {
  const { id } = await request(daemon, { cmd: 'create', cmd_args: ['cat'] });
  const count = async (): Promise<number> => {
    const { triggers } = await request(daemon, { cmd: 'triggers' });
    return (triggers as unknown[]).length;
  };
  const one = { cmd: 'trigger', id, when: { text: 'never' }, do: [{ notify: 'x' }] };
  const made = await request(daemon, one);
  for (let more = 1; more < 64; more++) expect(await request(daemon, one)).toMatchObject({ ok: true });
  expect(await request(daemon, one)).toMatchObject({ ok: false, code: 'too_many_triggers' });
  const others: unknown[] = [];
  for (let left = 256 - (await count()); left > 0; left -= 64) {
    const { id: other } = await request(daemon, { cmd: 'create', cmd_args: ['cat'] });
    others.push(other);
    for (let more = Math.min(64, left); more > 0; more--) await request(daemon, { ...one, id: other });
  }
  expect(await count()).toBe(256);
  const { id: last } = await request(daemon, { cmd: 'create', cmd_args: ['cat'] });
  expect(await request(daemon, { ...one, id: last })).toMatchObject({
    code: 'too_many_triggers',
    error: expect.stringContaining('256'),
  });
  for (const other of [...others, last]) await request(daemon, { cmd: 'kill', id: other });
  await request(daemon, { cmd: 'kill', id });
  expect(await request(daemon, { cmd: 'untrigger', trigger: made['trigger'] })).toMatchObject({
    code: 'trigger_not_found',
  });
});

it('keys of a trigger go to no password prompt, and none while another name has control', async () => {
  const prompt =
    'stty -echo; printf "Secret: "; read word; stty echo; echo "got [$word]"; printf "Sure? "; read word; exec cat';
  const { id } = await request(daemon, { cmd: 'create', cmd_args: ['sh', '-c', prompt] });
  const events = await EventStream.open(daemon.socketPath, { types: ['warning'] });
  const press = [{ press: 'y' }];
  await request(daemon, { cmd: 'trigger', id, when: { text: 'Secret:' }, do: press });
  expect(await events.next()).toMatchObject({ code: 'trigger', message: expect.stringContaining('would_echo') });
  await request(daemon, { cmd: 'trigger', id, when: { text: 'Sure?' }, do: press, as: 'ci' });
  await request(daemon, { cmd: 'control', id, action: 'take', as: 'ada' });
  await request(daemon, { cmd: 'press', id, keys: ['Enter'], as: 'ada' });
  expect(await events.next()).toMatchObject({ code: 'trigger', message: expect.stringContaining('control_held') });
  const { lines } = await request(daemon, { cmd: 'text', id });
  expect(lines).toContainEqual(expect.stringMatching(/got \[\]/));
  events.close();
});

it('events, labels and signals follow a condition; a trigger that acts once is gone', async () => {
  const { id } = await request(daemon, { cmd: 'create', cmd_args: ['cat'] });
  const events = await EventStream.open(daemon.socketPath, { types: ['triggered', 'labelled', 'published', 'exit'] });
  const acts = [{ label: { set: { state: 'bad' } } }, { publish: { name: 'bad' } }, { kill: { signal: 'TERM' } }];
  const whole = { cmd: 'trigger', id, name: 'care', when: [{ regex: 'pan.c' }], do: [{ notify: 'Look!' }, ...acts] };
  const { trigger } = await request(daemon, { ...whole, once: true });
  await request(daemon, { cmd: 'type', id, text: 'panic', submit: true });
  expect(await events.next()).toMatchObject({
    event: 'triggered',
    trigger,
    name: 'care',
    text: 'panic',
    notify: 'Look!',
  });
  expect(await events.next()).toMatchObject({ event: 'labelled', labels: { state: 'bad' } });
  expect(await events.next()).toMatchObject({ event: 'published', name: 'bad' });
  expect(await events.next()).toMatchObject({ event: 'exit', signal: 'SIGTERM' });
  expect(await request(daemon, { cmd: 'triggers', id })).toMatchObject({ triggers: [] });
  events.close();
});

it('a text that is gone counts again only after it was there', async () => {
  const { id } = await request(daemon, { cmd: 'create', cmd_args: ['sh', '-c', 'stty -echo; exec cat'] });
  const events = await EventStream.open(daemon.socketPath, { types: ['triggered'] });
  await request(daemon, { cmd: 'trigger', id, when: { gone: 'busy' }, do: [{ notify: 'free' }] });
  expect(await events.next()).toMatchObject({ notify: 'free' });
  const show = async (text: string, until: object): Promise<void> => {
    await request(daemon, { cmd: 'type', id, text, submit: true });
    expect(await request(daemon, { cmd: 'wait', id, until })).toMatchObject({ outcome: 'matched' });
  };
  await show('idle', { text: 'idle' });
  await show('busy', { text: 'busy' });
  expect(await request(daemon, { cmd: 'triggers', id })).toMatchObject({ triggers: [{ fired: 1 }] });
  await show('\x1bc', { gone: 'busy' });
  expect(await events.next()).toMatchObject({ notify: 'free' });
  events.close();
});

it('a trigger can end with the connection that made it', async () => {
  const { id } = await request(daemon, { cmd: 'create', cmd_args: ['cat'] });
  // Each request of this helper has a connection of its own, which is closed by the time of the next.
  const own = { cmd: 'trigger', id, when: { text: 'never' }, do: [{ notify: 'x' }], with_connection: true };
  expect(await request(daemon, own)).toMatchObject({ ok: true });
  await expect.poll(async () => (await request(daemon, { cmd: 'triggers', id }))['triggers']).toEqual([]);
});

it('the command line reads like a sentence', async () => {
  await request(daemon, {
    cmd: 'create',
    name: 'cli',
    cmd_args: ['sh', '-c', 'printf "Sure? "; read a; echo "said $a"; exec cat'],
  });
  const made = await runCliHere(
    ['trigger', 'cli', '--when', 'text=Sure?', '--press', 'y Enter', '--once', '--json'],
    daemon,
  );
  expect(made).toMatchObject({ status: 0 });
  expect(await runCliHere(['wait', 'cli', '--text', 'said y'], daemon)).toMatchObject({ status: 0 });
  const { stdout } = await runCliHere(
    ['trigger', 'cli', '--when', 'after=1h', '--when', 'published=x', '--kill', '--json'],
    daemon,
  );
  const listed = await runCliHere(['triggers', 'cli'], daemon);
  expect(listed.stdout).toMatch(/^TRIGGER .*\n\d+ +cli +after_ms=3600000 or published=x +kill +0 +armed\n$/);
  const { triggers } = await request(daemon, { cmd: 'triggers', id: 'cli' });
  expect(triggers).toMatchObject([{ when: [{ after_ms: 3_600_000 }, { published: 'x' }], do: [{ kill: true }] }]);
  expect(await runCliHere(['untrigger', String(JSON.parse(stdout).trigger)], daemon)).toMatchObject({ status: 0 });
  expect(await runCliHere(['trigger', 'cli', '--press', 'y'], daemon)).toMatchObject({ status: 2 });
  expect(await runCliHere(['trigger', 'cli', '--when', 'text=x'], daemon)).toMatchObject({ status: 2 });
  expect(await runCliHere(['trigger', 'cli', '--when', 'wat=x', '--kill'], daemon)).toMatchObject({ status: 2 });
});

it('what is published ends a wait of no terminal, and one of a terminal', async () => {
  const { id } = await request(daemon, { cmd: 'create', cmd_args: ['cat'] });
  const until = [{ published: 'built' }, { published: 'tested' }];
  const fail = { published: 'broken' };
  const connection = new RawConnection(daemon.socketPath);
  const tell = (fields: object): void => connection.write(`${JSON.stringify(fields)}\n`);
  const next = async (): Promise<Record<string, unknown>> => (await connection.reply()).header;
  tell({ cmd: 'wait', req: 1, until, fail });
  tell({ cmd: 'wait', req: 2, id, until, fail });
  // It is answered after the others have begun.
  tell({ cmd: 'wait', req: 3, id, until: { text: 'never' }, timeout_ms: 1 });
  expect(await next()).toMatchObject({ req: 3, outcome: 'timeout' });
  await request(daemon, { cmd: 'publish', name: 'other' });
  await request(daemon, { cmd: 'publish', name: 'tested', data: '3 of 3', as: 'ci' });
  const seen = [await next(), await next()].toSorted((a, b) => Number(a['req']) - Number(b['req']));
  const event = { event: 'published', name: 'tested', data: '3 of 3', as: 'ci' };
  expect(seen).toMatchObject([
    { req: 1, outcome: 'matched', index: 1, event, tail: [] },
    { req: 2, outcome: 'matched', index: 1, event },
  ]);
  const ended = runCliHere(
    ['wait', '--published', 'built', '--published', 'broken', '--timeout', '10s', '--json'],
    daemon,
  );
  // Until it has begun, the name is published in vain.
  const again = setInterval(() => void request(daemon, { cmd: 'publish', name: 'broken' }), 100);
  const { status, stdout } = await ended;
  clearInterval(again);
  expect([status, JSON.parse(stdout)]).toMatchObject([0, { outcome: 'matched', index: 1 }]);
  tell({ cmd: 'wait', until: fail, fail, timeout_ms: 1 });
  expect(await next()).toMatchObject({ code: 'invalid_field' });
  tell({ cmd: 'wait', until: [...until, { text: 'x' }] });
  expect(await next()).toMatchObject({ code: 'invalid_field', field: 'id' });
  tell({ cmd: 'wait', until, timeout_ms: 1 });
  expect(await next()).toMatchObject({ outcome: 'timeout' });
  connection.close();
});

it('a connection that is restricted removes the triggers of its own author alone', async () => {
  const { id } = await request(daemon, { cmd: 'create', cmd_args: ['cat'] });
  const one = { cmd: 'trigger', id, when: { text: 'never' }, do: [{ notify: 'x' }] };
  const { trigger: theirs } = await request(daemon, { ...one, as: 'ada' });
  const { trigger: nameless } = await request(daemon, one);
  const { trigger: own } = await request(daemon, { ...one, as: 'ci' });
  const connection = new RawConnection(daemon.socketPath);
  const ask = async (fields: object): Promise<object> => {
    return (await connection.request(fields)).header;
  };
  expect(await ask({ cmd: 'restrict', reach: 'use' })).toMatchObject({ ok: true });
  for (const trigger of [theirs, nameless]) {
    expect(await ask({ cmd: 'untrigger', trigger, as: 'ci' })).toMatchObject({ code: 'not_allowed', field: 'trigger' });
  }
  expect(await ask({ cmd: 'untrigger', trigger: own })).toMatchObject({ code: 'not_allowed' });
  expect(await ask({ cmd: 'untrigger', trigger: own, as: 'ci' })).toMatchObject({ ok: true });
  expect(await ask({ cmd: 'untrigger', trigger: own, as: 'ci' })).toMatchObject({ code: 'trigger_not_found' });
  connection.close();
  expect(await request(daemon, { cmd: 'untrigger', trigger: theirs })).toMatchObject({ ok: true });
});
