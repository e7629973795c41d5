/** Questions to persons, through the socket of a real daemon. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { needs } from '../support/programs.js';
import { RawConnection } from '../support/raw.js';
import { EventStream } from '../support/wait-for.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const LONG_MS = 60_000;
const send = (fields: object) => request(daemon, fields);
const ask = (fields: object) => send({ cmd: 'ask', as: 'claude', timeout_ms: LONG_MS, ...fields });
const answer = (number: unknown, fields: object) => send({ cmd: 'answer', as: 'ada', ask: number, ...fields });

interface Listed {
  readonly ask: number;
  readonly question: string;
}

async function open(): Promise<Listed[]> {
  return (await send({ cmd: 'asks' }))['asks'] as Listed[];
}

/** The number of the question once it is asked. */
async function numberOf(question: string): Promise<number> {
  for (;;) {
    const found = (await open()).find((one) => one.question === question);
    if (found !== undefined) return found.ask;
  }
}

async function start(command: string): Promise<string> {
  const { id } = await send({ cmd: 'create', cmd_args: ['sh', '-c', command], wait: { until: { text: 'ready' } } });
  return String(id);
}

test('open questions about a terminal are counted in the list', async () => {
  const id = await start('echo ready; cat');
  const listed = async (): Promise<unknown> => {
    const { terminals } = await send({ cmd: 'list' });
    return (terminals as { id: string; asks?: number }[]).find((terminal) => terminal.id === id)?.asks;
  };
  expect(await listed()).toBeUndefined();
  const asking = ask({ id, question: 'Counted?' });
  const number = await numberOf('Counted?');
  expect(await listed()).toBe(1);
  await answer(number, { text: 'yes' });
  await asking;
  expect(await listed()).toBeUndefined();
  await send({ cmd: 'kill', id });
});

describe('what the interface of the asker was answered', () => {
  const elicited = (number: unknown, text: unknown, fields: object = {}) =>
    ask({ resume: number, elicited: text, ...fields });

  test.each<[object, string]>([
    [{ question: 'By whom?' }, 'main'],
    [{ question: 'Left?', kind: 'choice', choices: ['left', 'right'] }, 'right'],
  ])('answers %j, and is not known to be a person', async (question, text) => {
    const events = await EventStream.open(daemon.socketPath, { types: ['answered'] });
    const asking = ask(question);
    const number = await numberOf((question as Listed).question);
    const expected = { ask: number, outcome: 'answered', answer: text, by: 'elicitation', person: false };
    expect(await elicited(number, text)).toEqual({ ok: true, ...expected });
    expect(await asking).toEqual({ ok: true, ...expected });
    expect(await events.until('answered')).toMatchObject({ ask: number, by: 'elicitation', person: false });
    events.close();
    expect(await open()).toEqual([]);
  });

  test('counts if it is the first: that of a person stays, and a person comes too late', async () => {
    const asking = ask({ question: 'First?' });
    const number = await numberOf('First?');
    await answer(number, { text: 'of ada' });
    const first = { ok: true, ask: number, outcome: 'answered', answer: 'of ada', by: 'ada' };
    expect(await elicited(number, 'late')).toEqual(first);
    expect(await asking).toEqual(first);
    const second = ask({ question: 'Second?' });
    const other = await numberOf('Second?');
    await elicited(other, 'quick');
    expect(await answer(other, { text: 'late' })).toMatchObject({
      code: 'ask_not_found',
      error: `Question ${other} was answered by elicitation already.`,
    });
    expect(await second).toMatchObject({ answer: 'quick', person: false });
  });

  test.each(['confirm', 'secret', 'hand'])('never answers a %s', async (kind) => {
    const id = await start('echo ready; cat');
    const asking = ask({ question: `A ${kind}?`, kind, id });
    const number = await numberOf(`A ${kind}?`);
    expect(await elicited(number, 'yes')).toMatchObject({ code: 'invalid_field', field: 'elicited' });
    expect((await open()).map((one) => one.ask)).toEqual([number]);
    await send({ cmd: 'ask', withdraw: number });
    expect(await asking).toMatchObject({ outcome: 'withdrawn' });
    await send({ cmd: 'kill', id });
  });

  test('is refused of the question of another, without one, and where it is no choice', async () => {
    const asking = ask({ question: 'Whose?', kind: 'choice', choices: ['a', 'b'] });
    const number = await numberOf('Whose?');
    for (const [resume, text, fields] of [
      [number, 'a', { as: 'mallory' }],
      [number, 'a', { as: undefined }],
      [undefined, 'a', { question: 'Mine?' }],
      [number, 'c', {}],
      [number, 7, {}],
      [number, 'x'.repeat(4097), {}],
    ] as const) {
      expect(await elicited(resume, text, fields)).toMatchObject({ code: 'invalid_field', field: 'elicited' });
    }
    expect(await elicited(999, 'a')).toMatchObject({ code: 'ask_not_found' });
    expect((await open()).map((one) => one.ask)).toEqual([number]);
    await answer(number, { text: 'b' });
    expect(await asking).toMatchObject({ answer: 'b', by: 'ada' });
  });
});

