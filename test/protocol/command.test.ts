import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineCommand, envelopeShape } from '../../src/protocol/command.js';
import {
  MODEL_FAMILIES,
  PICTURE_FORMATS,
  PICTURE_PROFILES,
  defaultPicture,
  pictureShape,
} from '../../src/protocol/picture.js';
import { COMMANDS } from '../../src/protocol/registry.js';
import { pictureErrors } from '../../src/protocol/turn-errors.js';

const NAMED = { name: 'x', summary: 'It is.', group: 'look', effect: 'act', reach: 'use' } as const;

test('a minimal command replies with a line, has no errors, and builds its schemas once, at the first use', () => {
  let made = 0;
  const least = defineCommand({
    name: 'least',
    summary: 'It is.',
    group: 'look',
    effect: 'read',
    reach: 'read',
    params: () => ({ n: z.int().default(++made) }),
    reply: () => ({ m: z.int() }),
  });
  expect(made).toBe(0);
  expect(least).toMatchObject({ name: 'least', summary: 'It is.', kind: 'line', errors: [], cli: {} });
  expect(least).not.toHaveProperty('details');
  // Made once, with the first request.
  expect(least.params.parse({})).toEqual({ n: 1 });
  expect(least.params.parse({})).toEqual({ n: 1 });
  expect(least.params).toBe(least.params);
  expect(least.reply).toBe(least.reply);
});

test('a command refuses unknown fields in requests, and accepts them in replies', () => {
  const command = defineCommand({ ...NAMED, params: () => ({}), reply: () => ({}) });
  expect(command.params.safeParse({ more: 1 }).success).toBe(false);
  expect(command.reply.safeParse({ more: 1 }).success).toBe(true);
});

test('a command keeps its details, kind, errors and examples', () => {
  const spec = { ...NAMED, details: 'More.', params: () => ({}), reply: () => ({}) } as const;
  const command = defineCommand({ ...spec, kind: 'stream', errors: ['no_match'], cli: { examples: ['x'] } });
  expect(command).toMatchObject({ details: 'More.', kind: 'stream', errors: ['no_match'], cli: { examples: ['x'] } });
});

test('a command without a reach, or with a reach for a field that it lacks, does not compile', () => {
  const { reach: _, ...withoutReach } = NAMED;
  // @ts-expect-error: no reach
  defineCommand({ ...withoutReach, params: () => ({}), reply: () => ({}) });
  // @ts-expect-error: no such reach
  defineCommand({ ...NAMED, reach: 'all', params: () => ({}), reply: () => ({}) });
  // @ts-expect-error: no such field
  defineCommand({ ...NAMED, fieldReach: { force: 'admin' }, params: () => ({ n: z.int() }), reply: () => ({}) });
  const { traits } = defineCommand({
    ...NAMED,
    fieldReach: { force: 'admin' },
    params: () => ({ force: z.boolean() }),
    reply: () => ({}),
  });
  expect(traits).toEqual({ group: 'look', effect: 'act', reach: 'use', fieldReach: { force: 'admin' } });
});

test('req is a string of at most 256 characters or a number', () => {
  const isTaken = (req: unknown): boolean => envelopeShape.req.safeParse(req).success;
  expect(['', 'a', 'x'.repeat(256), 0, -1.5, undefined].map(isTaken)).not.toContain(false);
  expect(['x'.repeat(257), null, true, {}, Number.NaN].map(isTaken)).not.toContain(true);
});

test('a terminal has the usual size, the inherited environment and shell integration by default', () => {
  expect(COMMANDS.create.params.parse({})).toEqual({
    reuse: false,
    cols: 80,
    rows: 24,
    env: {},
    inherit_env: true,
    keep_agent_env: false,
    keep_cleared: false,
    term: 'xterm-256color',
    shell_integration: true,
  });
});

test('a picture shows the screen with its cursor by default, and the default is one object', () => {
  expect(defaultPicture()).toEqual({
    cursor: true,
    format: 'png',
    scrollback: 0,
    rulers: false,
    mark: [],
    bold_as_bright: false,
  });
  expect(defaultPicture()).toBe(defaultPicture());
  expect(z.object(pictureShape).parse({})).toEqual(defaultPicture());
});

test('a picture takes only known formats, profiles, models, regions and marks', () => {
  expect([PICTURE_FORMATS, PICTURE_PROFILES, MODEL_FAMILIES, pictureErrors]).toEqual([
    ['png', 'webp', 'jpeg', 'svg', 'html'],
    ['llm', 'cheap', 'exact', 'human'],
    ['claude', 'gpt', 'gemini'],
    [
      'image_too_large',
      'region_outside',
      'bad_regex',
      'revision_unknown',
      'moment_lost',
      'moment_unknown',
      'render_failed',
    ],
  ]);
  const isTaken = (fields: object): boolean => z.strictObject(pictureShape).safeParse(fields).success;
  const region = { row: -3, col: 0, rows: 1, cols: 1 };
  const marks = ['text', { regex: 'a' }, { changed_since: 0 }, region];
  for (const fields of [{ region }, { mark: marks }, ...marks.map((mark) => ({ mark: [mark] })), { cursor: false }])
    expect(isTaken(fields), JSON.stringify(fields)).toBe(true);
  const wrong = [
    { region: { ...region, cols: 0 } },
    { mark: [''] },
    { mark: [{ regex: '' }] },
    { mark: [{ regex: 'a', changed_since: 1 }] },
    { format: 'gif' },
  ];
  for (const fields of wrong) expect(isTaken(fields), JSON.stringify(fields)).toBe(false);
});
