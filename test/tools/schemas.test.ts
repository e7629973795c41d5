/** The conversion of the protocol's schemas to those of tools for a model. */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/protocol/registry.js';
import { catalog, TOOL_PROFILES, type CatalogEntry, type ToolOffer } from '../../src/tools/catalog.js';
import { mcpTool, MAX_DESCRIPTION_LENGTH, TOOL_FORMATS, toolSchemas } from '../../src/tools/formats.js';
import { geminiSchema } from '../../src/tools/gemini-schema.js';
import { inputSchema, type JsonSchema, type ObjectSchema } from '../../src/tools/json-schema.js';
import { SMALL_WORD_PATHS, smallWords } from '../../src/tools/small-words.js';

function entry(profile: 'default' | 'full', name: string): CatalogEntry {
  const found = catalog({ profile: profile }).find((each) => each.name === name);
  if (found === undefined) throw new Error(`no tool ${name}`);
  return found;
}

const text = { type: 'string' };

describe('for Gemini', () => {
  test.each<[JsonSchema, JsonSchema | undefined]>([
    [{ type: 'string' }, { type: 'STRING' }],
    [
      { type: 'string', format: 'x', default: 'y', minLength: 1, maxLength: 2 },
      { type: 'STRING', minLength: 1, maxLength: 2 },
    ],
    [
      { type: 'string', pattern: 'x', title: 't', description: 'd' },
      { type: 'STRING', pattern: 'x', title: 't', description: 'd' },
    ],
    [
      { type: 'string', enum: ['a', 'b'] },
      { type: 'STRING', enum: ['a', 'b'] },
    ],
    [
      { type: 'integer', minimum: 1, maximum: 2 },
      { type: 'INTEGER', minimum: 1, maximum: 2 },
    ],
    [{ type: 'number' }, { type: 'NUMBER' }],
    [{ type: 'boolean' }, { type: 'BOOLEAN' }],
    [
      { const: 'a', description: 'd' },
      { description: 'd', type: 'STRING', enum: ['a'] },
    ],
    [{ const: true }, { type: 'BOOLEAN' }],
    [{ const: 5, type: 'number' }, { type: 'NUMBER' }],
    [
      { type: 'array', items: text, minItems: 1, maxItems: 2 },
      { type: 'ARRAY', minItems: 1, maxItems: 2, items: { type: 'STRING' } },
    ],
    [{ type: 'array' }, undefined],
    [{ type: 'null' }, undefined],
    [{}, undefined],
    [{ type: 'object' }, undefined],
    [{ type: 'object', additionalProperties: text }, undefined],
    [
      { type: 'object', properties: { a: text }, required: ['a'] },
      { type: 'OBJECT', properties: { a: { type: 'STRING' } }, required: ['a'] },
    ],
    [
      { type: 'object', properties: { a: text, b: {} }, required: ['b'] },
      { type: 'OBJECT', properties: { a: { type: 'STRING' } } },
    ],
    [
      { type: 'object', properties: { a: text }, description: 'd' },
      { type: 'OBJECT', description: 'd', properties: { a: { type: 'STRING' } } },
    ],
    [{ anyOf: [text] }, { type: 'STRING' }],
    [{ anyOf: [text, { type: 'null' }] }, { type: 'STRING', nullable: true }],
    [{ anyOf: [{ type: 'null' }] }, undefined],
    [
      { anyOf: [text, {}], description: 'd' },
      { type: 'STRING', description: 'd' },
    ],
    [
      { anyOf: [text, { type: 'boolean' }, { type: 'null' }], description: 'd' },
      { anyOf: [{ type: 'STRING', description: 'd', nullable: true }, { type: 'BOOLEAN' }] },
    ],
    [
      { anyOf: [text, { anyOf: [{ type: 'boolean' }, { type: 'integer' }] }] },
      { anyOf: [{ type: 'STRING' }, { type: 'BOOLEAN' }, { type: 'INTEGER' }] },
    ],
  ])('%j becomes %j', (schema, said) => {
    expect(geminiSchema(schema)).toEqual(said);
  });

  test('a tool without fields has no parameters', () => {
    const [group] = toolSchemas('gemini') as { functionDeclarations: Record<string, unknown>[] }[];
    const declared = new Map(group?.functionDeclarations.map((each) => [each['name'], Object.keys(each)]));
    expect(declared.get('t4a_list')).toEqual(['name', 'description']);
    expect(declared.get('t4a_press')).toEqual(['name', 'description', 'parameters']);
  });
});

