/** The tools of the crew in the form that each provider's API takes. */
import { TOOL_PREFIX } from '../../tools/catalog.js';
import type { ListedTool, ToolFormat } from '../../tools/formats.js';
import { geminiSchema } from '../../tools/gemini-schema.js';

export function toolsIn(format: ToolFormat, tools: readonly ListedTool[]): object[] {
  if (format === 'mcp') return [...tools];
  const forms = tools.map(({ name, description, inputSchema }) => ({
    name: TOOL_PREFIX + name,
    description,
    schema: inputSchema,
  }));
  if (format === 'anthropic') return forms.map(({ schema, ...tool }) => ({ ...tool, input_schema: schema }));
  if (format === 'openai') {
    return forms.map(({ schema, ...tool }) => ({
      type: 'function',
      function: { ...tool, parameters: schema, strict: false },
    }));
  }
  const functionDeclarations = forms.map(({ schema, ...tool }) => {
    const parameters = geminiSchema(schema);
    return parameters === undefined ? tool : { ...tool, parameters };
  });
  return [{ functionDeclarations }];
}
