/** An answer without the secrets of the terminal that it is about. Loaded with the first one that is to be masked. */
import { type HasParts, Parts } from '../base/parts.js';
import { type Core, SECRET_VARIABLES } from '../features/core.js';
import { MAX_PRIVATE_KEY_LINES, PRIVATE_KEY_BEGIN, PRIVATE_KEY_END } from '../redaction/known-secrets.js';
import type { SecretFinder, Variables } from '../redaction/redactor.js';
import { namedVariables } from '../redaction/redactor-of.js';
import { ShownSecrets } from '../redaction/shown-secrets.js';
import { maskedOutput } from '../redaction/stream-mask.js';
import { EncodedReply } from '../rpc/encoded-fields.js';
import { T4aError } from '../protocol/errors.js';
import type { CommandName, Params, Reply } from '../protocol/registry.js';
import { compilePattern } from '../search/pattern.js';
import { finish } from '../search/work.js';
import type { Terminal } from '../terminal/terminal.js';
import { MaskedRows } from './masked-rows.js';
import { secretsShown } from './secrets-shown.js';

/** Most spans, as `grep` has of one line. */
const MAX_SPANS = 100;

const KEY_BEGINS = '-----BEGIN PRIVATE KEY-----\r\n';

/** Columns of new terminals. */
const DEFAULT_COLS = 80;

export type ReplyFields = Readonly<Record<string, unknown>>;

export interface MaskedCall {
  readonly cmd: CommandName;
  readonly params: ReplyFields;
  /** About which terminal. */
  readonly terminal: Terminal | undefined;
  readonly matches?: MatchesOfMasked | undefined;
}

/** Lines that match once they are masked, of a reply with all that match: else a pattern would say what is below the mask. */
export type MatchesOfMasked = Pick<Params<'grep'>, 'pattern' | 'fixed' | 'ignore_case' | 'max' | 'last'>;

/** @param answered by the handler */
export function maskedAnswer(core: Core, answered: unknown, asked: MaskedCall): unknown {
  const answer = answered as Answer | ReplyFields;
  const given = fieldsOf(answer);
  const masking = maskingOf(core, asked, given);
  if (masking === undefined) return answer;
  const reply = masking.value(given) as ReplyFields;
  // Pictures are masked as cells.
  const isText = asked.cmd === 'output';
  if (asked.matches !== undefined) return withBytes(answer, masking.counted(matchesIn(reply, asked.matches)));
  const { data } = reply;
  if (isText && typeof data === 'string') {
    const masked = Buffer.concat(masking.bytes([Buffer.from(data, 'base64')]));
    const inline = { ...reply, data: masked.toString('base64'), len: masked.length };
    return { reply: masking.counted(inline) };
  }
  if (!isWithBytes(answer)) return masking.counted(reply);
  const { bytes } = answer;
  const shown = isText ? bytes && masking.bytes(bytes) : bytes;
  return { reply: masking.counted(reply), bytes: shown };
}

function withBytes(answer: Answer | ReplyFields, reply: ReplyFields): unknown {
  return isWithBytes(answer) ? { reply, bytes: answer.bytes } : reply;
}

function matchesIn(reply: ReplyFields, { pattern: text, fixed, ignore_case: ignoreCase, max, last }: MatchesOfMasked) {
  const pattern = compilePattern({ text, fixed, ignoreCase, field: 'pattern' });
  const { matches: all, total } = reply as unknown as Reply<'grep'>;
  const kept = all.flatMap((match) => {
    const spans: { start: number; end: number }[] = [];
    finish(pattern.matches(match.text, (span) => spans.push(span) < MAX_SPANS));
    return finish(pattern.test(match.text)) ? [{ ...match, spans }] : [];
  });
  const matches = last ? kept.slice(-max) : kept.slice(0, max);
  return { ...reply, matches, total: total - all.length + kept.length };
}

/** Errors quote what a program shows. */
export function maskedError(core: Core, error: T4aError, asked: MaskedCall): T4aError {
  const masking = maskingOf(core, asked, error.details as ReplyFields);
  if (masking === undefined) return error;
  const details = masking.value(error.details) as T4aError['details'];
  return new T4aError(error.code, masking.value(error.message) as string, details);
}

function fieldsOf(answer: Answer | ReplyFields): ReplyFields {
  if (answer instanceof EncodedReply) {
    const { reply, encoded } = answer as EncodedReply<ReplyFields>;
    return { ...reply, ...decoded(encoded) };
  }
  return isWithBytes(answer) ? { ...answer.reply, ...decoded(answer.encoded ?? {}) } : answer;
}

