/**
 * An agent's loop over t4a's tools. The model here is scripted, so that this runs offline; it has the shape of
 * `anthropic.messages.create`, whose place it takes.
 */
import { connect } from 't4a';
import { callTool, toolSchemas, type ToolContent } from 't4a/tools';
import { scriptedModel, type Block } from './scripted-model.js';

const MAX_TURNS = 20;

const model = scriptedModel();
const tools = toolSchemas('anthropic');
const messages: { role: 'user' | 'assistant'; content: string | Block[] }[] = [
  { role: 'user', content: 'What is 6 * 7? Use a Python prompt to be sure.' },
];

await using client = await connect();
for (let turn = 0; turn < MAX_TURNS; turn++) {
  const { content } = await model.create({ messages, tools });
  messages.push({ role: 'assistant', content });
  for (const block of content) if (block.type === 'text') say(`model: ${block.text}`);

  const calls = content.filter((block) => block.type === 'tool_use');
  if (calls.length === 0) break;

  const results: Block[] = [];
  for (const call of calls) {
    // Errors are results too: the model reads the hint and goes on.
    const result = await callTool(client, call.name, call.input);
    say(`${call.name} ${JSON.stringify(call.input)}: ${summary(result.content)}`);
    results.push({
      type: 'tool_result',
      tool_use_id: call.id,
      content: result.content.map(asBlock),
      is_error: result.isError,
    });
  }
  messages.push({ role: 'user', content: results });
}

function asBlock(content: ToolContent): Block {
  if (content.type === 'text') return content;
  return { type: 'image', source: { type: 'base64', media_type: content.mimeType, data: content.data } };
}

function summary(content: readonly ToolContent[]): string {
  return content
    .map((block) => (block.type === 'text' ? (block.text.split('\n')[0] ?? '') : `[${block.mimeType}]`))
    .join(' ');
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
