/**
 * The interfaces of models that coding agents speak: Messages, Responses, chat completions, and generateContent. Each reads what a
 * request says, and writes a turn of a model in its form.
 *
 * A turn is a list of parts: `{text}`, `{call: {name, input}}`, `{pauseMs}`, and `{status}`, a failure in place of an answer.
 */
import { setTimeout as delay } from 'node:timers/promises';

const USAGE = { input_tokens: 10, output_tokens: 1 };

let turns = 0;

/**
 * `read` gives `{users, results, tools, isResult, isAside}`: texts of the person, results of calls, names of tools, whether a result is
 * what came last, and whether the program asks for something of its own, such as a title.
 */
const INTERFACES = [
  { path: /^\/v1\/messages$/, read: readMessages, write: writeMessages },
  { path: /\/responses$/, read: readResponses, write: writeResponses },
  { path: /\/chat\/completions$/, read: readCompletions, write: writeCompletions },
  { path: /:(?:streamGenerateContent|generateContent)$/, read: readContent, write: writeContent },
];

/** @returns the interface of that path, or undefined */
export function interfaceOf(pathname) {
  return INTERFACES.find(({ path }) => path.test(pathname));
}

/** All text within a message, whatever its form. */
export function textsOf(value) {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, each]) => (STRUCTURE.has(key) ? [] : textsOf(each)));
}

const STRUCTURE = new Set(['type', 'role', 'id', 'cache_control', 'media_type', 'status']);

/** Parts one after another; ends early if the program closes the connection. */
async function eachPart(response, parts, write) {
  for (const part of parts) {
    if (response.destroyed) return false;
    if (part.pauseMs === undefined) write(part);
    else await delay(part.pauseMs);
  }
  return !response.destroyed;
}

function failed(response, parts) {
  const status = parts.find((part) => part.status !== undefined)?.status;
  if (status === undefined) return false;
  response.writeHead(status, { 'content-type': 'application/json' });
  const error = { type: 'invalid_request_error', code: status, message: 'The script fails here.', status: 'FAILED' };
  response.end(JSON.stringify({ type: 'error', error }));
  return true;
}

function stream(response) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  return (type, fields) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
}

function readMessages({ tools = [], messages }) {
  const blocks = messages.flatMap(({ role, content }) =>
    (typeof content === 'string' ? [{ type: 'text', text: content }] : content).map((block) => ({ role, ...block })),
  );
  const names = tools.map(({ name }) => name);
  return {
    users: blocks.filter(({ role, type }) => role === 'user' && type === 'text').map(({ text }) => text),
    results: blocks.filter(({ type }) => type === 'tool_result').map((block) => textsOf(block.content).join('\n')),
    tools: names,
    isResult:
      blocks.at(-1)?.role === 'user' && messages.at(-1).content.some?.(({ type }) => type === 'tool_result') === true,
    isAside: !names.includes('Bash'),
  };
}

