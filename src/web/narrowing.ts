/** Requests of a page of one terminal, each narrowed to that. Pure. */
import { quote, refusal, type T4aError } from '../protocol/errors.js';

const OF_LINES = ['region', 'at', 'last', 'max', 'max_lines', 'max_bytes'];

/** Each names its terminal in `id`. The fields that it takes beside that; what waits hears of events of others. */
const LOOKS: ReadonlyMap<string, readonly string[]> = new Map([
  ['watch', ['since', 'state', 'gather_ms', 'timeout_ms', 'at']],
  [
    'text',
    [...OF_LINES, 'start', 'end', 'trim', 'command', 'format', 'from_line', 'join_wrapped', 'highlights', 'links'],
  ],
  ['grep', [...OF_LINES, 'pattern', 'fixed', 'ignore_case', 'before', 'after', 'context']],
  ['status', []],
]);
const OF_ALL: readonly string[] = ['cmd', 'req', 'as', 'id'];

type Fields = Readonly<Record<string, unknown>> & { readonly cmd: string };

/** A request of a page of one terminal: as its daemon gets it, the fields of a reply that needs no daemon, or a refusal. */
export type Narrowed = { readonly request: object } | { readonly answer: object } | { readonly refusal: T4aError };

export class Narrowing {
  readonly #id: string;
  /** Whether it hears of the terminal's removal. */
  #hears = false;

  /** @param id of the terminal */
  constructor(id: string) {
    this.#id = id;
  }

  /** Undefined for a request before that for events: the page would not hear that its terminal is no more. */
  take(fields: Fields): Narrowed | undefined {
    this.#hears ||= fields.cmd === 'events';
    return this.#hears ? narrowed(fields, this.#id) : undefined;
  }
}

/** Security: what is not named here is refused, also what a later daemon understands. */
function narrowed(fields: Fields, id: string): Narrowed {
  const { cmd, req, as } = fields;
  const envelope = { cmd, req, as };
  if (cmd === 'events') return { request: { ...envelope, shared: true, terminal: id } };
  if (cmd === 'list') return { request: { ...envelope, where: { id: [id] } } };
  // Questions are of the whole page: nobody answers them here.
  if (cmd === 'asks') return { answer: { asks: [] } };
  const taken = LOOKS.get(cmd);
  if (taken !== undefined && fields['id'] === id) {
    const other = Object.keys(fields).find((field) => !OF_ALL.includes(field) && !taken.includes(field));
    return other === undefined ? { request: fields } : { refusal: notTaken(other, cmd) };
  }
  return { refusal: refusal('not_allowed', `The link of this page opens "${id}" to look at, and nothing else.`) };
}

function notTaken(field: string, cmd: string): T4aError {
  return refusal('not_allowed', `The link of this page takes no ${quote(field)} of "${cmd}".`);
}

type Header = Readonly<Record<string, unknown>>;

/** A reply or an event without the name of another terminal. */
export function withoutParents<Any extends Header>(header: Any): Any {
  const { parent: _, ...own } = header;
  const { terminals } = header as { readonly terminals?: unknown };
  const told = Array.isArray(terminals) ? { terminals: (terminals as Header[]).map(withoutParents) } : {};
  return { ...own, ...told } as unknown as Any;
}
