/**
 * What the daemon and its reader thread say to each other. A PTY has a number of its own: its descriptor's number may be
 * another PTY's by the time that the last report about it arrives.
 */
export type ReaderRequest =
  | { readonly kind: 'open'; readonly pty: number; readonly fd: number; readonly windowBytes: number }
  /** With memory that came with earlier output and is used up. */
  | {
      readonly kind: 'acknowledge';
      readonly pty: number;
      readonly bytes: number;
      readonly buffers: readonly ArrayBuffer[];
    }
  /** Read what the kernel has by now; answered by `caught_up`, after the `data` of it. */
  | { readonly kind: 'catch_up'; readonly pty: number }
  | { readonly kind: 'finish'; readonly pty: number };

export type ReaderReport =
  | { readonly kind: 'data'; readonly pty: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'caught_up'; readonly pty: number }
  /** This PTY cannot be read any more; its descriptor stays open until `finish`. */
  | { readonly kind: 'failed'; readonly pty: number; readonly reason: string }
  /** The last report of this PTY, whose descriptor is closed by now. */
  | { readonly kind: 'finished'; readonly pty: number }
  /** A defect that is no PTY's. The thread goes on. */
  | { readonly kind: 'fault'; readonly reason: string };