/** Undefined if there is nothing to mask. */
function maskingOf(core: Core, { params, terminal }: MaskedCall, given: ReplyFields): Masking | undefined {
  const isNew = params['id'] === undefined;
  const redactor = core.redactor((isNew ? ofNewProgram(core, params) : undefined) ?? terminal ?? new Parts());
  const cols = isNew && typeof params['cols'] === 'number' ? params['cols'] : terminal?.screen.cols;
  if (redactor === undefined) return undefined;
  const shown = terminal === undefined ? [] : secretsShown(redactor, terminal.screen, [params, given]);
  const rows = terminal && new MaskedRows(redactor, terminal.screen);
  const size = { cols: cols ?? DEFAULT_COLS, rows: terminal?.screen.rows };
  return new Masking(new ShownSecrets(redactor, shown), size, rows);
}

/** A new terminal may be gone by now. Undefined where the request has no environment. */
function ofNewProgram({ config }: Core, { env }: ReplyFields): HasParts | undefined {
  if (typeof env !== 'object' || env === null) return undefined;
  const parts = new Parts();
  parts.part(SECRET_VARIABLES).value = namedVariables(config.redact, env as Variables);
  return parts;
}

interface Answer {
  readonly reply: ReplyFields;
  readonly bytes?: readonly Uint8Array[];
  readonly encoded?: EncodedReply<ReplyFields>['encoded'] | undefined;
}

function isWithBytes(answer: Answer | ReplyFields): answer is Answer {
  return typeof answer['reply' as never] === 'object';
}

function decoded(encoded: EncodedReply<ReplyFields>['encoded']): ReplyFields {
  const parsed = Object.entries(encoded).map(([name, pieces]) => [name, JSON.parse(Buffer.concat(pieces).toString())]);
  return Object.fromEntries(parsed) as ReplyFields;
}

class Masking {
  readonly #redactor: SecretFinder;
  readonly #size: { readonly cols: number; readonly rows: number | undefined };
  readonly #rows: MaskedRows | undefined;
  #count = 0;

  /** @param rows of the terminal, if one is meant */
  constructor(
    redactor: SecretFinder,
    size: { readonly cols: number; readonly rows: number | undefined },
    rows: MaskedRows | undefined,
  ) {
    this.#redactor = redactor;
    this.#size = size;
    this.#rows = rows;
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
      Object.entries(value).map(([name, each]) => [
        name,
        kept.has(name) && typeof each === 'string' ? each : this.value(name === 'lines' ? this.#rowsOf(value) : each),
      ]),
    );
  }

  #rowsOf(reply: object): unknown {
    const { lines } = reply as { readonly lines?: unknown };
    const areTexts = Array.isArray(lines) && lines.every((line) => typeof line === 'string');
    return areTexts && this.#rows !== undefined ? this.#rows.masked(reply as { lines: string[] }) : lines;
  }

  bytes(bytes: readonly Uint8Array[]): readonly Uint8Array[] {
    const text = Buffer.concat(bytes).toString('utf8');
    const masked = this.#output(text);
    return masked === text ? bytes : [Buffer.from(masked)];
  }

  counted(reply: ReplyFields): ReplyFields {
    const count = Math.max(this.#count, Math.min(1, this.#rows?.count ?? 0));
    return count === 0 ? reply : { ...reply, masked: count };
  }

  #text(text: string): string {
    const masked = this.#redactor.mask(text);
    this.#count += masked.count;
    return masked.text;
  }

  #lines(lines: readonly string[]): readonly string[] {
    return this.#output(lines.join('\r\n')).split('\r\n');
  }

  /** The end of a key makes one of the lines before it, also where its beginning is not among them. */
  #output(output: string): string {
    const end = output.search(PRIVATE_KEY_END);
    const begin = output.search(PRIVATE_KEY_BEGIN);
    if (end === -1 || (begin !== -1 && begin < end)) return this.#lineByLine(output);
    const lines = output.slice(0, end).split('\n');
    const start = lines.slice(0, -MAX_PRIVATE_KEY_LINES).reduce((sum, line) => sum + line.length + 1, 0);
    const opened = this.#lineByLine(KEY_BEGINS + output.slice(start)).slice(KEY_BEGINS.length);
    return this.#lineByLine(output.slice(0, start)) + opened;
  }

  #lineByLine(output: string): string {
    const masked = maskedOutput(this.#redactor, this.#size.cols, output, this.#size);
    this.#count += masked.count;
    return masked.text;
  }
}