describe('an answer', () => {
  test.each<[object, object, unknown]>([
    [{ question: 'Which branch?' }, { text: 'main' }, 'main'],
    [{ question: 'Pick one', kind: 'choice', choices: ['left', 'right'] }, { text: 'right' }, 'right'],
    [{ question: 'Pick by number', kind: 'choice', choices: ['left', 'right'] }, { text: '1' }, 'left'],
    [{ question: 'Deploy?', kind: 'confirm' }, { text: 'Yes', note: 'go' }, true],
    [{ question: 'Really?', kind: 'confirm' }, { text: 'n' }, false],
  ])('to %j of %j reaches the asker', async (question, given, expected) => {
    const asking = ask(question);
    const number = await numberOf((question as Listed).question);
    expect(await answer(number, given)).toEqual({ ok: true, ask: number, outcome: 'answered', undo_ms: 0 });
    const { note } = given as { note?: string };
    expect(await asking).toEqual({
      ok: true,
      ask: number,
      outcome: 'answered',
      answer: expected,
      by: 'ada',
      ...(note === undefined ? {} : { note }),
    });
    expect(await open()).toEqual([]);
  });

  test('is one: a second is refused with how it ended, and so is one that fits the question not', async () => {
    const asking = ask({ question: 'Once', kind: 'choice', choices: ['a', 'b'] });
    const number = await numberOf('Once');
    expect(await answer(number, { text: 'c' })).toMatchObject({ code: 'invalid_field', field: 'text' });
    expect(await answer(number, {})).toMatchObject({ code: 'invalid_field', field: 'text' });
    expect(await answer(number, { text: 'a', decline: true })).toMatchObject({ code: 'invalid_field' });
    expect(await answer(number, { text: 'a', even_if_shown: true })).toMatchObject({ code: 'invalid_field' });
    const both = await Promise.all([answer(number, { text: 'a' }), answer(number, { text: 'b', as: 'bob' })]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    expect(both.find(({ ok }) => ok === false)).toMatchObject({
      code: 'ask_not_found',
      error: expect.stringMatching(/^Question \d+ was answered by (ada|bob) already\.$/) as string,
    });
    expect(await asking).toMatchObject({ outcome: 'answered' });
    expect(await answer(999, { text: 'a' })).toMatchObject({ code: 'ask_not_found' });
  });

  test('can be declined, with a note', async () => {
    const asking = ask({ question: 'No?' });
    await answer(await numberOf('No?'), { decline: true, note: 'busy' });
    expect(await asking).toMatchObject({ outcome: 'declined', by: 'ada', note: 'busy' });
    expect(await asking).not.toHaveProperty('answer');
  });

  test('is in no event', async () => {
    const events = await EventStream.open(daemon.socketPath, { types: ['asked', 'answered'] });
    const asking = ask({ question: 'Event?' });
    const number = await numberOf('Event?');
    await answer(number, { text: 'canary-4711' });
    await asking;
    expect(await events.until('asked')).toMatchObject({ ask: number, kind: 'text', as: 'claude' });
    const ended = await events.until('answered');
    expect(ended).toMatchObject({ ask: number, outcome: 'answered', by: 'ada' });
    expect(JSON.stringify(ended)).not.toContain('canary-4711');
    events.close();
  });
});

describe('a question', () => {
  test('stays open at the deadline, and is resumed, also after its answer', async () => {
    const id = await start('printf ready; exec cat');
    const first = await ask({ id, question: 'Later?', timeout_ms: 1, observe: { text: true } });
    expect(first).toMatchObject({
      outcome: 'open',
      by: null,
      watchers: 0,
      changed: false,
      inputs: 0,
      observed: { lines: ['ready'] },
    });
    const resumed = send({ cmd: 'ask', resume: first['ask'] });
    await answer(first['ask'], { text: 'now' });
    expect(await resumed).toMatchObject({ outcome: 'answered', answer: 'now' });
    expect(await send({ cmd: 'ask', resume: first['ask'] })).toMatchObject({ outcome: 'answered', answer: 'now' });
    expect(await send({ cmd: 'ask', resume: 999 })).toMatchObject({ code: 'ask_not_found' });
  });

  test('is withdrawn by its asker, or with its first request, and ends with its terminal', async () => {
    const { ask: number } = await ask({ question: 'Drop', timeout_ms: 0 });
    expect(await send({ cmd: 'ask', withdraw: number })).toMatchObject({ outcome: 'withdrawn' });
    expect(await answer(number, { text: 'x' })).toMatchObject({ code: 'ask_not_found' });

    const connection = new RawConnection(daemon.socketPath);
    connection.write(`${JSON.stringify({ cmd: 'ask', as: 'gone', question: 'Gone' })}\n`);
    const gone = await numberOf('Gone');
    connection.close();
    while ((await open()).length > 0);
    expect(await send({ cmd: 'ask', resume: gone })).toMatchObject({ outcome: 'withdrawn' });

    const id = await start('printf ready; exec cat');
    const asking = ask({ id, question: 'Exit' });
    await numberOf('Exit');
    await send({ cmd: 'kill', id });
    expect(await asking).toMatchObject({ outcome: 'exited', by: null });
    expect(await ask({ question: 'Expires', expires_ms: 1000 })).toMatchObject({ outcome: 'expired' });
  });

  test('is shown with its terminal and the program there, and to watchers, without controls', async () => {
    const id = await start('printf ready; exec cat');
    const { ask: number } = await ask({ id, question: 'Hi\x1b]52;c;eA==\x07\u202e\u061c\nthere', timeout_ms: 0 });
    const [listed] = await open();
    expect(listed).toMatchObject({ ask: number, id, as: 'claude', kind: 'text', question: 'Hi]52;c;eA==\nthere' });
    expect(await send({ cmd: 'watch', id })).toMatchObject({ asks: [number], watchers: 1 });
    await send({ cmd: 'ask', withdraw: number });
    expect(await send({ cmd: 'watch', id })).toMatchObject({ asks: [] });
  });

  test('of one name is neither dropped nor waited for by another', async () => {
    const { ask: number } = await ask({ question: 'Deploy?', timeout_ms: 0 });
    for (const field of ['withdraw', 'resume']) {
      expect(await send({ cmd: 'ask', as: 'mallory', [field]: number, timeout_ms: 0 })).toMatchObject({
        code: 'invalid_field',
        field,
        error: expect.stringContaining(`Question ${Number(number)} is that of claude`) as string,
      });
    }
    expect(await open()).toMatchObject([{ ask: number }]);
    expect(await send({ cmd: 'ask', as: 'claude', withdraw: number })).toMatchObject({ outcome: 'withdrawn' });
  });

  test('has 4,096 characters at most, and a day for its answer if no other time is given', async () => {
    const { ask: number } = await ask({ question: 'x'.repeat(4096), timeout_ms: 0 });
    const { asks } = await send({ cmd: 'asks' });
    const [{ expires_in_ms: left }] = asks as [{ expires_in_ms: number }];
    expect(left).toBeGreaterThan(86_400_000 - 60_000);
    expect(left).toBeLessThanOrEqual(86_400_000);
    await send({ cmd: 'ask', withdraw: number });
    expect(await ask({ question: 'x'.repeat(4097) })).toMatchObject({ code: 'invalid_field', field: 'question' });
  });

  test('is one of four of a name, of 16 of a connection, and of 64 of all', async () => {
    const connections = Array.from({ length: 5 }, () => new RawConnection(daemon.socketPath));
    const askOn = async (connection: number, as: string): Promise<Record<string, unknown>> => {
      const fields = { cmd: 'ask', question: 'q', as, timeout_ms: 0 };
      connections[connection]?.write(`${JSON.stringify(fields)}\n`);
      return (await connections[connection]?.reply())?.header ?? {};
    };
    for (let i = 0; i < 64; i++) {
      const [connection, as] = [Math.floor(i / 16), `agent-${Math.floor(i / 4)}`];
      expect(await askOn(connection, as)).toMatchObject({ ok: true, outcome: 'open' });
      if (i === 15) {
        expect(await askOn(0, 'other')).toMatchObject({
          code: 'too_many_asks',
          error: 'This connection has 16 open questions, which is the limit.',
        });
      }
    }
    expect(await askOn(4, 'agent-0')).toMatchObject({
      code: 'too_many_asks',
      error: 'agent-0 has 4 open questions, which is the limit.',
    });
    expect(await askOn(4, 'other')).toMatchObject({
      code: 'too_many_asks',
      error: 'There are 64 open questions, which is the limit.',
    });
    for (const { ask: withdraw } of await open()) await send({ cmd: 'ask', withdraw });
    expect(await open()).toEqual([]);
    connections.forEach((connection) => connection.close());
  });

  test('gives way to that of another asker if its own has gone and left most, and none waits for it', async () => {
    const { ask: lone } = await ask({ question: 'lone', as: 'agent', timeout_ms: 0 });
    const waiting = new RawConnection(daemon.socketPath);
    const numbers: number[] = [];
    for (let client = 0; client < 4; client++) {
      const connection = new RawConnection(daemon.socketPath);
      // The last has room for fifteen, beside the lone question.
      for (let i = 0; i < (client === 3 ? 15 : 16); i++) {
        const fields = { cmd: 'ask', question: 'q', as: `n${client}-${Math.floor(i / 4)}`, timeout_ms: 1 };
        connection.write(`${JSON.stringify(fields)}\n`);
        numbers.push((await connection.reply()).header['ask'] as number);
      }
      connection.socket.end();
      await connection.rest();
    }
    waiting.write(`${JSON.stringify({ cmd: 'ask', resume: numbers[0], timeout_ms: LONG_MS, req: 1 })}\n`);
    waiting.write('{"cmd":"ping","req":2}\n');
    expect((await waiting.reply()).header).toMatchObject({ ok: true, req: 2 });
    // Of the first, fifteen are left; of the second and the third sixteen.
    const more = await ask({ question: 'more', as: 'other', timeout_ms: 0 });
    expect(more).toMatchObject({ ok: true, outcome: 'open' });
    expect((await open()).map(({ ask: number }) => number)).toEqual([
      lone,
      ...numbers.filter((_number, i) => i !== 16),
      more['ask'],
    ]);
    expect(await send({ cmd: 'ask', resume: numbers[16] })).toMatchObject({ outcome: 'withdrawn', by: null });
    for (const { ask: withdraw } of await open()) await send({ cmd: 'ask', withdraw });
    waiting.close();
  });

  test.each<[object, string]>([
    [{ question: 'q', as: undefined }, 'as'],
    [{}, 'question'],
    [{ question: '' }, 'question'],
    [{ question: 'x'.repeat(4097) }, 'question'],
    [{ question: 'q', kind: 'secret' }, 'id'],
    [{ question: 'q', kind: 'hand' }, 'id'],
    [{ question: 'q', kind: 'choice' }, 'choices'],
    [{ question: 'q', choices: ['a', 'b'] }, 'choices'],
    [{ question: 'q', kind: 'choice', choices: ['a'] }, 'choices'],
    [{ question: 'q', resume: 1 }, 'question'],
    [{ resume: 1, withdraw: 1 }, 'withdraw'],
    [{ question: 'q', kind: 'guess' }, 'kind'],
  ])('%j is refused for its %s', async (fields, field) => {
    expect(await ask(fields)).toMatchObject({ ok: false, code: 'invalid_field', field });
    expect(await open()).toEqual([]);
  });

  test('is answered by no connection that is restricted to programs', async () => {
    const { ask: number } = await ask({ question: 'Trust?', timeout_ms: 0 });
    const connection = new RawConnection(daemon.socketPath);
    connection.write(
      `{"cmd":"restrict","reach":"admin","person":false}\n{"cmd":"answer","ask":${String(number)},"text":"x"}\n`,
    );
    await connection.reply();
    expect((await connection.reply()).header).toMatchObject({ code: 'not_allowed' });
    connection.close();
    await send({ cmd: 'ask', withdraw: number });
  });
});

describe('a secret', () => {
  needs('stty', 'bash');
  const CANARY = 'canary-0815';

  test('is typed into the terminal, also while the asker has control, and reaches neither asker nor screen', async () => {
    const id = await start('stty -echo; printf ready; read -r x; stty echo; printf "[%s]" "${#x}"; cat');
    await send({ cmd: 'control', id, action: 'take', as: 'claude' });
    const asking = ask({ id, question: 'Password', kind: 'secret', observe: { text: true }, wait: undefined });
    const number = await numberOf('Password');
    expect(await answer(number, { text: CANARY })).toEqual({ ok: true, ask: number, outcome: 'answered', undo_ms: 0 });
    const reply = await asking;
    expect(reply).toMatchObject({ outcome: 'answered', by: 'ada', inputs: 1 });
    expect(JSON.stringify(reply)).not.toContain(CANARY);
    const seen = await send({ cmd: 'text', id, wait: { until: { text: `[${CANARY.length}]` } } });
    expect(seen).toMatchObject({ wait: { outcome: 'matched' } });
    const all = JSON.stringify([
      seen,
      await send({ cmd: 'ask', resume: number }),
      await send({ cmd: 'asks' }),
      await send({ cmd: 'debug', id }),
      await send({ cmd: 'status', id }),
    ]);
    expect(all).not.toContain(CANARY);
    expect(daemon.log()).not.toContain(CANARY);
  });

  test('is not written where it would be shown, and the question stays, unless the person insists', async () => {
    const id = await start('printf ready; exec cat');
    const asking = ask({ id, question: 'Shown', kind: 'secret' });
    const number = await numberOf('Shown');
    expect(await answer(number, { text: 'x1' })).toMatchObject({ code: 'would_echo' });
    expect((await open()).map((one) => one.ask)).toEqual([number]);
    expect(await answer(number, { text: 'x1', even_if_shown: true })).toMatchObject({ ok: true });
    expect(await asking).toMatchObject({ outcome: 'answered' });
    expect(await send({ cmd: 'wait', id, until: { text: 'x1' } })).toMatchObject({ outcome: 'matched' });
  });

  test('is not written into another program than at the question', async () => {
    const id = await start(
      'bash --norc --noprofile -ic \'printf ready; read -rs x; bash -c "stty -echo; echo next; read -r y"; :\'',
    );
    const { ask: number } = await ask({ id, question: 'Other', kind: 'secret', timeout_ms: 0 });
    await send({ cmd: 'send', id, input: '\r', wait: { until: { text: 'next' } } });
    await send({ cmd: 'wait', id, until: { awaiting_input: 'password' } });
    expect(await answer(number, { text: 'x' })).toMatchObject({
      code: 'would_echo',
      error: expect.stringContaining('Another program') as string,
    });
    await send({ cmd: 'ask', withdraw: number });
  });

  test('is refused while another person has control', async () => {
    const id = await start('stty -echo; printf ready; read -r x');
    const { ask: number } = await ask({ id, question: 'Held', kind: 'secret', timeout_ms: 0 });
    await send({ cmd: 'control', id, action: 'take', as: 'bob', person: true });
    expect(await answer(number, { text: 'x' })).toMatchObject({ code: 'control_held' });
    await send({ cmd: 'ask', withdraw: number });
  });
});

describe('a hand', () => {
  test('is accepted by taking control, and answered by its release with a note', async () => {
    const id = await start('stty raw -echo; printf ready; exec cat');
    await send({ cmd: 'control', id, action: 'take', as: 'claude' });
    const asking = ask({ id, question: 'Resolve it', kind: 'hand', observe: { text: true } });
    const number = await numberOf('Resolve it');
    expect(await answer(number, { text: 'x' })).toMatchObject({ code: 'invalid_field' });
    await send({ cmd: 'control', id, action: 'take', as: 'ada', person: true });
    expect((await open())[0]).toMatchObject({ accepted_by: 'ada' });
    await send({ cmd: 'type', id, text: ' fixed', as: 'ada', wait: { until: { text: 'ready fixed' } } });
    await send({ cmd: 'control', id, action: 'release', as: 'ada', note: 'kept both' });
    expect(await asking).toMatchObject({
      outcome: 'answered',
      by: 'ada',
      note: 'kept both',
      changed: true,
      inputs: 1,
      observed: { lines: ['ready fixed'] },
    });
  });

  test('goes on if another person takes it by force', async () => {
    const id = await start('printf ready; exec cat');
    const asking = ask({ id, question: 'Force it', kind: 'hand' });
    await numberOf('Force it');
    await send({ cmd: 'control', id, action: 'take', as: 'ada', person: true });
    await send({ cmd: 'control', id, action: 'take', as: 'bob', person: true, force: true });
    expect((await open())[0]).toMatchObject({ accepted_by: 'bob' });
    await send({ cmd: 'control', id, action: 'release', as: 'bob' });
    expect(await asking).toMatchObject({ outcome: 'answered', by: 'bob' });
  });

  test('can be declined', async () => {
    const id = await start('printf ready; exec cat');
    const asking = ask({ id, question: 'Decline it', kind: 'hand' });
    await answer(await numberOf('Decline it'), { decline: true });
    expect(await asking).toMatchObject({ outcome: 'declined' });
  });
});

test('an answer that the asker has not read is taken back by the name that gave it, and the question is open again', async () => {
  const id = await start('echo ready; cat');
  const { ask: number } = await ask({ id, question: 'Delete it?', kind: 'confirm', timeout_ms: 0 });
  const taken = (fields: object = {}): Promise<Record<string, unknown>> => answer(number, { undo: true, ...fields });
  expect(await taken()).toMatchObject({ code: 'ask_not_found', error: `Question ${String(number)} is open.` });
  const given = await answer(number, { text: 'yes' });
  expect(given).toMatchObject({ outcome: 'answered' });
  expect(given['undo_ms']).toBeGreaterThan(0);
  expect(await taken({ as: 'bob' })).toMatchObject({ code: 'ask_not_found' });
  expect(await taken({ text: 'no' })).toMatchObject({ code: 'invalid_field' });
  expect(await taken()).toMatchObject({ outcome: 'open', undo_ms: 0 });
  expect((await open()).map(({ ask: one }) => one)).toContain(number);
  // Who waits has the next answer at once, which is then final.
  const waiting = ask({ resume: number });
  await expect.poll(() => answer(number, { text: 'no' })).toMatchObject({ outcome: 'answered' });
  expect(await waiting).toMatchObject({ outcome: 'answered', answer: false });
  expect(await taken()).toMatchObject({ code: 'ask_not_found', error: expect.stringContaining('read') as string });
  const { ask: last } = await ask({ id, question: 'And that?', timeout_ms: 0 });
  await answer(last, { text: 'main' });
  expect(await answer(last, { undo: true })).toMatchObject({ outcome: 'open' });
  // It ends with its terminal again.
  await send({ cmd: 'kill', id });
  expect(await ask({ resume: last })).toMatchObject({ outcome: 'exited' });
});
