/** A screen as it was: begun by a keyframe, or by a size alone, and brought forward by the slices that followed. It has no effects. */
import { OutputParser } from './parsing/output-parser.js';
import { type Keyframe, ReadableScreen } from './readable-screen.js';
import type { ScreenStateOptions } from './screen-state.js';
import type { ReportedColors } from './snapshot.js';

/** Start of a past screen; a new terminal if there is no keyframe. */
export type PastScreenStart = Pick<Keyframe, 'cols' | 'rows'> &
  Partial<Keyframe> &
  Pick<ScreenStateOptions, 'firstRev'>;

/** Replies are discarded, so that no theme matters. */
const NO_THEME: ReportedColors = { foreground: 0, background: 0, cursor: 0, palette: [] };

export class PastScreen extends ReadableScreen {
  readonly #parser: OutputParser;
  #disposed = false;

  /** @param scrollback lines that are kept above the viewport, of those that later slices push there */
  constructor({ cols, rows, state, firstLine = 0, firstRev }: PastScreenStart, scrollback: number) {
    super({ cols, rows, scrollback, colors: NO_THEME, version: '', firstRev });
    this.#parser = new OutputParser(this.emulator);
    if (state === undefined) return;
    this.lineNumbers.restore(firstLine);
    this.state.restore(state);
    this.effects.take();
  }

  protected get isMidCharacter(): boolean {
    return this.#parser.isMidCharacter;
  }

  /** @param bytes as they were parsed at one go @returns whether anything visible changed */
  apply(bytes: Uint8Array): boolean {
    this.state.beforeChange();
    // As on the live screen: what a fault loses is lost, and the rest is parsed.
    for (let at = 0; at < bytes.length;) at += this.#parser.parse(bytes.subarray(at), []).taken;
    this.effects.take();
    return this.state.update();
  }

  /** Gives it a size that the live screen had. */
  resize(cols: number, rows: number): void {
    this.state.beforeChange();
    this.lineNumbers.keepAnchors(() => this.emulator.resize(cols, rows));
    this.effects.take();
    this.state.update();
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.emulator.dispose();
    this.clearListeners();
  }
}
