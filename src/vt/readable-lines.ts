/** The lines that a text is read from: of the screen that is shown, or of the main screen behind the alternate one. */
import type { ReadableScreen } from './readable-screen.js';
import type { SnapshotRow } from './snapshot.js';

export type ReadableLines = Pick<
  ReadableScreen,
  | 'cols'
  | 'rows'
  | 'rev'
  | 'facts'
  | 'altScreen'
  | 'totalLines'
  | 'scrollbackLines'
  | 'firstLineNumber'
  | 'firstShownNumber'
  | 'revisionFloor'
  | 'lineRevision'
  | 'row'
  | 'lineText'
  | 'continuesLine'
>;

/** The main screen while the alternate one is shown. A change of it counts from now: its revisions are those of the alternate screen. */
export class MainLines implements ReadableLines {
  readonly altScreen = false;
  readonly #screen: ReadableScreen;

  constructor(screen: ReadableScreen) {
    this.#screen = screen;
  }

  get cols(): number {
    return this.#screen.cols;
  }

  get rows(): number {
    return this.#screen.rows;
  }

  get rev(): number {
    return this.#screen.rev;
  }

  /** Facts with the place at which the cursor waits for the return. */
  get facts(): ReadableScreen['facts'] {
    const { facts, normalCursor } = this.#screen;
    return { ...facts, altScreen: false, cursor: { ...facts.cursor, ...normalCursor } };
  }

  get totalLines(): number {
    return this.scrollbackLines + this.rows;
  }

  get scrollbackLines(): number {
    return this.#screen.normalScrollbackLines;
  }

  get firstLineNumber(): number {
    return this.#screen.firstLineNumber;
  }

  get firstShownNumber(): number {
    return this.#screen.firstLineNumber;
  }

  get revisionFloor(): number {
    return this.#screen.revisionFloor;
  }

  lineRevision(): number {
    return this.rev;
  }

  row(index: number): SnapshotRow | undefined {
    return this.#screen.row(index, 'normal');
  }

  lineText(index: number, options: { readonly trim?: boolean } = {}): string | undefined {
    return this.#screen.lineText(index, { ...options, of: 'normal' });
  }

  continuesLine(index: number): boolean {
    return this.#screen.continuesLine(index, 'normal');
  }
}
