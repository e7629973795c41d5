/** Tools in the form that each provider's API takes. */
import { COMMANDS } from '../protocol/registry.js';
import { catalog, type CatalogEntry, type Profile } from './catalog.js';
import { geminiSchema } from './gemini-schema.js';
import { inputSchema } from './json-schema.js';

export const TOOL_FORMATS = ['anthropic', 'openai', 'gemini', 'mcp'] as const;

export type ToolFormat = (typeof TOOL_FORMATS)[number];

/** Beside a harness's other tools `run` alone would say too little; MCP clients put the server's name before it themselves. */
export const TOOL_PREFIX = 't4a_';

/** OpenAI's bound, the narrowest. */
export const MAX_DESCRIPTION_LENGTH = 1024;

/**
 * What goes into a request to the provider as `tools`, or for MCP what `tools/list` answers.
 * @see https://docs.claude.com/en/docs/agents-and-tools/tool-use/implement-tool-use
 * @see https://platform.openai.com/docs/guides/function-calling
 * @see https://ai.google.dev/api/caching#FunctionDeclaration
 */
export function toolSchemas(format: ToolFormat, profile: Profile = 'default'): object[] {
  const entries = catalog(profile);
  if (format === 'gemini') return [{ functionDeclarations: entries.map(geminiTool) }];
  return entries.map({ anthropic: anthropicTool, openai: openaiTool, mcp: mcpTool }[format]);
}

function anthropicTool(entry: CatalogEntry): object {
  return { name: TOOL_PREFIX + entry.name, description: descriptionOf(entry), input_schema: inputSchema(entry) };
}

/** The form of chat completions, which most compatible servers take. Not strict: fields may be left out. */
function openaiTool(entry: CatalogEntry): object {
  const parameters = inputSchema(entry);
  return {
    type: 'function',
    function: { name: TOOL_PREFIX + entry.name, description: descriptionOf(entry), parameters, strict: false },
  };
}

/** An object without properties is refused there, so a tool without fields has no `parameters` at all. */
function geminiTool(entry: CatalogEntry): object {
  const parameters = geminiSchema(inputSchema(entry));
  const declaration = { name: TOOL_PREFIX + entry.name, description: descriptionOf(entry) };
  return parameters === undefined ? declaration : { ...declaration, parameters };
}

export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ReturnType<typeof inputSchema>;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly openWorldHint: boolean;
  };
}

export function mcpTool(entry: CatalogEntry): McpTool {
  return {
    name: entry.name,
    title: COMMANDS[entry.name].summary.replace(/\.$/, ''),
    description: descriptionOf(entry),
    inputSchema: inputSchema(entry),
    annotations: {
      readOnlyHint: entry.readOnly,
      destructiveHint: entry.destructive,
      // What programs reach is theirs; a look at the screen reaches nothing.
      openWorldHint: !entry.readOnly,
    },
  };
}

function descriptionOf({ name, fields }: CatalogEntry): string {
  const { summary, details } = COMMANDS[name] as { summary: string; details?: string };
  // The default profile's schemas are meant to be small, and their fields describe themselves.
  const text = fields === undefined && details !== undefined ? `${summary} ${details}` : (BRIEF[name] ?? summary);
  return text.length <= MAX_DESCRIPTION_LENGTH ? text : `${text.slice(0, MAX_DESCRIPTION_LENGTH - 1)}…`;
}

/** For the default profile: what a model has to know to choose well among these few. */
const BRIEF: Readonly<Record<string, string>> = {
  run: 'Run a shell command to its end and get its exit code and output. For what ends by itself; else use create.',
  create:
    'Start a program (default: a shell) in a new terminal and get its id. For what is interactive or keeps running.',
  type: 'Type text into a terminal; submit presses Enter after it.',
  press: 'Press keys by name, in order: Enter, Escape, Up, Tab, F5, Ctrl+C, or a single character.',
  wait: 'Wait until something is so (text, regex, gone, settled_ms, done, exit, …), then get the outcome and the last lines. A deadline is an outcome, not an error.',
  screenshot: 'See the terminal as an image: layout, colours, cursor.',
  text: 'Read the terminal as exact lines of text; region "all" includes what scrolled away.',
};
