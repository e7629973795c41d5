/**
 * Tool schemas follow the published rules of the providers, and the known rules of their servers:
 * - Anthropic: https://docs.claude.com/en/docs/agents-and-tools/tool-use/implement-tool-use (names, `input_schema`),
 *   https://platform.claude.com/docs/en/managed-agents/self-hosted-sandboxes (no `$ref`, names of properties, no union at the top)
 * - OpenAI: https://platform.openai.com/docs/api-reference/chat/create (names), https://platform.openai.com/docs/guides/function-calling
 *   (128 tools; strict mode); the length of descriptions is in its error `string_above_max_length`
 * - Gemini: https://ai.google.dev/api/caching#Schema (words, enumerations of texts), https://ai.google.dev/api/caching#FunctionDeclaration
 *   (names of at most 63 or 64), https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1/Schema; that `anyOf` must be
 *   the only field set is in Vertex's error
 * - MCP: https://modelcontextprotocol.io/specification/2025-11-25/server/tools (names, annotations)
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { COMMAND_NAMES } from '../../src/protocol/registry.js';
import { TOOL_PROFILES, type ToolOffer } from '../../src/tools/catalog.js';
import { TOOL_FORMATS, toolSchemas } from '../../src/tools/formats.js';

interface Declared {
  readonly name: string;
  readonly description: string;
  readonly schema: Record<string, unknown> | undefined;
}

const ajv = new Ajv2020({ strict: false });

describe.each(TOOL_PROFILES)('the tools of the %s profile', (profile) => {
  test('for Anthropic have names of at most 64 characters and a draft 2020-12 schema of an object', () => {
    const tools = toolSchemas('anthropic', profile) as { name: string; description: string; input_schema: object }[];
    for (const { name, description, input_schema: schema, ...rest } of tools) {
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(description.length).toBeGreaterThan(10);
      expect(schema).toMatchObject({ type: 'object' });
      expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).toBe(true);
      expect(rest).toEqual({});
      // Refused at the top of a schema.
      for (const word of ['oneOf', 'allOf', 'anyOf']) expect(schema).not.toHaveProperty(word);
      expect(JSON.stringify(schema)).not.toMatch(/"\$(ref|defs|schema)"/);
      for (const property of propertyNames(schema)) expect(property).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/);
    }
  });

  test('for OpenAI are functions with descriptions of at most 1,024 characters', () => {
    const tools = toolSchemas('openai', profile) as { type: string; function: Record<string, unknown> }[];
    for (const tool of tools) {
      expect(Object.keys(tool)).toEqual(['type', 'function']);
      expect(tool.type).toBe('function');
      expect(Object.keys(tool.function)).toEqual(['name', 'description', 'parameters', 'strict']);
      expect(tool.function['name']).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(String(tool.function['description']).length).toBeLessThanOrEqual(1024);
      expect(tool.function['parameters']).toMatchObject({ type: 'object' });
      expect(ajv.validateSchema(tool.function['parameters'] as object)).toBe(true);
      // Strict mode has every field required; most of these may be left out, and that is said.
      expect(tool.function['strict']).toBe(false);
      expect(tool.function['parameters']).toMatchObject(profile === 'full' ? { additionalProperties: false } : {});
    }
    // One request takes 128 of them.
    expect(tools.length).toBeLessThanOrEqual(128);
  });

  test('for Gemini use only words of its subset of OpenAPI', () => {
    const [group, ...others] = toolSchemas('gemini', profile) as { functionDeclarations: Record<string, unknown>[] }[];
    expect(others).toEqual([]);
    for (const declaration of group?.functionDeclarations ?? []) {
      expect(declaration['name']).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,62}$/);
      for (const property of propertyNames(declaration)) expect(property).toMatch(/^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/);
      if (declaration['parameters'] !== undefined) expectGeminiSchema(declaration['parameters'], 'OBJECT');
    }
  });

  test('for MCP have hints and a schema of an object', () => {
    for (const tool of toolSchemas('mcp', profile)) {
      expect(tool).toMatchObject({
        name: expect.stringMatching(/^[a-z_]{1,128}$/) as string,
        inputSchema: { type: 'object' },
        annotations: { readOnlyHint: expect.any(Boolean) as boolean },
      });
    }
  });

  test('are the same in every format', () => {
    const names = declared(profile).map(({ name }) => name);
    const openai = toolSchemas('openai', profile) as { function: { name: string } }[];
    const [gemini] = toolSchemas('gemini', profile) as { functionDeclarations: { name: string }[] }[];
    const mcp = toolSchemas('mcp', profile) as { name: string }[];
    expect(openai.map((tool) => tool.function.name)).toEqual(names);
    expect(gemini?.functionDeclarations.map(({ name }) => name)).toEqual(names);
    expect(mcp.map(({ name }) => `t4a_${name}`)).toEqual(names);
  });
});

test('the full profile has every command except those that are no tools', () => {
  const names = declared('full').map(({ name }) => name.slice('t4a_'.length));
  const without = COMMAND_NAMES.filter((name) => !names.includes(name));
  const noTools =
    'answer cancel config events explain export forget label marker open output ports publish record recordings replace report restart restrict rules schema shutdown trigger triggers untrigger watch'.split(
      ' ',
    );
  expect(without.toSorted()).toEqual(noTools);
});

test('the default profile has twelve tools, whose schemas have less than 12,000 bytes for each provider', () => {
  expect(declared('default').map(({ name }) => name.slice('t4a_'.length))).toEqual(
    ['ask', 'create', 'film', 'list', 'kill', 'run', 'screenshot', 'text', 'entries', 'press', 'type', 'wait'].toSorted(
      (a, b) => COMMAND_NAMES.indexOf(a as 'run') - COMMAND_NAMES.indexOf(b as 'run'),
    ),
  );
  for (const format of TOOL_FORMATS) {
    expect(Buffer.byteLength(JSON.stringify(toolSchemas(format))), format).toBeLessThan(12_000);
  }
  // The prices in docs/guide.md: of the largest, and of the five tools of its example.
  const guide = readFileSync(new URL('../../docs/guide.md', import.meta.url), 'utf8');
  const priceOf = (offer: ToolOffer): string =>
    (Buffer.byteLength(JSON.stringify(toolSchemas('mcp', offer))) / 1000).toFixed(1);
  expect(/twelve\s+tools\s+in\s+([\d.]+)\s+KB/.exec(guide)?.[1]).toBe(priceOf({}));
  const [, names = '', price] = /`--tools ([a-z,]+)` has\s+exactly these \(([\d.]+) KB\)/.exec(guide) ?? [];
  expect(price).toBe(priceOf({ tools: names.split(',') }));
});

test('every field of the default profile exists in the full profile', () => {
  const full = fieldsOf(declared('full'));
  const small = fieldsOf(declared('default'));
  expect(small.get('t4a_screenshot')).toEqual(expect.arrayContaining(['id', 'region', 'max_tokens']));
  expect(small.get('t4a_wait')).toEqual(['for', 'id', 'until', 'fail', 'timeout_ms']);
  for (const [name, own] of small) expect(full.get(name)).toEqual(expect.arrayContaining(own));
});

test('no tool has the fields of persons or even_if_shown, and type has the field secret in both profiles', () => {
  for (const profile of TOOL_PROFILES) {
    const fields = fieldsOf(declared(profile));
    const all = declared(profile).flatMap(({ schema }) => propertyNames(schema));
    for (const field of ['even_if_shown', 'person', 'force']) expect(all).not.toContain(field);
    expect([...fields.keys()]).not.toContain('t4a_answer');
    expect(fields.get('t4a_type')).toContain('secret');
  }
});

/** Of the schema, and of what is in it. */
function propertyNames(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = Object.keys((schema as { properties?: object }).properties ?? {});
  return [...own, ...Object.values(schema).flatMap(propertyNames)];
}

