/** Errors about a wrong field: they name the field, its value unless it may be a secret, and the expected value. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { T4aError } from '../../src/protocol/errors.js';
import { fieldError, shownName } from '../../src/protocol/field-error.js';
import { lowerFirst } from '../../src/protocol/issue-words.js';
import { parseRequest } from '../../src/protocol/request.js';

function refusal(fields: Record<string, unknown>): T4aError {
  const { request } = parseRequest(fields);
  if (!(request instanceof T4aError)) throw new Error(`taken: ${JSON.stringify(fields)}`);
  return request;
}

const THEME = { foreground: '#000000', background: '#000000', ansi: Array.from({ length: 16 }, () => '#000000') };

/** Of a schema of the test's own. */
function fieldErrorOf(schema: z.ZodType, params: Record<string, unknown>): T4aError {
  const { error } = schema.safeParse(params);
  if (error === undefined) throw new Error(`taken: ${JSON.stringify(params)}`);
  return fieldError({ name: 'thing', schema, hint: 'read on' }, error, params);
}

describe('a wrong field', () => {
  test('is named with its value, the expected value and a hint', () => {
    const error = refusal({ cmd: 'create', cols: 0 });
    expect(error.code).toBe('invalid_field');
    expect(error.message).toMatch(/^"cols" of "create" is 0: expected 2 or more\.$/);
    expect(error.details).toEqual({ field: 'cols', hint: 't4a create --help' });
  });

  test('is reported as missing if it is absent', () => {
    const error = refusal({ cmd: 'resize', id: 't1', cols: 80 });
    expect(error.message).toMatch(/^"rows" of "resize" is missing\.$/);
    expect(error.details.field).toBe('rows');
  });

  test('is the first one if several are wrong', () => {
    expect(refusal({ cmd: 'create', rows: 0, cols: 0 }).details.field).toBe('cols');
  });

  test('is named with its path through objects and lists', () => {
    const nested = { cmd: 'send', id: 't1', input: '', wait: { until: [{ exit: true }, { idle_ms: 0 }] } };
    const { message, details } = refusal(nested);
    expect(message).toMatch(/^"wait\.until\.1\.idle_ms" of "send" is 0: expected 1 or more/);
    expect(details.field).toBe('wait.until.1.idle_ms');
  });
});

describe('a value that may be a secret', () => {
  const SECRET = 'hunter2 !';

  test.each<[string, Record<string, unknown>]>([
    ['id', { cmd: 'text', id: SECRET }],
    ['terminal', { cmd: 'events', terminal: SECRET }],
    ['text', { cmd: 'type', id: 't1', text: [SECRET] }],
    ['text_base64', { cmd: 'paste', id: 't1', text_base64: SECRET }],
    ['input', { cmd: 'send', id: 't1', input: [SECRET] }],
    ['input_base64', { cmd: 'send', id: 't1', input_base64: SECRET }],
    ['env.TOKEN', { cmd: 'create', env: { TOKEN: [SECRET] } }],
    ['env', { cmd: 'create', env: SECRET }],
    ['wait', { cmd: 'send', id: 't1', secret: true, wait: SECRET }],
    ['secret', { cmd: 'send', id: 't1', secret: SECRET }],
  ])('is not shown in an error about %s', (field, fields) => {
    const { message, details } = refusal(fields);
    expect(message).toContain(`"${field}" of "${String(fields['cmd'])}" is not valid: `);
    expect(JSON.stringify([message, details])).not.toContain('hunter2');
    expect(details.field).toBe(field);
  });

  test('is shown if the request is not marked as secret', () => {
    const { message } = refusal({ cmd: 'send', id: 't1', secret: false, wait: 'soon' });
    expect(message).toMatch(/^"wait" of "send" is "soon": /);
    expect(refusal({ cmd: 'send', id: 't1', wait: 'soon' }).message).toMatch(/^"wait" of "send" is "soon": /);
  });

  test('may be a name: an unusual name appears as an ellipsis in the path', () => {
    expect(refusal({ cmd: 'create', env: { 'my pass=word': 'x' } }).details.field).toBe('env.…');
    expect(refusal({ cmd: 'create', env: { MY_NAME: 7 } }).details.field).toBe('env.MY_NAME');
  });

  test('may be an unknown field: beside a secret it is shown only if it resembles a known field', () => {
    const hidden = refusal({ cmd: 'send', id: 't1', secret: true, swordfish: 1 });
    expect(hidden.message).toBe('A field of "send" is unknown.');
    expect(hidden.details).not.toHaveProperty('field');
    expect(refusal({ cmd: 'send', id: 't1', swordfish: 1 }).message).toBe('"send" has no field "swordfish".');
    const typo = refusal({ cmd: 'send', id: 't1', secret: true, inputt: '' });
    expect(typo.message).toBe('"send" has no field "inputt".');
  });
});

