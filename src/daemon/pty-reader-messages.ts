/** What the daemon and its reader thread say to each other. A PTY is named by its master's descriptor while that is open. */
export type ReaderRequest =
  | { readonly kind: 'open'; readonly fd: number }
  | { readonly kind: 'acknowledge'; readonly fd: number; readonly bytes: number }
  | { readonly kind: 'finish'; readonly fd: number };

export type ReaderReport =
  | { readonly kind: 'data'; readonly fd: number; readonly bytes: Uint8Array<ArrayBuffer> }
  /** The last report of this descriptor, which is closed by now. */
  | { readonly kind: 'finished'; readonly fd: number };
