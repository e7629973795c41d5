/** What a link opens: all that the page may do, all of it to look at, or one terminal to look at. Pure. */
import { T4aError } from '../protocol/errors.js';

/** A terminal of that name that is made later is another one. */
export interface OneTerminal {
  readonly daemon: string;
  readonly id: string;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
}

export interface LinkScope {
  readonly isReadOnly: boolean;
  readonly terminal?: OneTerminal;
}

export const WHOLE: LinkScope = { isReadOnly: false };
export const LOOK: LinkScope = { isReadOnly: true };

/** Each names its terminal in `id`. */
const LOOKS: readonly string[] = ['watch', 'text', 'grep', 'status'];

type Fields = Readonly<Record<string, unknown>> & { readonly cmd: string };

/** A request of a page of one terminal: as its daemon gets it, the fields of a reply that needs no daemon, or a refusal. */
export type Narrowed = { readonly request: object } | { readonly answer: object } | { readonly refusal: T4aError };

/** Security: what is not named here is refused, also what a later daemon understands. */
export function narrowed(fields: Fields, id: string): Narrowed {
  const { cmd, req, as } = fields;
  const envelope = { cmd, req, as };
  if (cmd === 'events') return { request: { ...envelope, shared: true, terminal: id } };
  if (cmd === 'list') return { request: { ...envelope, where: { id: [id] } } };
  // Questions are of the whole page: nobody answers them here.
  if (cmd === 'asks') return { answer: { asks: [] } };
  if (LOOKS.includes(cmd) && fields['id'] === id) return { request: fields };
  return { refusal: new T4aError('not_allowed', `The link of this page opens "${id}" to look at, and nothing else.`) };
}
