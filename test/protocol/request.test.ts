/** The parsing of a request line, and the errors for lines that are not requests. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAddressedLine } from '../../src/fleet/gateway/addressed-line.js';
import { requestRefusal } from '../../src/nats/refused-requests.js';
import type { T4aError } from '../../src/protocol/errors.js';
import { MAX_REQUEST_DEPTH, MAX_REQUEST_VALUES } from '../../src/protocol/limits.js';
import { parseRequest, parseRequestLine } from '../../src/protocol/request.js';
import { requestFields, requestIdOf } from '../../src/protocol/request-line.js';
import { admitRequest } from '../../src/web/admission.js';
import { runsOf, seedOfRun } from '../support/trial.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const parse = (text: string) => parseRequestLine(bytes(text));

const JSON_HINT = 'Send one JSON object per line, for example {"cmd":"list"}.';

describe('a request', () => {
  test('is parsed into its command, its fields with their defaults, and its req', () => {
    expect(parse('{"cmd":"text","req":7,"id":"t1"}')).toEqual({
      req: 7,
      request: {
        cmd: 'text',
        params: {
          id: 't1',
          trim: false,
          changed: false,
          selection: false,
          format: 'plain',
          join_wrapped: false,
          highlights: false,
          links: false,
        },
      },
    });
    expect(parse('{"cmd":"list"}')).toEqual({
      req: undefined,
      request: { cmd: 'list', params: { recordings: false } },
    });
    expect(parseRequest({ cmd: 'ping', req: 'a' })).toEqual({ req: 'a', request: { cmd: 'ping', params: {} } });
  });

  test.each([{}, true, null, [1], 'x'.repeat(257)])('is refused with %j as its req', (req) => {
    const { request, ...rest } = parse(JSON.stringify({ cmd: 'list', req }));
    expect(rest).toEqual({ req: undefined });
    expect(request).toMatchObject({
      code: 'invalid_field',
      message: expect.stringMatching(/^"req" is .{2,80}: expected a string or a number\.$/) as string,
      details: { field: 'req', hint: 'For example "req": 1.' },
    });
  });

  test('without a command is refused with the list of commands', () => {
    expect(parse('{"req":1}')).toMatchObject({
      req: 1,
      request: {
        code: 'missing_cmd',
        message: 'The request has no "cmd".',
        details: { hint: expect.stringMatching(/^One of: create, run, .*, schema\.$/) as string },
      },
    });
  });

  test('with an unknown command is refused with the closest command, or the list of commands', () => {
    const typo = parse('{"cmd":"creat"}').request;
    expect(typo).toMatchObject({ code: 'unknown_cmd', message: 'Unknown command "creat".' });
    expect(typo).toHaveProperty('details', { hint: 'Did you mean "create"?', closest: 'create' });
    const none = parse('{"cmd":"xyzzyplugh"}').request;
    expect(none).toMatchObject({ code: 'unknown_cmd', message: 'Unknown command "xyzzyplugh".' });
    expect(parse('{"cmd":"constructor"}').request).toMatchObject({ message: 'Unknown command "constructor".' });
    expect(none).toHaveProperty('details', { hint: expect.stringMatching(/^One of: create, /) as string });
  });

  test.each(['"toString"', '"pass word"', '7', 'null', '["list"]'])(
    'does not accept %s as a command, and does not repeat it',
    (cmd) => {
      const { request } = parse(`{"cmd":${cmd}}`);
      expect(request).toMatchObject({ code: 'unknown_cmd', message: '"cmd" is no command.' });
      expect(request).toHaveProperty('details', { hint: expect.stringMatching(/^One of: create, /) as string });
    },
  );

  test('with a wrong field is refused with a hint, and keeps its req', () => {
    expect(parse('{"cmd":"resize","req":"a","id":"t1","cols":0,"rows":1}')).toMatchObject({
      req: 'a',
      request: { code: 'invalid_field', details: { field: 'cols', hint: 't4a resize --help' } },
    });
  });
});

describe('a line that is not a request', () => {
  test.each([
    ['[1]', 'an array'],
    ['null', 'null'],
    ['7', 'a number'],
    ['"x"', 'a string'],
    ['true', 'a boolean'],
  ])('that is %s is refused as %s', (line, kind) => {
    expect(parse(line)).toMatchObject({
      req: undefined,
      request: { code: 'bad_request', message: `Not a JSON object, but ${kind}.`, details: { hint: JSON_HINT } },
    });
  });

  test.each(['', '{"cmd":"list"', '{"cmd":"send","input":"it"s secret"}', "{'cmd':1}", 'GETAWAY /x', 'get / HTTP/1.1'])(
    'that is not JSON is refused: %j',
    (line) => {
      const { req, request } = parse(line);
      expect(req).toBeUndefined();
      expect(request).toMatchObject({ code: 'bad_json', details: { hint: JSON_HINT } });
      expect(request).toHaveProperty('message', expect.stringMatching(/^Not JSON: [a-z].*\.$/));
      expect(JSON.stringify(request)).not.toContain('secret');
    },
  );

  test('is not repeated in the error', () => {
    expect(parse('hunter2"').request).toMatchObject({ message: 'Not JSON: unexpected character.' });
  });

  test('that is not UTF-8 is refused as such', () => {
    expect(parseRequestLine(Uint8Array.of(0x7b, 0xff, 0x7d))).toMatchObject({
      req: undefined,
      request: { code: 'bad_json', message: 'Not JSON: it is not UTF-8.', details: { hint: JSON_HINT } },
    });
  });

  test('that is an HTTP request is refused with a hint about the protocol', () => {
    for (const line of ['GET / HTTP/1.1', 'POST /x?y HTTP/2']) {
      expect(parse(line).request).toMatchObject({
        code: 'bad_json',
        details: { hint: 'This socket speaks one JSON object per line, not HTTP.' },
      });
    }
  });
});

describe('a line that exceeds a limit', () => {
  const values = (count: number): string => `{"cmd":"list","req":5,"x":[${'0,'.repeat(count)}0]}`;
  const nested = (depth: number): string => `{"cmd":"list","req":"a-1","x":${'['.repeat(depth)}${']'.repeat(depth)}}`;

  test('is refused with its req and the limit', () => {
    // Beside the elements: the object, the list, and two commas.
    expect(parse(values(MAX_REQUEST_VALUES - 3))).toMatchObject({
      req: 5,
      request: {
        code: 'bad_request',
        message: `The request has more than ${MAX_REQUEST_VALUES} values.`,
        details: { hint: 'Send less at once.' },
      },
    });
    expect(parse(nested(MAX_REQUEST_DEPTH))).toMatchObject({
      req: 'a-1',
      request: { code: 'bad_request', message: `The request is nested more than ${MAX_REQUEST_DEPTH} levels deep.` },
    });
  });

  test('is refused only from one value or level above the limit', () => {
    for (const line of [values(MAX_REQUEST_VALUES - 4), nested(MAX_REQUEST_DEPTH - 1)])
      expect(parse(line).request).toMatchObject({ code: 'unknown_field' });
  });

  test('counts closed lists as values, not as levels', () => {
    const lists = (count: number): string => `{"cmd":"list","x":[${'[],'.repeat(count)}0]}`;
    expect(parse(lists(1000)).request).toMatchObject({ code: 'unknown_field' });
    expect(parse(lists(MAX_REQUEST_VALUES / 2)).request).toMatchObject({ code: 'bad_request' });
    const objects = `{"cmd":"list","x":[${'{},'.repeat(1000)}0]}`;
    expect(parse(objects).request).toMatchObject({ code: 'unknown_field' });
  });

  test.each([',', '[', '{', ']', '\\",', '\\\\', '\\"['])('does not count %j within a text', (piece) => {
    const text = piece.repeat(MAX_REQUEST_VALUES + 1);
    expect(parse(`{"cmd":"list","x":"${text}"}`).request).toMatchObject({ code: 'unknown_field' });
    // And counts what comes after the text.
    const after = `{"cmd":"list","x":"${piece}","y":${'['.repeat(MAX_REQUEST_DEPTH + 1)}`;
    expect(parse(after).request).toMatchObject({ code: 'bad_request' });
  });

  test('that ends within a text is refused as bad JSON', () => {
    for (const line of ['{"cmd":"li', '{"cmd":"li\\', `{"x":"${'['.repeat(1000)}`])
      expect(parse(line).request).toMatchObject({ code: 'bad_json' });
  });
});

describe('the req of a line that is not parsed', () => {
  test.each([
    ['{"cmd":"list","req":7}', 7],
    ['{"cmd": "list", "req": 7, "x', 7],
    ['{"cmd":"list","req":"a-b_1",', 'a-b_1'],
    [`{"cmd":"list","req":"${'x'.repeat(256)}",`, 'x'.repeat(256)],
    [`{"cmd":"list","req":"${'x'.repeat(257)}",`, undefined],
    ['{"cmd":"list","req":7', undefined],
    ['{"req":7,"cmd":"list"}', undefined],
    ['{"cmd":"list","req":"a b"}', undefined],
    ['{"cmd":"list"}', undefined],
    ['x{"cmd":"list","req":7}', undefined],
    ['', undefined],
  ])('of %j is %j', (line, id) => {
    expect(requestIdOf(bytes(line))).toBe(id);
  });

  test('is found before invalid UTF-8 and before a long rest', () => {
    const begin = bytes('{"cmd":"send","req":3,"input":"');
    expect(requestIdOf(Uint8Array.of(...begin, 0xff, 0xfe))).toBe(3);
    expect(requestIdOf(Uint8Array.of(...begin, ...new Uint8Array(5000)))).toBe(3);
  });
});

test.each([
  'no JSON',
  '[]',
  '{}',
  '{"cmd":"pong"}',
  '{"cmd":"list","x":1}',
  '{"cmd":"text","id":1}',
  '{"cmd":"list","req":{}}',
])('the refusal of %j makes no stack', (line) => {
  const { request } = parseRequestLine(new TextEncoder().encode(line));
  expect((request as T4aError).stack).toMatch(/^T?4?a?Error: [^\n]*$/);
});

describe('what filters read in a line on its way to the daemon is what the daemon reads', () => {
  const NAMES = ['cmd', 'req', 'id', 'text', 'secret', 'kind', 'input', 'as', 'scope', 'question', '__proto__', 'CMD'];
  const VALUES = [
    '"type"',
    '"ask"',
    '"list"',
    '"web_play"',
    '"t1"',
    '"x"',
    '"secret"',
    '"\\u0073ecret"',
    '"\\ud800"',
    '"\\u0000"',
    'true',
    'false',
    'null',
    '7',
    '-0',
    '1e999',
    '123456789012345678901234567890',
    '[]',
    '{"secret":true}',
    '"\u0000"',
    'tru',
    "'x'",
    '01',
    '"\uFEFF"',
  ];
  const FITTING = [
    'secret:true',
    'secret:true',
    'secret:true',
    'text:"x"',
    'id:"t1"',
    'cmd:"type"',
    'cmd:"list"',
    'req:7',
    'as:"x"',
  ];
  const pair = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...FITTING).map((one) => one.split(':') as [string, string]) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...VALUES)) },
  );
  /** Some of its characters as escapes. */
  const escaped = (text: string, mask: number): string =>
    text.replaceAll(/./g, (one, at: number) =>
      (mask >> at) % 2 === 1 ? `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}` : one,
    );
  const blank = fc.constantFrom('', '', '', '', '', ' ', '\t', '\r', '\u00a0', '\uFEFF', '\u2028');
  const field = fc
    .tuple(pair, fc.nat(255), blank, blank)
    .map(([[name, value], mask, before, after]) => `${before}"${escaped(name, mask)}":${value}${after}`);
  const line = fc
    .record({
      fields: fc.array(field, { maxLength: 4 }),
      before: fc.constantFrom('', '', '\uFEFF', '\uFEFF\uFEFF', ' ', '\u0000'),
      after: fc.constantFrom('', '', '', '\r', ' ', '\u0000', '}', '{}', ',', '#'),
      /** Where a byte is replaced by one that is no UTF-8, of four lines in one. */
      broken: fc.oneof(
        { weight: 3, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.tuple(fc.nat(80), fc.constantFrom(0xff, 0xc0, 0x80, 0xed)) },
      ),
    })
    .map(({ fields, before, after, broken }) => {
      const whole = bytes(`${before}{${['"cmd":"type","id":"t1","text":"x"', ...fields].join(',')}}${after}`);
      if (broken !== null && broken[0] < whole.length) whole[broken[0]] = broken[1];
      return whole;
    });

  test('of lines with marks, escapes, double fields, blanks and bytes that are no text', () => {
    const seen = { read: 0, unread: 0, secret: 0 };
    fc.assert(
      fc.property(line, (given) => {
        const { request, ...envelope } = parseRequestLine(given);
        const isUnread = request instanceof Error && ['bad_json', 'bad_request'].includes(request.code);
        const params = 'params' in request ? (request.params as Record<string, unknown>) : {};
        const isSecret = params['secret'] === true || params['kind'] === 'secret';
        if (isUnread) seen.unread++;
        else seen.read++;
        if (isSecret) seen.secret++;
        const refused = requestRefusal(given);
        if (isUnread) expect(refused).toContain(`"code":"${request.code}"`);
        if (isSecret) expect(refused).toContain('Secrets are not sent');
        expect(parseAddressedLine(given)).toEqual({ ...envelope, request });
        const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(given);
        const page = admitRequest(text, { allowsRaw: true, allowsRules: true });
        const sent = parseRequestLine(bytes(text));
        const cmd = 'cmd' in sent.request ? sent.request.cmd : undefined;
        if (cmd !== undefined) expect(page?.request).toMatchObject({ cmd, req: sent.req });
        if (page !== undefined) expect(requestFields(bytes(text))).toMatchObject({ cmd: page.request.cmd });
      }),
      { numRuns: runsOf({ suite: 2000, trial: 200_000 }), seed: seedOfRun() },
    );
    expect(Math.min(seen.read, seen.unread, seen.secret)).toBeGreaterThan(20);
  });
});
