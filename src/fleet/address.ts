/** `host/terminal`: a terminal of another host. Names of terminals hold no "/". */

export interface Address {
  /** Undefined: the daemon that is asked anyway. */
  readonly host: string | undefined;
  readonly id: string;
}

/** The daemon of this user on this machine. */
export const LOCAL = 'local';

/** vtr's form `host:terminal` is understood as well. */
export function parseAddress(text: string): Address {
  const end = text.search(/[/:]/);
  return end <= 0 ? { host: undefined, id: text } : { host: text.slice(0, end), id: text.slice(end + 1) };
}
