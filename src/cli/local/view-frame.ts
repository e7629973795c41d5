/** What `view` has on the person's screen: rows that stand there already are not written again. */
import type { Reply } from '../../protocol/registry.js';
import type { Host } from '../host.js';

/** Terminals that know it show the whole frame at once. */
const BEGIN = '\x1b[?2026h\x1b[?25l';
const END = '\x1b[?2026l';

const DEFAULT_ROWS = 24;

export class ViewFrame {
  readonly #host: Host;
  #drawn: readonly string[] = [];
  #size = '';

  constructor(host: Host) {
    this.#host = host;
  }

  draw(screen: Pick<Reply<'text'>, 'lines' | 'cursor'>, status: string): void {
    const cols = this.#host.columns() ?? 80;
    const rows = this.#host.rows() ?? DEFAULT_ROWS;
    const resized = `${cols}x${rows}` !== this.#size;
    this.#size = `${cols}x${rows}`;
    const visible = screen.lines.slice(0, rows - 1);
    const lines = [...visible, ...Array.from({ length: rows - 1 - visible.length }, () => '')];
    lines.push(`\x1b[7m${status.slice(0, cols).padEnd(cols)}\x1b[0m`);
    const changed = lines.flatMap((line, row) => (resized || line !== this.#drawn[row] ? [rowOf(row, line)] : []));
    this.#drawn = lines;
    const { row, col, visible: shown } = screen.cursor;
    const cursor = shown && row < rows - 1 && col < cols ? `\x1b[${row + 1};${col + 1}H\x1b[?25h` : '';
    // As bytes: text for a person's terminal is stripped of control sequences, and these are our own.
    this.#host.out(Buffer.from(`${BEGIN}${resized ? '\x1b[2J' : ''}${changed.join('')}${cursor}${END}`));
  }
}

/** The rest of the row is erased first: what the row's own last cell holds would go with it otherwise. */
function rowOf(row: number, line: string): string {
  return `\x1b[${row + 1};1H\x1b[0m\x1b[K${line}`;
}