function fieldsOf(tools: readonly Declared[]): Map<string, string[]> {
  return new Map(tools.map(({ name, schema }) => [name, Object.keys(schema?.['properties'] ?? {})]));
}

function declared(profile: 'default' | 'full'): Declared[] {
  return (toolSchemas('anthropic', profile) as (Declared & { input_schema: Record<string, unknown> })[]).map(
    ({ name, description, input_schema: schema }) => ({ name, description, schema }),
  );
}

/** https://ai.google.dev/api/caching#Schema */
const GEMINI_WORDS = new Set([
  'type',
  'format',
  'title',
  'description',
  'nullable',
  'enum',
  'maxItems',
  'minItems',
  'properties',
  'required',
  'minProperties',
  'maxProperties',
  'minLength',
  'maxLength',
  'pattern',
  'example',
  'anyOf',
  'propertyOrdering',
  'default',
  'items',
  'minimum',
  'maximum',
]);

function expectGeminiSchema(value: unknown, type?: string): void {
  const schema = value as Record<string, unknown>;
  for (const word of Object.keys(schema)) expect([...GEMINI_WORDS]).toContain(word);
  if (type !== undefined) expect(schema['type']).toBe(type);
  if (schema['anyOf'] !== undefined) {
    expect(Object.keys(schema)).toEqual(['anyOf']);
    for (const branch of schema['anyOf'] as Record<string, unknown>[]) {
      expect(branch).toHaveProperty('type');
      expectGeminiSchema(branch);
    }
    return;
  }
  expect(['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT']).toContain(schema['type']);
  if (schema['enum'] !== undefined) {
    expect(schema['type']).toBe('STRING');
    expect((schema['enum'] as unknown[]).every((value) => typeof value === 'string' && value !== '')).toBe(true);
  }
  if (schema['type'] === 'ARRAY') expectGeminiSchema(schema['items']);
  if (schema['type'] !== 'OBJECT') return;
  const properties = schema['properties'] as Record<string, unknown>;
  expect(Object.keys(properties).length).toBeGreaterThan(0);
  expect(Object.keys(properties)).toEqual(expect.arrayContaining((schema['required'] ?? []) as string[]));
  for (const property of Object.values(properties)) expectGeminiSchema(property);
}
