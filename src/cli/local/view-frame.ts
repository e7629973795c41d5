/** Frame of `view` on the person's screen: the part of a terminal that fits, and a status line below it. */
import { FrameWriter } from '../../mirror/frame-writer.js';
import type { MirrorCursor } from '../../mirror/mirror.js';
import { OUTER, style } from '../../mirror/outer-sequences.js';
import { safeText } from '../../mirror/safe-text.js';
import type { Host } from '../host.js';

const DEFAULT_COLS = 80;
const DEFAULT_ROWS = 24;

const { alternateScreen, hiddenCursor, noAutowrap, clearScreen } = OUTER;

/** No wrapping: a long row is cut instead. */
export const ENTER_FRAME = `${alternateScreen.on}${hiddenCursor.on}${noAutowrap.on}${clearScreen.on}`;
export const LEAVE_FRAME = `${noAutowrap.off}${hiddenCursor.off}${alternateScreen.off}`;

export class ViewFrame {
  readonly #host: Host;
  readonly #writer = new FrameWriter();
  #size = '';

  constructor(host: Host) {
    this.#host = host;
  }

  get cols(): number {
    return this.#host.columns() ?? DEFAULT_COLS;
  }

  draw(
    screen: { readonly lines: readonly string[]; readonly cursor: Pick<MirrorCursor, 'row' | 'col' | 'visible'> },
    status: string,
  ): void {
    const { cols } = this;
    const rows = this.#host.rows() ?? DEFAULT_ROWS;
    if (`${cols}x${rows}` !== this.#size) this.#writer.forget();
    this.#size = `${cols}x${rows}`;
    const visible = screen.lines.slice(0, rows - 1);
    const lines = [...visible, ...Array.from({ length: rows - 1 - visible.length }, () => '')];
    lines.push(`${style('7')}${safeText(status).slice(0, cols).padEnd(cols)}${OUTER.resetStyle.on}`);
    const { row, col, visible: shown } = screen.cursor;
    const cursor = shown && row < rows - 1 && col < cols ? { row, col } : undefined;
    // As bytes: text for a person's terminal is stripped of control sequences, and these are our own.
    this.#host.out(Buffer.from(this.#writer.write({ lines, cursor })));
  }
}
