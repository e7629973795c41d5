/** The descriptions in the contract agree with its schemas and with the code. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ERRORS, T4aError, errorReply, isT4aError, quote, type ErrorCode } from '../../src/protocol/errors.js';
import { COMMANDS } from '../../src/protocol/registry.js';
import { ROOT } from '../support/consumer.js';
import { CONTRACT, fieldsOf, type Schema } from './contract.js';

const REQUEST_FIELDS = Object.entries(CONTRACT.commands).flatMap(([command, { request }]) =>
  fieldsOf(request).map(({ path: at, schema }) => ({ command, at: at.join('.'), name: String(at.at(-1)), schema })),
);

const numbers = (schema: Schema): Schema[] =>
  (schema.anyOf ?? [schema]).filter(({ type }) => type === 'integer' || type === 'number');

describe('a field of a request', () => {
  it('that is a number has its own bounds', () => {
    const loose = REQUEST_FIELDS.filter(({ schema }) =>
      numbers(schema).some(
        ({ minimum, maximum }) => minimum === undefined || (minimum < 0 && maximum === Number.MAX_SAFE_INTEGER),
      ),
    );
    // Counted from the end, or above the viewport: below zero means something.
    const signed = new Set(['row', 'command', 'match_index', 'req', 'of']);
    expect(loose.filter(({ name }) => !signed.has(name)).map(({ command, at }) => `${command} ${at}`)).toEqual([]);
  });

  it('that is a time is at most a day', () => {
    const times = REQUEST_FIELDS.filter(({ name }) => name.endsWith('_ms'));
    expect(times.length).toBeGreaterThan(20);
    for (const { command, at, schema } of times) {
      expect(schema, `${command} ${at}`).toMatchObject({ type: 'integer', minimum: expect.any(Number) as number });
      expect(schema.maximum, `${command} ${at}`).toBeLessThanOrEqual(24 * 60 * 60 * 1000);
      expect(schema.minimum, `${command} ${at}`).toBeGreaterThanOrEqual(0);
    }
  });

  it('that is described with "at least" or "at most" has that bound', () => {
    const promises = REQUEST_FIELDS.flatMap((field) =>
      [...(field.schema.description ?? '').matchAll(/\b(at (?:least|most)) ([\d,]+)\b/g)].map(([, which, figure]) => ({
        ...field,
        bound: which === 'at least' ? field.schema.minimum : field.schema.maximum,
        promised: Number(figure?.replaceAll(',', '')),
      })),
    );
    for (const { command, at, bound, promised } of promises) expect(bound, `${command} ${at}`).toBe(promised);
  });

  it('that is described with a default has that default, unless the daemon fills it in', () => {
    const promises = REQUEST_FIELDS.flatMap(({ command, at, schema }) => {
      const word = /\b[Dd]efault:? (\d+(?:\.\d+)?|true|false)\b/.exec(schema.description ?? '')?.[1];
      return word === undefined ? [] : [{ command, at, standard: schema.default, word }];
    });
    expect(promises.length).toBeGreaterThan(3);
    // Filled in from the configuration, or by what is asked for otherwise.
    const elsewhere = new Set(['scrollback', 'cols', 'rows', 'minimum_contrast']);
    for (const { command, at, standard, word } of promises) {
      if (elsewhere.has(at.split('.').at(-1) ?? '')) continue;
      expect(String(standard), `${command} ${at}`).toBe(word);
    }
  });

  it('that is described with a name in backquotes uses an existing name', () => {
    const words = new Set([
      ...REQUEST_FIELDS.map(({ name }) => name),
      ...Object.keys(CONTRACT.commands),
      ...Object.keys(CONTRACT.events),
      ...Object.keys(CONTRACT.errors),
      ...Object.values(CONTRACT.commands).flatMap(({ reply }) =>
        fieldsOf(reply).map(({ path: at }) => String(at.at(-1))),
      ),
    ]);
    const named = REQUEST_FIELDS.flatMap(({ command, at, schema }) =>
      [...(schema.description ?? '').matchAll(/`([a-z_]+)`/g)].map(([, word = '']) => ({
        word,
        of: `${command} ${at}`,
      })),
    );
    expect(named.length).toBeGreaterThan(10);
    // A program, an outcome, and what a stream tells beside the events.
    const others = new Set(['sh', 'timeout', 'lagged']);
    expect(named.filter(({ word }) => !words.has(word) && !others.has(word))).toEqual([]);
  });
});

describe('every command', () => {
  it.each(Object.values(COMMANDS))(
    '$name is described in sentences, and lists existing errors, each once',
    ({ summary, details, errors }) => {
      for (const text of [summary, details ?? 'It is.']) expect(text).toMatch(/^[A-Z`].*\.$/s);
      expect(new Set(errors).size).toBe(errors.length);
      for (const code of errors) expect(ERRORS).toHaveProperty(code);
    },
  );
});

describe('every error', () => {
  const sources = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && name !== 'protocol/errors.ts')
    .map((name) => readFileSync(path.join(ROOT, 'src', name), 'utf8'))
    .join('\n');

  it.each(Object.entries(ERRORS))(
    '%s has a sentence, an exit status that fits its fault, and code that raises it',
    (code, spec) => {
      expect(spec.meaning).toMatch(/^[A-Z].*\.$/);
      const statuses = { caller: [2], state: [1, 4], daemon: [1] }[spec.fault];
      expect(statuses).toContain(spec.exitStatus);
      expect(sources).toMatch(new RegExp(`(new T4aError|fail|usage)\\(\\s*'${code}'|'${code}'`));
    },
  );

  it('becomes a reply with its details and nothing else', () => {
    const error = new T4aError('no_match', 'Nothing matches "x".', { hint: 't4a text @', field: 'text' });
    expect(errorReply(error)).toEqual({
      ok: false,
      error: 'Nothing matches "x".',
      code: 'no_match',
      hint: 't4a text @',
      field: 'text',
    });
    expect(errorReply(new T4aError('no_match', 'No.'))).toEqual({ ok: false, error: 'No.', code: 'no_match' });
  });

  it('is recognized from another copy of the library, and other values are not', () => {
    const own = new T4aError('no_match', 'No.');
    const copy = Object.assign(new Error('No.'), {
      name: 'T4aError',
      code: 'no_match' satisfies ErrorCode,
      details: {},
    });
    expect([own, copy].map(isT4aError)).toEqual([true, true]);
    const others = [
      new Error('No.'),
      { name: 'T4aError', code: 'no_match', details: {} },
      null,
      'T4aError',
      Object.assign(new Error('No.'), { name: 'T4aError' }),
    ];
    expect(others.map(isT4aError)).toEqual(others.map(() => false));
    const noDetails = Object.assign(new Error('No.'), { name: 'T4aError', code: 'no_match' });
    expect(isT4aError(noDetails)).toBe(false);
  });

  it('quotes lists and objects as JSON', () => {
    const values = [[], {}, [1, 'a', null, true], { a: { b: [] }, c: 'd' }, [[[]]], null, 0, false, 1.5];
    for (const value of values) expect(quote(value)).toBe(JSON.stringify(value));
  });

  it('quotes the beginning of a value of any size and nesting', () => {
    let nested: unknown = [];
    for (let i = 0; i < 100_000; i++) nested = [nested];
    expect(quote(nested)).toBe(`${'['.repeat(77)}…`);
    expect(quote(Array.from({ length: 1000 }, (_, i) => i)).length).toBe(78);
    expect(quote(Array.from({ length: 1000 }, () => 10))).toMatch(/^\[10,10,10,.*…$/);
    const long = { first: 'x'.repeat(1_000_000), second: 1 };
    expect(quote(long)).toBe(`{"first":"${'x'.repeat(67)}…`);
    expect(quote({ ['k'.repeat(1_000_000)]: 1 })).toBe(`{"${'k'.repeat(75)}…`);
  });

  it('quotes whole characters', () => {
    expect(quote('\u{1f600}'.repeat(60))).toMatch(/^"(?:\u{1f600})+…$/u);
    expect(quote(`x${'\u{1f600}'.repeat(60)}`)).toMatch(/^"x(?:\u{1f600})+…$/u);
  });

  it('quotes a value in at most 80 characters', () => {
    expect(quote('a"b')).toBe(String.raw`"a\"b"`);
    expect(quote('x'.repeat(78))).toBe(`"${'x'.repeat(78)}"`);
    expect(quote('x'.repeat(79))).toBe(`"${'x'.repeat(76)}…`);
    expect(quote({ a: [1] })).toBe('{"a":[1]}');
    expect(quote(undefined)).toBe('undefined');
  });
});
