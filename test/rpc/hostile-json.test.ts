/** Requests of any nesting and any number of values: each line is answered, and the next one is read. */
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { quote } from '../../src/protocol/errors.js';
import { MAX_LINE_BYTES, MAX_REQUEST_DEPTH, MAX_REQUEST_VALUES } from '../../src/protocol/limits.js';
import { COMMANDS } from '../../src/protocol/registry.js';
import { serve } from '../support/serve.js';

const list = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const object = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

/** What stands around the value, with the code of the error where the value is small. */
const REQUESTS: readonly (readonly [string, (value: string) => string, string])[] = [
  ['the whole line', (value) => value, 'bad_request'],
  ['"cmd"', (value) => `{"cmd":${value}}`, 'unknown_cmd'],
  ['"req"', (value) => `{"cmd":"ping","req":${value}}`, 'invalid_field'],
  ['an unknown field', (value) => `{"cmd":"ping","x":${value}}`, 'unknown_field'],
  ['an id', (value) => `{"cmd":"text","id":${value}}`, 'invalid_field'],
  ['a list', (value) => `{"cmd":"create","cmd_args":[${value}]}`, 'invalid_field'],
  ['a variable', (value) => `{"cmd":"create","env":{"A":${value}}}`, 'invalid_field'],
  ['one of two forms', (value) => `{"cmd":"wait","id":"t1","until":${value}}`, 'invalid_field'],
  [
    'what is looked at',
    (value) => `{"cmd":"wait","id":"t1","until":{"cursor":{}},"observe":${value}}`,
    'invalid_field',
  ],
  ['a theme', (value) => `{"cmd":"config","themes":{"own":${value}}}`, 'invalid_field'],
];

describe.each(REQUESTS)('a value that is %s', (_, request, code) => {
  test.each([
    ['of a few levels', 5],
    ['of as many as are allowed', MAX_REQUEST_DEPTH - 4],
    ['of five thousand', 5000],
    ['of a million', 1_000_000],
  ])('is refused with a code, and the next line is answered: lists %s', async (_depth, depth) => {
    const { connect } = await serve();
    const connection = connect();
    connection.write(`${request(list(depth))}\n{"cmd":"list"}\n`);
    const { header } = await connection.reply();
    expect(header).toMatchObject({ ok: false, code: depth < MAX_REQUEST_DEPTH ? code : 'bad_request' });
    expect(JSON.stringify(header).length).toBeLessThan(1000);
    expect((await connection.reply()).header).toEqual({ ok: true, terminals: [] });
  });

  test('is refused also as objects, a million levels deep', async () => {
    const { connect } = await serve();
    const connection = connect();
    connection.write(`${request(object(1_000_000))}\n{"cmd":"list"}\n`);
    expect((await connection.reply()).header).toMatchObject({ ok: false, code: 'bad_request' });
    expect((await connection.reply()).header).toEqual({ ok: true, terminals: [] });
  });
});

test('a line of brackets up to the limit is answered, and so is the next', async () => {
  const { connect } = await serve();
  const connection = connect();
  connection.write(`${'['.repeat(MAX_LINE_BYTES)}\n{"cmd":"list"}\n`);
  expect((await connection.reply()).header).toMatchObject({ ok: false, code: 'bad_request' });
  expect((await connection.reply()).header).toEqual({ ok: true, terminals: [] });
});

test('brackets and commas in texts do not count', async () => {
  const { connect } = await serve({ send: ({ input }) => ({ reply: { got: input?.length } as object }) });
  const input = '[{,"\\'.repeat(MAX_REQUEST_VALUES);
  const { header } = await connect().request({ cmd: 'send', id: 't1', input });
  expect(header).toEqual({ ok: true, got: input.length });
});

describe('more values than a request may have', () => {
  test('are refused at once, with a reply to their request', async () => {
    const { connect } = await serve();
    const connection = connect();
    const types = Array.from({ length: MAX_REQUEST_VALUES }, () => 1);
    const error = `The request has more than ${MAX_REQUEST_VALUES} values.`;
    const refused = { ok: false, code: 'bad_request', error };
    expect((await connection.request({ cmd: 'events', req: 7, types })).header).toEqual({
      ...refused,
      req: 7,
      hint: expect.any(String),
    });
    expect((await connection.request({ cmd: 'events', req: 'a-b', types })).header).toMatchObject({
      ...refused,
      req: 'a-b',
    });
    expect((await connection.request({ types, cmd: 'events' })).header).toMatchObject(refused);
    expect((await connection.request({ cmd: 'list' })).header).toEqual({ ok: true, terminals: [] });
  });

  test('are as many as a program may have arguments', async () => {
    const { connect } = await serve({
      create: ({ cmd_args: args = [] }) => ({ reply: { id: 't1', cols: args.length, rows: 1, pid: 1 } }),
    });
    const args = Array.from({ length: MAX_REQUEST_VALUES - 10 }, () => 'a');
    expect((await connect().request({ cmd: 'create', cmd_args: args })).header).toMatchObject({ cols: args.length });
  });
});

test('a request whose check fails by a defect is answered with internal, and later requests are answered', async () => {
  const params = Object.getOwnPropertyDescriptor(COMMANDS.cursor, 'params');
  if (params === undefined) throw new Error('the schema is made in another way now');
  onTestFinished(() => void Object.defineProperty(COMMANDS.cursor, 'params', params));
  Object.defineProperty(COMMANDS.cursor, 'params', {
    configurable: true,
    get: () => {
      throw new Error('no schema for hunter2');
    },
  });
  const { connect, log } = await serve();
  const connection = connect();
  connection.write('{"cmd":"cursor","req":1,"id":"hunter2"}\n{"cmd":"cursor","id":"hunter2"}\n{"cmd":"list"}\n');
  expect((await connection.reply()).header).toMatchObject({ ok: false, code: 'internal', req: 1 });
  expect((await connection.reply()).header).toMatchObject({ ok: false, code: 'internal' });
  expect((await connection.reply()).header).toEqual({ ok: true, terminals: [] });
  expect(log).toHaveLength(2);
  expect(log[0]).toMatch(/a request could not be read: Error: .*\|.* at /);
  expect(log.join('')).not.toContain('hunter2');
});

describe('a quoted value', () => {
  test('is its JSON, or the beginning of it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 12 }), (value) => {
        const json = JSON.stringify(value);
        const cut = json.slice(0, 77).replace(/[\uD800-\uDBFF]$/, '');
        expect(quote(value)).toBe(json.length <= 80 ? json : `${cut}…`);
      }),
      { numRuns: 1000 },
    );
  });

  test('with many or long parts is cut', () => {
    const many = Array.from({ length: 1_000_000 }, () => 0);
    expect(quote(many)).toBe(`[${'0,'.repeat(38)}…`);
    expect(quote({ ['k'.repeat(1e6)]: 'v'.repeat(1e6) })).toBe(`{"${'k'.repeat(75)}…`);
  });

  test('is cut before a character, not in its middle', () => {
    expect(quote(`${'a'.repeat(75)}${'😀'.repeat(20)}`)).toBe(`"${'a'.repeat(75)}…`);
  });
});
