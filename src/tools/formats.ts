/** Tools in the form that each provider's API takes. */
import { COMMANDS } from '../protocol/registry.js';
import {
  assertNoOthers,
  catalog,
  type CatalogEntry,
  type ToolProfile,
  TOOL_PREFIX,
  type ToolOffer,
} from './catalog.js';
import { geminiSchema } from './gemini-schema.js';
import { offeredWords } from './offered-words.js';
import { inputOf, type ObjectSchema } from './json-schema.js';

export const TOOL_FORMATS = ['anthropic', 'openai', 'gemini', 'mcp'] as const;

export type ToolFormat = (typeof TOOL_FORMATS)[number];

/** OpenAI's bound, the narrowest. */
export const MAX_DESCRIPTION_LENGTH = 1024;

/**
 * What goes into a request to the provider as `tools`, or for MCP what `tools/list` answers.
 * @param offer a profile, or what else is offered; of the default profile if nothing is said
 * @throws T4aError `usage`: a name in `tools` is that of no tool, or of one that `allow` forbids
 * @see https://docs.claude.com/en/docs/agents-and-tools/tool-use/implement-tool-use
 * @see https://platform.openai.com/docs/guides/function-calling
 * @see https://ai.google.dev/api/caching#FunctionDeclaration
 */
export function toolSchemas(format: ToolFormat, offer: ToolProfile | ToolOffer = {}): object[] {
  const { profile, allow, tools, ...others }: ToolOffer = typeof offer === 'string' ? { profile: offer } : offer;
  assertNoOthers('toolSchemas', others);
  const entries = catalog({ profile, allow, tools });
  if (format === 'gemini') return [{ functionDeclarations: entries.map(geminiTool) }];
  return entries.map({ anthropic: anthropicTool, openai: openaiTool, mcp: mcpTool }[format]);
}

function anthropicTool(entry: CatalogEntry): object {
  const { description, schema } = wordsAndSchema(entry);
  return { name: TOOL_PREFIX + entry.name, description, input_schema: schema };
}

/** The form of chat completions, which most compatible servers take. Not strict: fields may be left out. */
function openaiTool(entry: CatalogEntry): object {
  const { description, schema: parameters } = wordsAndSchema(entry);
  return {
    type: 'function',
    function: { name: TOOL_PREFIX + entry.name, description, parameters, strict: false },
  };
}

/** An object without properties is refused there, so a tool without fields has no `parameters` at all. */
function geminiTool(entry: CatalogEntry): object {
  const { description, schema } = wordsAndSchema(entry);
  const parameters = geminiSchema(schema);
  const declaration = { name: TOOL_PREFIX + entry.name, description };
  return parameters === undefined ? declaration : { ...declaration, parameters };
}

export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

/** Tool as a server lists it: what is not annotated is as MCP has it by default. */
export type ListedTool = Omit<McpTool, 'annotations'> & { readonly annotations?: Partial<McpTool['annotations']> };

export function mcpTool(entry: CatalogEntry): McpTool {
  const { description, schema } = wordsAndSchema(entry);
  return {
    name: entry.name,
    title: COMMANDS[entry.name].summary.replace(/\.$/, ''),
    description,
    inputSchema: schema,
    annotations: {
      readOnlyHint: entry.readOnly,
      destructiveHint: entry.destructive,
      idempotentHint: entry.idempotent,
      openWorldHint: entry.openWorld,
    },
  };
}

function wordsAndSchema(entry: CatalogEntry): { readonly description: string; readonly schema: ObjectSchema } {
  const { name, fields, brief } = entry;
  const { schema, isOffered } = inputOf(entry);
  const { summary, details } = COMMANDS[name] as { summary: string; details?: string };
  // The schemas of the default profile are small, and their fields describe themselves.
  const whole = fields === undefined && details !== undefined ? `${summary} ${details}` : (brief ?? summary);
  const text = offeredWords(whole, isOffered);
  const description = text.length <= MAX_DESCRIPTION_LENGTH ? text : `${text.slice(0, MAX_DESCRIPTION_LENGTH - 1)}…`;
  return { description, schema };
}