describe('the input of a tool', () => {
  test('has all fields in the full profile, except those that only a person may set', () => {
    const { properties, required, ...rest } = inputSchema(entry('full', 'type'));
    const all = Object.keys(COMMANDS.type.params.shape).filter((name) => name !== 'even_if_shown');
    expect(Object.keys(properties)).toEqual(all);
    expect(required).toEqual(expect.arrayContaining(['id', 'text']));
    expect(rest).toEqual({ type: 'object', additionalProperties: false });
    expect(inputSchema(entry('default', 'list'))).toEqual({ type: 'object', properties: {} });
  });

  test('has few fields without bounds in the default profile, and the words of a turn for a wait', () => {
    const { properties, required } = inputSchema(entry('default', 'wait'));
    expect(Object.keys(properties).toSorted()).toEqual(['fail', 'for', 'id', 'timeout_ms', 'until']);
    expect(required).toEqual(['id']);
    const until = properties['until'] as ObjectSchema;
    expect(Object.keys(until.properties)).toEqual(['regex', 'gone', 'control']);
    expect(Object.keys((properties['fail'] as ObjectSchema).properties)).toEqual(['regex']);
    for (const tool of ['type', 'press', 'create', 'run']) {
      const { wait } = inputSchema(entry('default', tool)).properties;
      expect((wait as ObjectSchema).properties['for'], tool).toEqual(properties['for']);
    }
    const whole = inputSchema(entry('full', 'wait'));
    expect(whole.properties['for']).toEqual(properties['for']);
    expect(whole.required).toBeUndefined();
    expect(JSON.stringify(whole)).toMatch(/"maxLength"/);
  });

  test('has no $schema, and no bounds that every integer has', () => {
    for (const profile of ['default', 'full'] as const) {
      const all = JSON.stringify(catalog({ profile: profile }).map(inputSchema));
      expect(all).not.toContain('$schema');
      expect(all).not.toContain(String(Number.MAX_SAFE_INTEGER));
      expect(/"(minLength|maxLength|minItems|maxItems|minimum|maximum|default)":/.test(all)).toBe(profile === 'full');
    }
  });
});

describe('a tool', () => {
  test('has a brief description in the default profile, and a detailed one in the full profile', () => {
    const described = (profile: 'default' | 'full'): Map<string, string> =>
      new Map(catalog({ profile: profile }).map((each) => [each.name, mcpTool(each).description]));
    const [brief, full] = [described('default'), described('full')];
    const { summary, details } = COMMANDS.run;
    expect(full.get('run')).toBe(`${summary} ${details}`.slice(0, MAX_DESCRIPTION_LENGTH));
    expect(brief.get('run')).not.toContain(summary);
    for (const name of ['run', 'create', 'type', 'press', 'wait', 'screenshot', 'text']) {
      expect(brief.get(name), name).not.toBe(COMMANDS[name as 'run'].summary);
    }
    expect(brief.get('list')).toBe(COMMANDS.list.summary);
    for (const text_ of full.values()) expect(text_.length).toBeLessThanOrEqual(MAX_DESCRIPTION_LENGTH);
  });

  // Read only, destructive, idempotent, of an open world.
  const HINTS: Readonly<Record<string, string>> = {
    create: 'destructive, open',
    run: 'destructive, open',
    kill: 'destructive, open',
    type: 'destructive, open',
    deliver: 'destructive, open',
    press: 'destructive, open',
    send: 'destructive, open',
    paste: 'destructive, open',
    mouse: 'destructive, open',
    focus: 'open',
    resize: 'idempotent, open',
    clear: 'idempotent, open',
    control: 'open',
    ask: 'open',
    // It can clear what it shows.
    debug: 'destructive',
    ...Object.fromEntries(
      'asks commands cursor entries film find grep list ping screenshot seek stats status text wait'
        .split(' ')
        .map((name) => [name, 'read only, idempotent']),
    ),
  };

  const hintsOf = (each: CatalogEntry): string => {
    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint, ...others } = mcpTool(each).annotations;
    expect(others).toEqual({});
    return [
      ...(readOnlyHint ? ['read only'] : []),
      ...(destructiveHint ? ['destructive'] : []),
      ...(idempotentHint ? ['idempotent'] : []),
      ...(openWorldHint ? ['open'] : []),
    ].join(', ');
  };

  test('has MCP hints that are true of it, each of the four; debug is not read-only where it can clear', () => {
    const all = (offer: ToolOffer): object =>
      Object.fromEntries(catalog(offer).map((each) => [each.name, hintsOf(each)]));
    expect(all({ profile: 'full' })).toEqual(HINTS);
    for (const { name, ...each } of catalog({ profile: 'default', tools: Object.keys(HINTS) })) {
      expect(hintsOf({ name, ...each }), name).toBe(HINTS[name]);
    }
    expect(all({ profile: 'full', tools: ['debug', 'text'], allow: 'read' })).toEqual({
      debug: 'read only, idempotent',
      text: 'read only, idempotent',
    });
  });

  test('has the first sentence of its command as its title', () => {
    expect(mcpTool(entry('full', 'kill')).title).toBe(COMMANDS.kill.summary.replace(/\.$/, ''));
    for (const each of catalog({ profile: 'full' })) expect(mcpTool(each).title).toMatch(/[^.]$/);
  });
});

