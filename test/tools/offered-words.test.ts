/** Descriptions and instructions name no tool and no field that the model does not have. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { instructionsOf } from '../../src/mcp/instructions.js';
import { COMMAND_NAMES, COMMANDS, type CommandName } from '../../src/protocol/registry.js';
import { ALLOWED_REACHES, catalog, TOOL_PROFILES, type ToolOffer } from '../../src/tools/catalog.js';
import { mcpTool, toolSchemas } from '../../src/tools/formats.js';
import { offeredWords } from '../../src/tools/offered-words.js';
import { called } from './called.js';

/** Fields of any depth, and values. */
function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { properties = {}, enum: values = [] } = value as { properties?: object; enum?: unknown[] };
  return [...Object.keys(properties), ...values.map(String), ...Object.values(value).flatMap(namesIn)];
}

function fieldsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { properties = {} } = value as { properties?: object };
  return [...Object.keys(properties), ...Object.values(value).flatMap(fieldsIn)];
}

function descriptionsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { description } = value as { description?: unknown };
  const own = typeof description === 'string' ? [description] : [];
  return [...own, ...Object.values(value).flatMap(descriptionsIn)];
}

const requestFields = new Map(
  COMMAND_NAMES.map((name) => [name, namesIn(z.toJSONSchema(COMMANDS[name].params, { io: 'input' }))]),
);
const replyNames = new Map(COMMAND_NAMES.map((name) => [name, namesIn(z.toJSONSchema(COMMANDS[name].reply))]));

/** What may be the name of a tool or a field: no value of one. */
const NAMES = new Set<string>([
  ...COMMAND_NAMES,
  ...COMMAND_NAMES.flatMap((name) => fieldsIn(z.toJSONSchema(COMMANDS[name].params, { io: 'input' }))),
  'as',
  'scope',
  'req',
  'host',
]);

/** Forms of a moment. */
const MOMENTS = ['start', 'end', 'input'];

/** @returns `tool: name` of each that is named and not there */
function absentNames(offer: ToolOffer): string[] {
  const entries = catalog(offer);
  const tools = new Map(entries.map((entry) => [entry.name as string, mcpTool(entry)]));
  return [...tools.values()].flatMap((tool) => {
    const own = new Set(namesIn(tool.inputSchema));
    const request = requestFields.get(tool.name as CommandName) ?? [];
    // A field of the request that the tool lacks is none of it because a reply has one of that name.
    const read = (replyNames.get(tool.name as CommandName) ?? []).filter((name) => !request.includes(name));
    const known = new Set([...own, ...read, ...tools.keys(), ...MOMENTS]);
    return descriptionsIn(tool).flatMap((text) =>
      [...text.matchAll(/`([a-z_0-9]+)`(?: of `([a-z]+)`)?/g)].flatMap(([, name = '', of]) => {
        const owner = of === undefined ? undefined : tools.get(of);
        if (owner !== undefined)
          return [...namesIn(owner.inputSchema), ...(replyNames.get(of as CommandName) ?? [])].includes(name)
            ? []
            : [`${tool.name}: ${name} of ${of}`];
        return !NAMES.has(name) || known.has(name) ? [] : [`${tool.name}: ${name}`];
      }),
    );
  });
}

const SUBSETS: readonly (readonly CommandName[])[] = [
  ['create', 'run', 'press', 'mouse', 'grep'],
  ['run'],
  ['create', 'type', 'screenshot'],
  ['list', 'text', 'wait'],
  ['send', 'paste', 'kill'],
  ['film', 'seek', 'entries', 'ask'],
];

const offers: ToolOffer[] = TOOL_PROFILES.flatMap((profile) => [
  ...ALLOWED_REACHES.map((allow) => ({ profile, allow })),
  ...SUBSETS.map((tools) => ({ profile, tools })),
  ...catalog({ profile: 'full' }).map(({ name }) => ({ profile, tools: [name] })),
]);

test.each(offers.map((offer) => [JSON.stringify(offer), offer] as const))(
  'with %s all names are those of tools and fields that are there',
  (_what, offer) => {
    expect(absentNames(offer)).toEqual([]);
    for (const { description, title } of catalog(offer).map(mcpTool)) {
      expect(description.length).toBeGreaterThan(10);
      // Tools stand in backquotes, where the check above finds them.
      expect(description).not.toMatch(
        /\b(?:use|call|with the tool) (?:create|run|type|press|paste|send|screenshot|text)\b/,
      );
      expect(title).not.toContain('`');
    }
  },
);