describe('an unknown field', () => {
  test('is reported with the closest known field', () => {
    const error = refusal({ cmd: 'create', colls: 80 });
    expect(error).toMatchObject({ code: 'unknown_field', message: '"create" has no field "colls".' });
    expect(error.details).toEqual({ hint: 'Did you mean "cols"?', closest: 'cols', field: 'colls' });
  });

  test('is reported with all known fields if it resembles none', () => {
    const error = refusal({ cmd: 'kill', xyzzyplugh: 1, id: 't1' });
    expect(error.message).toBe('"kill" has no field "xyzzyplugh".');
    expect(error.details).toEqual({
      hint: 'It has: id, exited, all, where, signal, grace_ms, keep, tree, force.',
      field: 'xyzzyplugh',
    });
    expect(refusal({ cmd: 'ping', xyzzyplugh: 1 }).details.hint).toBe('It has: none.');
  });

  test('that is not a valid name is not shown, since it may be a value in the wrong place', () => {
    const error = refusal({ cmd: 'kill', id: 't1', 'pass word': 1 });
    expect(error.message).toBe('A field of "kill" is unknown.');
    expect(error.details).toEqual({ hint: 'It has: id, exited, all, where, signal, grace_ms, keep, tree, force.' });
    const nested = refusal({ cmd: 'wait', id: 't1', until: { text: 'x' }, observe: { 'pass word': 1 } });
    expect(nested.message).toBe('A field of "observe" of "wait" is unknown.');
    expect(nested.details).toEqual({ hint: 'It has: text, cursor, screenshot.', field: 'observe' });
  });

  test.each<[string, string, Record<string, unknown>]>([
    ['an optional object', 'observe.cursorr', { cmd: 'wait', until: { exit: true }, observe: { cursorr: 1 } }],
    [
      'a union',
      'observe.screenshot.cursorr',
      { cmd: 'wait', until: { exit: true }, observe: { screenshot: { cursorr: true } } },
    ],
    ['a list', 'mark.0.regexx', { cmd: 'screenshot', mark: [{ regex: 'a', regexx: 'a' }] }],
    ['a record', 'themes.mine.foregroundd', { cmd: 'config', themes: { mine: { ...THEME, foregroundd: '#000000' } } }],
    ['a condition', 'until.regexx', { cmd: 'wait', until: { regexx: 'a' } }],
    ['a list of conditions', 'until.1.regexx', { cmd: 'wait', until: [{ exit: true }, { regexx: 'a' }] }],
    ['a turn', 'wait.until.regexx', { cmd: 'send', wait: { until: { regexx: 'a' } } }],
  ])('within %s is reported with its path: %s', (_, field, fields) => {
    const { code, details } = refusal({
      id: 't1',
      ...fields,
      ...(fields['cmd'] === 'config' ? { id: undefined } : {}),
    });
    expect([code, details.field, details.closest]).toEqual([
      'unknown_field',
      field,
      field.split('.').at(-1)?.slice(0, -1),
    ]);
    expect(details.hint).toBe(`Did you mean "${details.closest}"?`);
  });
});

describe('a value of a union', () => {
  test('is checked against the closest alternative', () => {
    expect(refusal({ cmd: 'wait', id: 't1', until: { text: 7 } }).details.field).toBe('until.text');
    expect(refusal({ cmd: 'wait', id: 't1', until: [{ exit: true }, { exit: false }] }).details.field).toBe(
      'until.1.exit',
    );
  });

  test('is wrong as a whole if it resembles no alternative', () => {
    const error = refusal({ cmd: 'wait', id: 't1', until: 7 });
    expect([error.code, error.details.field]).toEqual(['invalid_field', 'until']);
    expect(error.message).toBe('"until" of "wait" is 7: expected an object or a list.');
  });

  test('is reported with the message of its own check', () => {
    const { message, details } = refusal({ cmd: 'wait', id: 't1', until: { text: 'a', exit: true } });
    expect(details.field).toBe('until');
    expect(message).toContain(': exactly one condition in each object, one of text, regex, ');
  });
});

test('a wrong name is reported with the rule for names', () => {
  const error = refusal({ cmd: 'config', themes: { 'Not-lower': {} } });
  expect(error.message).toMatch(/^"themes\.Not-lower" of "config" .*: lower-case letters, digits and "-"\.$/);
  const variable = fieldErrorOf(z.strictObject({ names: z.record(z.string().regex(/^a/, 'Begins with a'), z.int()) }), {
    names: { b: 1 },
  });
  expect(variable.message).toBe('"names.b" of "thing" is 1: begins with a.');
  expect(variable.details).toEqual({ field: 'names.b', hint: 'read on' });
});

test('known fields are found in schemas that are optional, defaulted, transformed, lists, records or unions', () => {
  const inner = z.strictObject({ alpha: z.int().optional() });
  const other = z.strictObject({ beta: z.int().optional(), alpha: z.int().optional() });
  const schemas = {
    plain: inner,
    optional: inner.optional(),
    standard: inner.default({}),
    read: inner.transform((value) => Object.keys(value)),
    list: z.array(inner),
    record: z.record(z.string(), inner),
  };
  for (const [field, schema] of Object.entries(schemas)) {
    const value = { zzzzzzzz: 1 };
    const given = { list: [value], record: { some: value } }[field] ?? value;
    const { details } = fieldErrorOf(z.strictObject({ [field]: schema }), { [field]: given });
    expect(details.hint, field).toBe('It has: alpha.');
  }
  const either = fieldErrorOf(z.strictObject({ one: z.union([inner, other, z.int()]) }), { one: { zzzzzzzz: 1 } });
  expect(either.details.hint).toBe('It has: alpha, beta.');
});

test("a name is shown if it has the form of a field's name, or resembles a known one", () => {
  const longest = 'a'.repeat(32);
  expect(['list', 'idle_ms', 'utf_8', longest].map((name) => shownName(name, undefined))).toEqual([
    'list',
    'idle_ms',
    'utf_8',
    longest,
  ]);
  for (const name of ['', 'List', 'a-b', '_a', 'a__b', '8a', 'a b', `${longest}a`])
    expect(shownName(name, undefined), name).toBeUndefined();
  expect(shownName('Pas$word', 'password')).toBe('Pas$word');
});

test('the rest of a sentence begins with a small letter', () => {
  expect(['Too small', 'x', ''].map(lowerFirst)).toEqual(['too small', 'x', '']);
});
