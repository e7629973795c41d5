/**
 * Requests are accepted or refused as in docs/schema.json, for every odd value in every field of every command. Fields of one
 * schema within several others, such as those of a condition, are tested where it first stands.
 */
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { envelopeShape } from '../../src/protocol/command.js';
import { T4aError } from '../../src/protocol/errors.js';
import { waitShape } from '../../src/protocol/conditions.js';
import { readTurnShape, turnShape } from '../../src/protocol/observation.js';
import { COMMAND_NAMES, COMMANDS } from '../../src/protocol/registry.js';
import { parseRequestLine, type CheckedRequest } from '../../src/protocol/request.js';
import { CONTRACT, fieldsOf, problems, sample, type Field, type Path, type Schema } from './contract.js';

/** Of any type, at the edges of types, and names that objects inherit. */
const ODD_OF_A_KIND: readonly (readonly unknown[])[] = [
  [null, true, false, 0, -1, 1, 80, 0.5, 1e9, 2 ** 31, 2 ** 53, -(2 ** 53), 1e21, 1e308],
  ['', ' ', 'a', '80', 'true', 'null', '\0', '\n', '\ud800', '\u{1f600}', '@', '../x', 'A=B', '#12345', '#gggggg'],
  ['__proto__', 'constructor', 'toString', 'x'.repeat(65), 'x'.repeat(1001)],
  [[], [null], [[]], ['a'], ['a', 7], [{}], Array.from({ length: 101 }, () => 'a')],
  [{}, { a: 1 }, { a: 'a' }, { '': '' }, { 'a=b': 'c' }, { constructor: 'a' }, { length: 1 }],
];
const ODD = ODD_OF_A_KIND.flat(1);

/** The same in every request: test/protocol/request.test.ts. */
const ENVELOPE: readonly string[] = Object.keys(envelopeShape);

/** What no JSON Schema can say: the whole request is refused although each field is right. */
const REFUSED_TOGETHER: readonly { readonly says: RegExp; readonly of: RegExp }[] = [
  { says: /exactly one condition in each object/, of: /(^|\.)(until|fail|when)(\.\d+)?$/ },
  { says: /exactly one action in each object/, of: /^do(\.\d+)?$/ },
  { says: /a number from 1, or -1 for the last/, of: /^command$/ },
];

/** At the edges of what the schema allows, and one beyond. */
function edges(schema: Schema): unknown[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(edges);
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, items, enum: words } = schema;
  const numbers = [minimum, maximum].flatMap((edge) =>
    edge === undefined ? [] : [edge - 1, edge, edge + 1, edge + 0.5],
  );
  const lengths = (least = 0, most = least): number[] =>
    [least - 1, least, most, most + 1].filter((length) => length >= 0 && length <= 100_000);
  const texts = schema.type === 'string' ? lengths(minLength, maxLength).map((length) => 'a'.repeat(length)) : [];
  const arrays =
    schema.type === 'array'
      ? lengths(minItems, maxItems).map((length) => Array.from({ length }, () => sample(items ?? {})))
      : [];
  const cases = (words ?? []).flatMap((word) => [word, String(word).toUpperCase(), `${String(word)} `]);
  return [...numbers, ...texts, ...arrays, ...cases, ...(schema.const === undefined ? [] : [schema.const])];
}

function meet(fields: unknown): CheckedRequest | T4aError {
  return parseRequestLine(new TextEncoder().encode(JSON.stringify(fields))).request;
}

/** As a line carries it: what JSON has no word for is null. */
function received<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

const dotted = (path: Path): string => path.join('.');

/** Schemas that have occurred, without their descriptions. */
const seen = new Set<string>();

/** Fields of all commands, without those within a schema that another field has had before. */
const FIELDS = new Map(COMMAND_NAMES.map((name) => [name, fieldsOnce(CONTRACT.commands[name]?.request ?? {})]));

test('every command has the wait, the observation and the conditions that all share', () => {
  const shapes = Object.entries<{ params: { shape: Readonly<Record<string, unknown>> } }>(COMMANDS);
  const shared = { wait: [turnShape.wait, readTurnShape.wait], observe: [turnShape.observe, readTurnShape.observe] };
  for (const [field, schemas] of Object.entries(shared)) {
    const having = shapes.filter(([, { params }]) => Object.hasOwn(params.shape, field));
    expect(having.length).toBeGreaterThan(10);
    const strange = having.filter(([, { params }]) => !schemas.some((schema) => schema === params.shape[field]));
    expect(
      strange.map(([name]) => name),
      field,
    ).toEqual([]);
  }
  const { shape } = COMMANDS.wait.params;
  for (const [field, schema] of Object.entries(waitShape)) expect(Reflect.get(shape, field), field).toBe(schema);
});

