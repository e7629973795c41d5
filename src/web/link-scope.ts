/** Scope of a link: all that the page may do, all of it to look at, or one terminal to look at. Pure. */

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
