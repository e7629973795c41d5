/**
 * Replies without their secrets, for connections of programs (`restrict` without a person), which the tools of models are: texts and raw
 * output here, pictures where they are drawn. What cannot be masked is refused.
 */
import { type HasParts, Parts } from '../base/parts.js';
import { type Core, SECRET_VARIABLES } from '../features/core.js';
import { isMasked } from '../features/pictures/masked-capture.js';
import { refusal, type T4aError } from '../protocol/errors.js';
import type { CommandName } from '../protocol/registry.js';
import type { Redactor, Variables } from '../redaction/redactor.js';
import { namedVariables } from '../redaction/redactor-of.js';
import { maskedOutput } from '../redaction/stream-mask.js';
import { EncodedReply } from '../rpc/encoded-fields.js';
import type { Call, Handler, Handlers } from '../rpc/service.js';

/** Streams, and pictures and parts of lines in which a secret may be cut. */
const REFUSED: ReadonlySet<CommandName> = new Set(['watch', 'events', 'film', 'debug']);
const REFUSED_FORMATS: ReadonlySet<unknown> = new Set(['cells', 'runs', 'html']);

export function maskReplies(core: Core, handlers: Handlers): Handlers {
  const masked = Object.entries(handlers).map(([name, handler]) => [name, maskReply(core, handler as AnyHandler)]);
  return Object.fromEntries(masked) as Handlers;
}

type AnyHandler = Handler<CommandName> & ((params: object, call: Call) => unknown);

function maskReply(core: Core, handler: AnyHandler): AnyHandler {
  const masking = (params: Fields, call: Call): unknown => {
    if (!isMasked(core, call)) return handler(params, call);
    if (REFUSED.has(call.cmd)) throw notMasked(`"${call.cmd}"`);
    if (REFUSED_FORMATS.has(params['format'])) throw notMasked(`"format" of "${call.cmd}"`, 'format');
    return maskedAnswer(core, handler, params, call);
  };
  return Object.assign(masking, { load: handler.load }) as AnyHandler;
}

type Fields = Readonly<Record<string, unknown>>;

async function maskedAnswer(core: Core, handler: AnyHandler, params: Fields, call: Call): Promise<unknown> {
  const named = params['id'];
  // Before the act, which may remove it.
  const terminal = typeof named === 'string' ? core.terminals.peek(named.replace(/@\d+$/, '')) : undefined;
  const answer = (await handler(params, call)) as Answer | Fields;
  const about = terminal ?? lastOf(core, call);
  const redactor = core.redactor(terminal ?? ofNewProgram(core, params) ?? about ?? new Parts());
  if (redactor === undefined) return answer;
  const masking = new Masking(redactor, about?.screen.cols ?? 80);
  if (answer instanceof EncodedReply) {
    const { reply, encoded } = answer as EncodedReply<Fields>;
    return masking.counted(masking.value({ ...reply, ...decoded(encoded) }) as Fields);
  }
  if (!isWithBytes(answer)) return masking.counted(masking.value(answer) as Fields);
  const { encoded = {}, bytes } = answer;
  const reply = masking.value({ ...answer.reply, ...decoded(encoded) }) as Fields;
  // Pictures are masked as cells.
  const isText = call.cmd === 'output';
  return { reply: masking.counted(reply), bytes: isText ? bytes && masking.bytes(bytes) : bytes };
}

/** A new terminal may be gone by now. Undefined where the request has no environment. */
function ofNewProgram({ config }: Core, { env }: Fields): HasParts | undefined {
  if (typeof env !== 'object' || env === null) return undefined;
  const parts = new Parts();
  parts.part(SECRET_VARIABLES).value = namedVariables(config.redact, env as Variables);
  return parts;
}

interface Answer {
  readonly reply: Fields;
  readonly bytes?: readonly Uint8Array[];
  readonly encoded?: EncodedReply<Fields>['encoded'] | undefined;
}

function isWithBytes(answer: Answer | Fields): answer is Answer {
  return typeof answer['reply' as never] === 'object';
}

function lastOf(core: Core, call: Call): ReturnType<Core['terminals']['peek']> {
  try {
    return core.terminals.use('@', call);
  } catch {
    return undefined;
  }
}

function decoded(encoded: EncodedReply<Fields>['encoded']): Fields {
  const parsed = Object.entries(encoded).map(([name, pieces]) => [name, JSON.parse(Buffer.concat(pieces).toString())]);
  return Object.fromEntries(parsed) as Fields;
}

class Masking {
  readonly #redactor: Redactor;
  readonly #cols: number;
  #count = 0;

  constructor(redactor: Redactor, cols: number) {
    this.#redactor = redactor;
    this.#cols = cols;
  }

  /** Lists of texts are lines of the screen, over whose ends a secret may go on. */
  value(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (Array.isArray(value)) {
      const isLines = value.length > 0 && value.every((each) => typeof each === 'string');
      return isLines ? this.#lines(value) : value.map((each) => this.value(each));
    }
    if (typeof value !== 'object' || value === null) return value;
    // Pictures as base64, and what names the terminal.
    const kept = new Set(['data', 'id', 'terminal']);
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, kept.has(name) ? each : this.value(each)]),
    );
  }

  bytes(bytes: readonly Uint8Array[]): readonly Uint8Array[] {
    const text = Buffer.concat(bytes).toString('utf8');
    const masked = this.#output(text);
    return masked === text ? bytes : [Buffer.from(masked)];
  }

  counted(reply: Fields): Fields {
    return this.#count === 0 ? reply : { ...reply, masked: this.#count };
  }

  #text(text: string): string {
    const masked = this.#redactor.mask(text);
    this.#count += masked.count;
    return masked.text;
  }

  #lines(lines: readonly string[]): readonly string[] {
    return this.#output(lines.join('\r\n')).split('\r\n');
  }

  #output(output: string): string {
    const masked = maskedOutput(this.#redactor, this.#cols, output);
    this.#count += masked.count;
    return masked.text;
  }
}

function notMasked(what: string, field?: string): T4aError {
  return refusal('not_allowed', `${what} is not masked, and the replies of this connection are ("redact").`, {
    hint: 'Ask for "text" or "screenshot".',
    ...(field === undefined ? {} : { field }),
  });
}