test.each(['read', 'use', 'create'] as const)('tools that need no more than "%s" have no field that does', (allow) => {
  const order = ['read', 'use', 'create', 'admin'];
  for (const profile of TOOL_PROFILES) {
    const admitted = catalog({ profile, allow });
    for (const each of admitted) {
      const { reach, fieldReach = {} } = COMMANDS[each.name].traits;
      const raised = Object.entries(fieldReach).filter(([name]) => name in inputSchema(each).properties);
      for (const needed of [reach, ...raised.map(([, more]) => String(more))])
        expect(order.indexOf(needed), each.name).toBeLessThanOrEqual(order.indexOf(allow));
    }
    const left = catalog({ profile: profile }).filter(({ name }) => !admitted.some((each) => each.name === name));
    for (const { name } of left)
      expect(order.indexOf(COMMANDS[name].traits.reach)).toBeGreaterThan(order.indexOf(allow));
  }
});

test('the default profile has the fields that most tasks need', () => {
  const fields = Object.fromEntries(
    catalog({ profile: 'default' }).map((each) => [
      each.name,
      Object.keys(inputSchema(each).properties).toSorted().join(' '),
    ]),
  );
  expect(fields).toEqual({
    ask: 'choices id kind question resume',
    create: 'cmd_args cols command cwd name observe rows rules wait',
    entries: 'id since',
    film: 'from id max_tokens',
    kill: 'id signal',
    list: '',
    press: 'id keys observe wait',
    run: 'command cwd id max_lines observe timeout_ms wait',
    screenshot: 'id max_tokens region',
    text: 'changed from_line id last max_lines region',
    type: 'id observe secret submit text wait',
    wait: 'fail for id timeout_ms until',
  });
  expect([TOOL_PROFILES, TOOL_FORMATS]).toEqual([
    ['default', 'full'],
    ['anthropic', 'openai', 'gemini', 'mcp'],
  ]);
});

test('the small schemas have at most 1,600 tokens, and those of six tools 900', () => {
  const tokens = (offer: ToolOffer): number => countTokens(JSON.stringify(toolSchemas('anthropic', offer)));
  expect(tokens({})).toBeLessThanOrEqual(1600);
  expect(tokens({ tools: ['create', 'run', 'type', 'press', 'wait', 'kill'] })).toBeLessThanOrEqual(900);
});

test('each description of the small schemas is that of a field there, or the field has none', () => {
  for (const path of SMALL_WORD_PATHS) {
    const [tool = '', ...fields] = path.split('.');
    const holders = catalog({ profile: 'default' }).filter(({ name }) => tool === '*' || name === tool);
    const at = (each: CatalogEntry): unknown =>
      fields.reduce<unknown>(
        (schema, field) => (schema as ObjectSchema | undefined)?.properties[field],
        inputSchema(each),
      );
    const wanted = smallWords(tool, fields.join('.'));
    const found = holders.map((each) => at(each) as JsonSchema | undefined).filter((each) => each !== undefined);
    expect(
      found.some(({ description = '' }) => description === wanted),
      path,
    ).toBe(true);
  }
});

test('the tools are those of the default profile if no profile is named', () => {
  expect(toolSchemas('anthropic')).toEqual(toolSchemas('anthropic', 'default'));
  expect(toolSchemas('mcp')).toEqual(catalog({ profile: 'default' }).map(mcpTool));
});
