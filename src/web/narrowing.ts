/** Requests of a page of one terminal, each narrowed to that. Pure. */
import { T4aError } from '../protocol/errors.js';

/** Each names its terminal in `id`. */
const LOOKS: readonly string[] = ['watch', 'text', 'grep', 'status'];

type Fields = Readonly<Record<string, unknown>> & { readonly cmd: string };

/** A request of a page of one terminal: as its daemon gets it, the fields of a reply that needs no daemon, or a refusal. */
export type Narrowed = { readonly request: object } | { readonly answer: object } | { readonly refusal: T4aError };

export class Narrowing {
  readonly #id: string;
  /** Of its removal. */
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
  if (LOOKS.includes(cmd) && fields['id'] === id) return { request: fields };
  return { refusal: new T4aError('not_allowed', `The link of this page opens "${id}" to look at, and nothing else.`) };
}
