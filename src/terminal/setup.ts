/** What a terminal is created from: the checked fields of its request, and the configuration. */
import type { ScreenOptions } from '../vt/screen.js';
import type { MarkSeed } from './shell/mark-proofs.js';
import type { PtyOptions, PtyPart } from './pty/pty.js';

export interface TerminalSetup {
  readonly id: string;
  readonly pty: PtyOptions;
  /** As in the request, for listings. */
  readonly command: readonly string[];
  readonly screen: ScreenOptions;
  /** Set by the request; undefined follows the configuration. */
  readonly idleTimeoutMs: number | undefined;
  readonly defaultIdleTimeoutMs: number;
  readonly title: string | undefined;
  readonly maxWaits: number;
  /** Folder of the scripts that are injected into shells. */
  readonly shellScripts: string;
  /** Whether the program is a shell that was started with them. */
  readonly hasIntegratedShell: boolean;
  /** It would be, were their folder there. */
  readonly lacksScripts?: boolean;
  /** Of the proofs of its marks, anew for each start. */
  readonly markSeed?: {
    readonly seed: MarkSeed | undefined;
    readonly isCounted: boolean;
    readonly failure: string | undefined;
    readonly path: string;
    renew(): void;
    /** It has been read, or nobody will read it. */
    remove(): void;
  };
  /** Whether it is a shell that does not mark the starts of its commands. */
  readonly marksNoStarts?: boolean;
  /** In place of a pseudoterminal, and the file that it reads; see opening/. */
  readonly source?: PtyPart;
  readonly recording?: string;
}
