/** What a model says is checked against the schema that it was offered, before anything is sent. */
import { describe, expect, test } from 'vitest';
import { envelopeShape } from '../../src/protocol/command.js';
import { catalog, type CatalogEntry, TOOL_PROFILES } from '../../src/tools/catalog.js';
import { checkerOf } from '../../src/tools/checked-input.js';
import { inputSchema } from '../../src/tools/json-schema.js';
import { called } from './called.js';

const ENVELOPE = [...Object.keys(envelopeShape), 'via', 'person', 'force'];

describe.each(TOOL_PROFILES)('in the profile %s', (profile) => {
  const tools = catalog({ profile });

  test('no tool takes a field of the envelope, or what a person decides', async () => {
    for (const entry of tools) {
      const { name } = entry;
      for (const field of ENVELOPE) {
        const { requests, isError, text } = await called(name, { ...leastOf(entry), [field]: 'list' }, { profile });
        expect([name, field, requests, isError, text]).toEqual([name, field, [], true, expect.stringMatching(/field/)]);
      }
    }
  });

  test.each([
    ['null', null],
    ['a list', []],
    ['a text', 'list'],
    ['a prototype', JSON.parse('{"__proto__": {"all": true}}')],
    ['an inner prototype', JSON.parse('{"wait": {"__proto__": {"for": "done"}}}')],
    ['a method', { toString: 'x' }],
    ['letters of another size', { ID: 't1' }],
  ])('%s is no input of any tool', async (_, input) => {
    for (const { name } of tools) {
      const { requests, isError } = await called(name, input, { profile });
      expect([name, requests, isError]).toEqual([name, [], true]);
    }
  });

  test('each schema has a checker, which takes what its fields describe', () => {
    for (const entry of tools) {
      const schema = inputSchema(entry);
      expect(checkerOf(schema).safeParse(leastOf(entry)).error).toBeUndefined();
    }
  });
});

test.each([
  ['run', { cmd: 'ls' }, '"cmd" (unknown: "command"?)', '"command" (missing)'],
  ['type', { id: 't1', txt: 'x' }, '"txt" (unknown: "text"?)', '"text" (missing)'],
  [
    'press',
    { id: 't1', keys: ['a'], wait: { fro: 'done' } },
    '"press" has no field "wait.fro". (unknown_field)',
    'Did you mean "for"?',
  ],
  [
    'press',
    { id: 't1', keys: ['a'], wait: 'done' },
    '"wait" of "press" is "done": expected an object. (invalid_field)',
    '',
  ],
  [
    'wait',
    { id: 't1', until: { rgex: 'x' } },
    '"wait" has no field "until.rgex". (unknown_field)',
    'Did you mean "regex"?',
  ],
  ['type', { id: 5, text: 'x' }, '"id" of "type" is not valid: expected a text. (invalid_field)', ''],
])('%s %j is refused with the nearest name', async (name, input, message, hint) => {
  const { requests, text } = await called(name, input, { profile: 'default' });
  expect(requests).toEqual([]);
  expect(text).toContain(message);
  expect(text).toContain(hint);
});

test.each([
  ['type', { id: 't1', keys: 'ls', submit: true }, '"keys"', '"text"'],
  ['type', { session_id: 't1', text: 'ls' }, '"session_id"', '"id"'],
  ['type', { id: 't1', text: 'ls', press_enter: true }, '"press_enter"', '"submit"'],
  ['press', { id: 't1', key: 'Enter' }, '"key"', '"keys"'],
  ['press', { id: 't1', keys: ['q'], wait: { until: 'done' } }, '"wait.until"', '"for"'],
  ['run', { command: 'make', timeout: 120 }, '"timeout"', '"timeout_ms"'],
  ['run', { command: 'make', workdir: '/' }, '"workdir"', '"cwd"'],
  ['create', { args: ['top'] }, '"args"', '"cmd_args"'],
  ['create', { command: 'top', height: 50 }, '"height"', '"rows"'],
  ['wait', { id: 't1', pattern: 'x' }, '"pattern"', '"for"'],
  ['wait', { id: 't1', awaiting_input: true }, '"awaiting_input"', '"for"'],
  ['wait', { id: 't1', until: { pattern: 'x' } }, '"until.pattern"', '"regex"'],
  ['ask', { message: 'Which?' }, '"message"', '"question"'],
])('%s %j, in words of another product, gets the right word', async (name, input, given, meant) => {
  const { requests, text } = await called(name, input, { profile: 'default' });
  expect(requests).toEqual([]);
  expect(text.slice(text.indexOf(given.replaceAll('"', '')))).toContain(meant);
  expect(text).toMatch(/Did you mean |unknown: /);
});

test('names have other letters than ASCII', async () => {
  const { requests } = await called('create', { name: 'größe', command: 'true' });
  expect(requests[0]).toMatchObject(['create', { name: 'größe' }, {}]);
});

const LEAST: Readonly<Record<string, unknown>> = {
  text: 'x',
  keys: ['a'],
  until: { done: true },
  pattern: 'x',
  question: 'q',
  name: 'n',
  command: 'true',
  action: 'click',
  rows: 24,
  cols: 80,
};

/** The required fields. */
function leastOf(entry: CatalogEntry): Record<string, unknown> {
  const of = (field: string): unknown =>
    entry.name === 'control' && field === 'action' ? 'show' : (LEAST[field] ?? 't1');
  return Object.fromEntries((inputSchema(entry).required ?? []).map((field) => [field, of(field)]));
}
