/**
 * Messages between the daemon and its reader thread. A PTY has a number of its own: its descriptor's number may be
 * reused by the time that the last report about it arrives.
 */
export type ReaderRequest =
  | {
      readonly kind: 'open';
      readonly pty: number;
      readonly fd: number;
      readonly windowBytes: number;
      /** As after `hold`. */
      readonly isHeld: boolean;
    }
  /** With used-up memory of earlier output. */
  | {
      readonly kind: 'acknowledge';
      readonly pty: number;
      readonly bytes: number;
      readonly buffers: readonly ArrayBuffer[];
    }
  /** Read what the kernel has by now; answered by `caught_up`, after the `data`. */
  | { readonly kind: 'catch_up'; readonly pty: number }
  /** Read nothing until `resume`; answered by `held`, after the `data`. */
  | { readonly kind: 'hold'; readonly pty: number }
  | { readonly kind: 'resume'; readonly pty: number }
  /** Close the descriptor, and leave what is unread to another process that has it; answered by `finished`. */
  | { readonly kind: 'release'; readonly pty: number }
  | { readonly kind: 'finish'; readonly pty: number };

export type ReaderReport =
  | { readonly kind: 'data'; readonly pty: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'caught_up' | 'held'; readonly pty: number }
  /** This PTY cannot be read any more; its descriptor stays open until `finish`. */
  | { readonly kind: 'failed'; readonly pty: number; readonly reason: string }
  /** The last report about this PTY; its descriptor is closed. */
  | { readonly kind: 'finished'; readonly pty: number }
  /** An error of the thread outside of any PTY. The thread continues. */
  | { readonly kind: 'fault'; readonly reason: string };