async function writeMessages(response, parts, { model }) {
  if (failed(response, parts)) return;
  const id = ++turns;
  const send = stream(response);
  const fields = { content: [], stop_reason: null, usage: USAGE };
  send('message_start', { message: { id: `msg_${id}`, type: 'message', role: 'assistant', model, ...fields } });
  let index = 0;
  const isWhole = await eachPart(response, parts, ({ text, call }) => {
    const block =
      call === undefined
        ? { type: 'text', text: '' }
        : { type: 'tool_use', id: `toolu_${id}_${index}`, name: call.name, input: {} };
    send('content_block_start', { index, content_block: block });
    const json = { type: 'input_json_delta', partial_json: JSON.stringify(call?.input) };
    send('content_block_delta', { index, delta: call === undefined ? { type: 'text_delta', text } : json });
    send('content_block_stop', { index: index++ });
  });
  if (!isWhole) return;
  const reason = parts.some(({ call }) => call !== undefined) ? 'tool_use' : 'end_turn';
  send('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage: USAGE });
  send('message_stop', {});
  response.end();
}

function readResponses({ input = [], tools = [] }) {
  const users = input.filter(({ type, role }) => (type ?? 'message') === 'message' && role === 'user');
  const names = tools.map(({ name, type }) => name ?? type);
  return {
    users: users.flatMap(({ content }) => textsOf(content)),
    results: input.filter(({ type }) => type?.endsWith('_output')).map(({ output }) => textsOf(output).join('\n')),
    tools: names,
    isResult: input.at(-1)?.type?.endsWith('_output') === true,
    isAside: names.length === 0,
  };
}

async function writeResponses(response, parts) {
  if (failed(response, parts)) return;
  const id = ++turns;
  const send = stream(response);
  send('response.created', { response: { id: `resp_${id}` } });
  let index = 0;
  const isWhole = await eachPart(response, parts, ({ text, call }) => {
    const output_index = index++;
    if (call !== undefined) {
      const isFree = typeof call.input === 'string';
      const own = isFree ? { input: call.input } : { arguments: JSON.stringify(call.input) };
      const type = isFree ? 'custom_tool_call' : 'function_call';
      const item = {
        type,
        id: `fc_${id}_${output_index}`,
        call_id: `call_${id}_${output_index}`,
        name: call.name,
        ...own,
      };
      send('response.output_item.done', { output_index, item });
      return;
    }
    const item = { type: 'message', role: 'assistant', id: `msg_${id}_${output_index}`, content: [] };
    send('response.output_item.added', { output_index, item });
    send('response.output_text.delta', { item_id: item.id, output_index, content_index: 0, delta: text });
    const content = [{ type: 'output_text', text, annotations: [] }];
    send('response.output_item.done', { output_index, item: { ...item, content } });
  });
  if (!isWhole) return;
  send('response.completed', { response: { id: `resp_${id}`, usage: { ...USAGE, total_tokens: 11 } } });
  response.end();
}

function readCompletions({ messages, tools = [] }) {
  const names = tools.map((each) => each.function?.name);
  return {
    users: messages.filter(({ role }) => role === 'user').flatMap(({ content }) => textsOf(content)),
    results: messages.filter(({ role }) => role === 'tool').map(({ content }) => textsOf(content).join('\n')),
    tools: names,
    isResult: messages.at(-1)?.role === 'tool',
    isAside: names.length === 0,
  };
}

async function writeCompletions(response, parts, { model }) {
  if (failed(response, parts)) return;
  const id = ++turns;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  const send = (delta, reason = null) => {
    const choices = [{ index: 0, delta, finish_reason: reason }];
    const chunk = { id: `chat_${id}`, object: 'chat.completion.chunk', created: 1, model, choices };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  let index = 0;
  const isWhole = await eachPart(response, parts, ({ text, call }) => {
    if (call === undefined) {
      send({ role: 'assistant', content: text });
      return;
    }
    const called = { name: call.name, arguments: JSON.stringify(call.input) };
    send({ tool_calls: [{ index, id: `call_${id}_${index++}`, type: 'function', function: called }] });
  });
  if (!isWhole) return;
  send({}, parts.some(({ call }) => call !== undefined) ? 'tool_calls' : 'stop');
  response.end('data: [DONE]\n\n');
}

function readContent({ contents, tools = [], generationConfig = {} }) {
  const parts = contents.flatMap(({ role, parts: own }) => own.map((part) => ({ role, ...part })));
  const names = tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name));
  return {
    users: parts.filter(({ role, text }) => role === 'user' && text !== undefined).map(({ text }) => text),
    results: parts.flatMap(({ functionResponse }) => (functionResponse ? [textsOf(functionResponse).join('\n')] : [])),
    tools: names,
    isResult: contents.at(-1)?.parts.some(({ functionResponse }) => functionResponse !== undefined) === true,
    isAside: names.length === 0 || generationConfig.responseJsonSchema !== undefined,
  };
}

async function writeContent(response, parts, { tools = [], generationConfig = {} }) {
  if (failed(response, parts)) return;
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 1, totalTokenCount: 11 };
  const chunk = (part, finishReason) => ({
    candidates: [{ index: 0, content: { role: 'model', parts: [part] }, ...(finishReason && { finishReason }) }],
    usageMetadata,
  });
  if (tools.length === 0 || generationConfig.responseJsonSchema !== undefined) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(chunk({ text: parts[0]?.text ?? '' }, 'STOP')));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  const send = (value) => response.write(`data: ${JSON.stringify(value)}\r\n\r\n`);
  const isWhole = await eachPart(response, parts, ({ text, call }) =>
    send(chunk(call === undefined ? { text } : { functionCall: { name: call.name, args: call.input } })),
  );
  if (!isWhole) return;
  send(chunk({ text: '' }, 'STOP'));
  response.end();
}