test('every format has the same words', () => {
  const offer: ToolOffer = { tools: ['run', 'text'] };
  const words = toolSchemas('mcp', offer).map((tool) => (tool as { description: string }).description);
  const anthropic = toolSchemas('anthropic', offer) as { description: string }[];
  const openai = toolSchemas('openai', offer) as { function: { description: string } }[];
  const [gemini] = toolSchemas('gemini', offer) as { functionDeclarations: { description: string }[] }[];
  expect(anthropic.map(({ description }) => description)).toEqual(words);
  expect(openai.map((tool) => tool.function.description)).toEqual(words);
  expect(gemini?.functionDeclarations.map(({ description }) => description)).toEqual(words);
});

describe('of words about what is not offered', () => {
  const isOffered = (name: string): boolean => !name.startsWith('no');
  test.each([
    ['Nothing named.', 'Nothing named.'],
    ['All of `a` and `b`.', 'All of `a` and `b`.'],
    ['By `a` or `no` it ends.', 'By `a` it ends.'],
    ['So are `a`, `no`, `b`, and others.', 'So are `a`, `b`, and others.'],
    ['One of `a`, `no` and `b`.', 'One of `a` and `b`.'],
    ['A thing (by `no`) is there.', 'A thing is there.'],
    ['A thing; with `no` another.', 'A thing.'],
    ['With `no` a thing; else another.', 'Else another.'],
    ['A thing. See `no`. Default: 3.', 'A thing. Default: 3.'],
    ['See `no`.', ''],
    ['Not `no` and `none`.', ''],
  ])('%j leaves %j', (text, left) => {
    expect(offeredWords(text, isOffered)).toBe(left);
  });
});

describe('the instructions of the MCP server', () => {
  test.each(offers.map((offer) => [JSON.stringify(offer), offer] as const))(
    'with %s name only tools that are there',
    (_what, offer) => {
      const tools = catalog(offer).map(({ name }) => name);
      const text = instructionsOf(tools);
      const named = [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
      expect(tools).toEqual(expect.arrayContaining(named));
      const unquoted = text.replaceAll(/`[^`]+`/g, '').split(/\W+/);
      expect(unquoted.filter((word) => COMMAND_NAMES.includes(word as CommandName))).toEqual([]);
      expect(text).toMatch(/^Real terminals\b.*\.$/);
      expect(text).not.toMatch(/: \.|\.\.|, ?\./);
    },
  );

  test('say how the tools of the default profile work together', () => {
    expect(instructionsOf(catalog({ profile: 'default' }).map(({ name }) => name))).toBe(
      'Real terminals. `run`: a command that ends by itself. Else: `create` a terminal, `type` or `press` into it, `wait` for what should appear, then look: `screenshot` for layout, `text` for exact lines. Terminals stay until `kill`. ⟦ ⟧ mark what is selected.',
    );
    expect(instructionsOf(['list', 'text', 'screenshot'])).toBe(
      'Real terminals of others: `list` has them. Look: `screenshot` for layout, `text` for exact lines.',
    );
    expect(instructionsOf(['run'])).toBe('Real terminals. `run`: a command that ends by itself.');
  });
});

test('what a run says to do next is done with tools that are there', async () => {
  const goesOn = { outcome: 'timeout', kept: true, id: 't1', duration_ms: 5, lines: [], omitted_lines: 0 };
  const asks = { ...goesOn, outcome: 'awaiting_input', awaiting_input: { process: 'sh', kind: 'line' } };
  const said = async (reply: object, tools?: string[]): Promise<string> =>
    (await called('run', { command: 'x' }, { tools }, () => reply)).text.trimEnd();
  expect(await said(goesOn)).toBe(
    'Goes on in terminal t1 after 5 ms: wait {"id":"t1","for":"exit"}, or end it with kill.',
  );
  expect(await said(goesOn, ['run', 'kill'])).toBe('Goes on in terminal t1 after 5 ms: end it with kill.');
  expect(await said(goesOn, ['run'])).toBe('Goes on in terminal t1 after 5 ms.');
  expect(await said(asks)).toContain(': type {"id":"t1","text":"ANSWER","submit":true}.');
  expect(await said(asks, ['run', 'press'])).toContain(', in terminal t1: answer with press.');
});