describe.each(COMMAND_NAMES)('a request to %s', (name) => {
  const request = CONTRACT.commands[name]?.request ?? {};
  const fields = (FIELDS.get(name) ?? []).filter(({ path }) => !ENVELOPE.includes(String(path[0])));

  test('with only its required fields is accepted, with the defaults of the contract', () => {
    const least = sample(request) as Record<string, unknown>;
    const met = meet(least);
    expect(met).not.toBeInstanceOf(T4aError);
    if (met instanceof T4aError) return;
    const promised = Object.entries(request.properties ?? {}).flatMap(([field, { default: standard }]) =>
      standard === undefined ? [] : [[field, standard] as const],
    );
    const { cmd: _, ...given } = least;
    const settled = Object.fromEntries(Object.entries(met.params).filter(([field]) => !Object.hasOwn(given, field)));
    expect(settled).toEqual(Object.fromEntries(promised));
  });

  test.each(fields.map((field) => [dotted(field.path), field] as const))(
    'is accepted or refused by its %s as in the contract',
    (_, field) => {
      const values = [...ODD, ...edges(field.schema)];
      expect(values.flatMap((value) => complaint(request, field, value) ?? [])).toEqual([]);
    },
  );

  test.each(objectsOf(request, fields))(
    'is refused with a field outside the contract in "%s" (case %#)',
    (at, { schema, holding }) => {
      const known = Object.keys(schema.properties ?? {});
      for (const stranger of ['constructor', 'toString', '', ...known.map((field) => `${field}x`)]) {
        if (known.includes(stranger)) continue;
        const met = meet(holding({ ...(sample(schema) as object), [stranger]: 1 }));
        expect(met, stranger).toMatchObject({ code: 'unknown_field' });
        const { closest, hint, field } = (met as T4aError).details;
        // What is like no field's name may be a value in the wrong place: its place alone is told.
        const named = closest !== undefined || FIELD_NAME.test(stranger) ? [stranger] : [];
        expect(field ?? '').toBe([...(at === '' ? [] : [at]), ...named].join('.'));
        if (closest !== undefined) expect(known).toContain(closest);
        expect(hint).toMatch(closest === undefined ? /^It has: / : `Did you mean "${closest}"?`);
      }
      for (const field of known.filter((word) => word.length > 4)) {
        const met = meet(holding({ ...(sample(schema) as object), [`${field}x`]: 1 }));
        expect((met as T4aError).details, field).toMatchObject({ closest: expect.any(String) as string });
      }
    },
  );
});

const FIELD_NAME = /^[a-z]+(?:_[a-z0-9]+)*$/;

/** @returns what is wrong with the answer */
function complaint(request: Schema, field: Field, value: unknown): string | undefined {
  const { path, holding } = field;
  const sent = received(holding(value));
  const met = meet(sent);
  const wrong = problems(request, sent).map(dotted);
  const at = `${dotted(path)} = ${JSON.stringify(value)?.slice(0, 60)}`;
  if (!(met instanceof T4aError)) {
    if (wrong.length > 0) return `${at} was taken`;
    const kept = (met.params as Record<string, unknown>)[String(path[0])];
    return path.length > 1 || isRead(field) || isDeepStrictEqual(kept, received(value))
      ? undefined
      : `${at} became ${JSON.stringify(kept)}`;
  }
  const { code, message, details } = met;
  const { field: told = '', hint = '' } = details;
  const answer = `${at} was answered with ${code}, field "${told}", hint "${hint}": ${message}`;
  if (wrong.length === 0)
    return REFUSED_TOGETHER.some(({ says, of }) => says.test(message) && of.test(told)) ? undefined : answer;
  const isClear = /^[^\n]{10,600}\.$/.test(message) && hint !== '';
  return isClear && ['invalid_field', 'unknown_field'].includes(code) && isRelated(told, wrong) ? undefined : answer;
}

/** An object, whose own defaults are filled in, or a condition, of which one may stand for a list of one. */
function isRead({ schema }: Field): boolean {
  return [schema, ...(schema.anyOf ?? [])].some(({ properties }) => properties !== undefined);
}

/** The field is one that is wrong, or a union that holds it. A name that is none stands as an ellipsis. */
function isRelated(field: string, wrong: readonly string[]): boolean {
  const known = field.replace(/\.?\u2026$/, '');
  return wrong.some((path) => path === field || path.startsWith(`${known}.`) || known.startsWith(`${path}.`));
}

function objectsOf(request: Schema, fields: readonly Field[]): (readonly [string, Field])[] {
  const whole: Field = { path: [], schema: request, holding: (value) => value };
  return [whole, ...fields]
    .flatMap(({ path, schema, holding }) =>
      (schema.anyOf ?? [schema]).map((branch) => ({ path, schema: branch, holding })),
    )
    .filter(({ schema }) => schema.properties !== undefined && schema.additionalProperties === false)
    .map((field) => [dotted(field.path), field] as const);
}

function fieldsOnce(request: Schema): Field[] {
  const skipped: Path[] = [];
  return fieldsOf(request).filter(({ path, schema }) => {
    if (path[0] === 'cmd' || path[0] === 'req') return false;
    if (skipped.some((outer) => path.length > outer.length && outer.every((name, i) => path[i] === name))) return false;
    const { description: _, ...same } = schema;
    const key = JSON.stringify(same);
    if (seen.has(key)) skipped.push(path);
    seen.add(key);
    return true;
  });
}
