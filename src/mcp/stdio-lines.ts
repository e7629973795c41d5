/**
 * Messages as lines on standard input and output. A batch (JSON-RPC has them, MCP had them in 2025-03-26) is taken apart, and
 * each of its messages is answered on a line of its own. What is no message is answered with an error of JSON-RPC, in place
 * of silence. Bounds: a line, what it may have of fields and values, and unread output (no more is read).
 */
import type { Readable, Writable } from 'node:stream';
import { type JSONRPCMessage, parseJSONRPCMessage, type RequestId, type Transport } from '@modelcontextprotocol/server';
import { refusal, T4aError } from '../protocol/errors.js';
import { LineSplitter } from '../protocol/framing.js';
import { MAX_LINE_BYTES } from '../protocol/limits.js';
import { excessOf } from '../protocol/request-line.js';

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

export class StdioLines implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  /** Resolves when the other side has gone. @throws T4aError `line_too_long` */
  readonly closed: Promise<void>;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #splitter: LineSplitter;
  /**
   * Arguments of calls that have not begun. The SDK does not see them: its parser drops a field `__proto__`, as if it had not been
   * sent.
   */
  readonly #given = new Map<RequestId, unknown>();
  #isClosed = false;
  #end: (error?: T4aError) => void = () => {};

  constructor(input: Readable = process.stdin, output: Writable = process.stdout) {
    this.#input = input;
    this.#output = output;
    this.closed = new Promise((resolve, reject) => {
      this.#end = (error) => (error === undefined ? resolve() : reject(error));
    });
    this.#splitter = new LineSplitter(MAX_LINE_BYTES, {
      line: (bytes) => this.#take(Buffer.from(bytes).toString('utf8'), excessOf(bytes)),
      tooLong: () => this.#refuseRest(),
    });
  }

  async start(): Promise<void> {
    const end = (): void => void this.close();
    this.#input
      .on('data', (chunk: Buffer) => {
        // A plain view: `slice` of a Buffer shares its memory.
        if (!this.#isClosed) this.#splitter.push(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      })
      .once('end', end)
      .once('close', end)
      .once('error', end);
    this.#output.on('drain', () => void (this.#isClosed || this.#input.resume())).once('error', end);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    // Refused before it began.
    if (!('method' in message) && message.id !== undefined) this.#given.delete(message.id);
    if (!this.#output.write(`${JSON.stringify(message)}\n`)) this.#input.pause();
  }

  async close(): Promise<void> {
    this.#close();
  }

  /** Arguments that the client has sent with a call, once. @throws T4aError `bad_request`: it has too much */
  argumentsOf(id: RequestId): unknown {
    const given = this.#given.get(id) ?? {};
    this.#given.delete(id);
    if (given instanceof T4aError) throw given;
    return given;
  }

  #close(error?: T4aError): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.pause();
    this.onclose?.();
    this.#end(error);
  }

  /** @param excess of what it has too much */
  #take(line: string, excess: string | undefined): void {
    if (line.trim() === '') return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      return this.#refuse(PARSE_ERROR, 'Not JSON: one message a line.', undefined);
    }
    if (!Array.isArray(value)) return this.#deliver(value, excess);
    if (value.length === 0) return this.#refuse(INVALID_REQUEST, 'The batch is empty.', undefined);
    for (const one of value) this.#deliver(one, excess);
  }

  #deliver(value: unknown, excess: string | undefined): void {
    const call = callIn(value);
    if (call === undefined && excess !== undefined) return this.#refuse(INVALID_REQUEST, excess, value);
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(
        call === undefined ? value : { ...call, params: { ...call.params, arguments: {} } },
      );
    } catch {
      return this.#refuse(INVALID_REQUEST, 'Not a message of JSON-RPC 2.0.', value);
    }
    if (call !== undefined && 'method' in message && 'id' in message) {
      const tooMuch = excess === undefined ? undefined : refusal('bad_request', excess, { hint: 'Send less at once.' });
      this.#given.set(message.id, tooMuch ?? call.params.arguments);
    }
    this.onmessage?.(message);
  }

  /** Not the SDK's type: that knows no error without a request. */
  #refuse(code: number, message: string, refused: unknown): void {
    const given = Object(refused) as { readonly id?: unknown };
    const id = typeof given.id === 'string' || typeof given.id === 'number' ? given.id : null;
    void this.send({ jsonrpc: '2.0', id, error: { code, message } } as unknown as JSONRPCMessage);
  }

  #refuseRest(): void {
    const message = `A message has more than the ${MAX_LINE_BYTES} bytes allowed.`;
    this.#refuse(INVALID_REQUEST, message, undefined);
    this.#close(new T4aError('line_too_long', message, { hint: 'Send large input in several calls.' }));
  }
}

interface ToolCall {
  readonly params: { readonly arguments: object };
}

/** A call with arguments, which are an object. All else is for the SDK to refuse. */
function callIn(value: unknown): ToolCall | undefined {
  const { method, params } = Object(value) as { readonly method?: unknown; readonly params?: unknown };
  const { arguments: given } = Object(params) as { readonly arguments?: unknown };
  const isCall = method === 'tools/call' && typeof given === 'object' && given !== null && !Array.isArray(given);
  return isCall ? (value as ToolCall) : undefined;
}
