/**
 * The lines above the screen and the screen itself, to be read, searched and copied: by their lasting numbers, so that what is
 * being read stays while the program prints.
 */
import type { DaemonConnection } from '../client/connection.js';
import type { Mirror, MirrorRow } from '../mirror/mirror.js';
import type { Clipboard } from './clipboard.js';
import { Copying } from './copying.js';
import { type SearchDirection, Finder } from './finder.js';
import { CANCELLING_KEYS, LineEditor } from './line-editor.js';
import { rowsWithMarks } from './marked-rows.js';
import type { MouseFields } from './mouse-report.js';
import type { Panel } from './panel.js';
import type { Size } from '../mirror/fit.js';
import { columnMove, COPYING, ESCAPE, LEAVING, ROW_MOVES, WHEEL_ROWS } from './scrollback-keys.js';
import { ScrollbackRows } from './scrollback-rows.js';
import type { Place } from './scrollback-search.js';
import { scrollbackStatus } from './scrollback-status.js';
import { ScrollbackView } from './scrollback-view.js';
import { moved, type CellPoint, type Selection } from './selection.js';
import type { StatusLine } from './status-line.js';
import { Steps } from './steps.js';

/** A command leaves room for the lines above; the mouse begins with the screen as it is seen. */
export type Opening =
  | { readonly by: 'key' }
  | { readonly by: 'wheel' | 'drag'; readonly top: number; readonly left: number };

export interface ScrollbackOptions {
  readonly connection: DaemonConnection;
  readonly id: string;
  readonly mirror: Mirror;
  readonly clipboard: Clipboard;
  readonly opening: Opening;
  /** The part that the person sees. */
  readonly window: () => Size;
  readonly onChange: () => void;
  /** Notice of an end by itself. @param notice for the person */
  readonly onEnd: (notice: string) => void;
  readonly onError: (error: unknown) => void;
}

interface TypedWords {
  readonly line: LineEditor;
  readonly direction: SearchDirection;
}

export class Scrollback implements Panel {
  readonly #options: ScrollbackOptions;
  readonly #rows: ScrollbackRows;
  readonly #finder: Finder;
  readonly #copying: Copying;
  readonly #view: ScrollbackView;
  readonly #steps: Steps;
  /** Width and kind of the screen: another one has other lines. */
  #screen: string;
  #drawn: readonly MirrorRow[] | undefined;
  #typed: TypedWords | undefined;
  #selection: Selection | undefined;
  /** Place at which a button of the mouse went down. */
  #pressed: CellPoint | undefined;
  #notice = '';

  constructor(options: ScrollbackOptions) {
    const { mirror, opening, connection, id, clipboard } = options;
    this.#options = options;
    this.#rows = new ScrollbackRows(connection, id, { from: mirror.firstLine, rows: mirror.rows });
    const reading = { connection, id, rows: this.#rows };
    this.#finder = new Finder({ ...reading, mirror });
    this.#copying = new Copying({ ...reading, clipboard, onEnd: (notice) => this.#copied(notice) });
    this.#screen = this.#screenNow;
    const changed = (): void => {
      this.#drawn = undefined;
      options.onChange();
    };
    const { onError } = options;
    const above = Math.floor(options.window().rows / 2);
    const place = opening.by === 'key' ? { top: -above, left: 0 } : opening;
    this.#view = new ScrollbackView({
      mirror,
      rows: this.#rows,
      top: mirror.firstLine + place.top,
      left: place.left,
      window: () => options.window(),
      onRead: changed,
      onError,
    });
    const onNotice = (message: string): void => {
      this.#notice = message;
    };
    this.#steps = new Steps({ onNotice, onError, onDone: changed });
  }

  get rows(): readonly MirrorRow[] {
    return (this.#drawn ??= this.#draw());
  }

  /** The first column that is seen. */
  get left(): number {
    return this.#view.left;
  }

  get status(): StatusLine {
    const { mirror } = this.#options;
    const typed = this.#typed && `${this.#typed.direction === 'down' ? '/' : '?'}${this.#typed.line.text}`;
    return scrollbackStatus({
      typed,
      question: this.#copying.question,
      notice: this.#notice,
      above: mirror.firstLine - this.#view.top,
      left: this.#view.left,
      window: this.#view.window,
      screen: { cols: mirror.state.cols, rows: mirror.rows.length },
      search: this.#finder.search,
      found: this.#finder.found,
      selection: this.#selection,
    });
  }

  get cursorCol(): number | undefined {
    return this.#typed && Array.from(this.#typed.line.text).length + 2;
  }

  overlay(): readonly string[] {
    return [];
  }

  take(key: string): boolean {
    this.#drawn = undefined;
    this.#notice = '';
    if (this.#typed !== undefined) return this.#type(this.#typed, key);
    if (this.#copying.question !== undefined) {
      this.#copying.answer(key);
      return this.#options.opening.by === 'drag';
    }
    this.#checkScreen();
    if (this.#selection === undefined) {
      if (LEAVING.has(key)) return true;
      this.#move(key);
    } else {
      if (key === 'q' || key === '\x03') return true;
      if (key === ESCAPE) return this.#deselect();
      if (COPYING.has(key)) this.#copy(this.#selection);
      else this.#extend(this.#selection, key);
    }
    if (key === '/' || key === '?') this.#typed = { line: new LineEditor(), direction: key === '/' ? 'down' : 'up' };
    else if (key === 'n' || key === 'N') this.#again(key === 'n');
    else if (key === 'v') this.#select();
    else if (key === 'y' && this.#selection === undefined) this.#notice = 'Nothing is selected: v begins.';
    return false;
  }

  mouse({ action, button, direction, row, col }: MouseFields): boolean {
    this.#drawn = undefined;
    if (action === 'scroll') return this.#turn(direction);
    if (button !== 'left' || this.#isAsking) return false;
    const place = this.#placeAt(row, col);
    if (action === 'press') {
      this.#pressed = place;
      this.#notice = '';
      return false;
    }
    const anchor = this.#pressed;
    if (anchor === undefined) return false;
    const isDragged = this.#selection?.anchor === anchor || place.line !== anchor.line || place.col !== anchor.col;
    if (isDragged) this.#selection = { anchor, cursor: place };
    if (action !== 'release') return false;
    this.#pressed = undefined;
    // A click ends what was selected before.
    if (!isDragged) return this.#deselect();
    if (this.#selection !== undefined) this.#copy(this.#selection);
    return false;
  }

  get #screenNow(): string {
    const { cols, altScreen } = this.#options.mirror.state;
    return `${cols} ${altScreen}`;
  }

  get #isAsking(): boolean {
    return this.#typed !== undefined || this.#copying.question !== undefined;
  }

  /** Drops numbers of another screen, or of another width: they mean other lines. */
  #checkScreen(): void {
    if (this.#screen === this.#screenNow) return;
    this.#screen = this.#screenNow;
    this.#view.scrollTo(this.#options.mirror.firstLine);
    this.#finder.forget();
    this.#selection = undefined;
    this.#pressed = undefined;
    this.#notice = 'The lines have changed with the screen: this is the screen.';
  }

  #move(key: string): void {
    this.#view.pan(this.#view.left + columnMove(key));
    const by = ROW_MOVES[key]?.(this.#view.window.rows) ?? 0;
    // The ends of the text begin in the first column.
    if (!Number.isFinite(by)) this.#view.pan(0);
    this.#view.scrollTo(this.#view.top + by);
  }

  #turn(direction: MouseFields['direction']): boolean {
    const by = direction === 'up' ? -WHEEL_ROWS : direction === 'down' ? WHEEL_ROWS : 0;
    const isBusy = this.#selection !== undefined || this.#isAsking;
    // Where the wheel has opened it, it leads back to the program, too.
    if (by > 0 && this.#options.opening.by === 'wheel' && this.#view.isAtEnd && !isBusy) return true;
    this.#view.scrollTo(this.#view.top + by);
    return false;
  }

  #type({ line, direction }: TypedWords, key: string): boolean {
    const isErased = line.text === '' && (key === '\x7f' || key === '\b');
    if (CANCELLING_KEYS.has(key) || isErased) this.#typed = undefined;
    else if (line.take(key) === 'done') {
      this.#typed = undefined;
      const from = this.#seenMatch ?? { row: direction === 'down' ? this.#view.top : this.#view.end, start: -1 };
      this.#steps.add(async () => {
        if (await this.#reveal(await this.#finder.begin(line.text, from, direction))) return;
        if (this.#finder.search !== undefined) this.#notice = `No match of "${this.#finder.search.words}".`;
      });
    }
    return false;
  }

  /** A search goes on from the match that is shown. */
  get #seenMatch(): Place | undefined {
    const match = this.#finder.found?.match;
    return match !== undefined && this.#view.has(match.row) ? match : undefined;
  }

  #again(isForward: boolean): void {
    this.#steps.add(async () => {
      if (!(await this.#reveal(await this.#finder.again(isForward))))
        this.#notice = 'Nothing is found: / and ? search.';
    });
  }

  /** Shows a match, whose exact place is known once its rows are read. @returns whether there is one */
  async #reveal(match: { readonly row: number } | undefined): Promise<boolean> {
    if (match === undefined) return false;
    await this.#view.reveal(match.row);
    const [span] = this.#finder.current?.spans ?? [];
    if (span === undefined) return true;
    await this.#view.reveal(this.#rows.page.from + span.row);
    const { left, window } = this.#view;
    if (span.from < left || span.to > left + window.cols) this.#view.pan(span.from - Math.floor(window.cols / 2));
    return true;
  }

  /** Begins a selection at the match that is shown, else at the first cell that is seen; a second time at the cursor. */
  #select(): void {
    const [span] = this.#finder.current?.spans ?? [];
    const line = span === undefined ? -1 : this.#rows.page.from + span.row;
    const { top, left } = this.#view;
    const first = this.#view.has(line) ? { line, col: span?.from ?? 0 } : { line: top, col: left };
    const place = this.#selection?.cursor ?? first;
    this.#selection = { anchor: place, cursor: place };
  }

  #extend(selection: Selection, key: string): void {
    const { firstLine, rows, state } = this.#options.mirror;
    const last = firstLine + rows.length - 1;
    const bounds = { oldest: this.#rows.oldest, last, cols: state.cols, seen: this.#view.window.rows };
    this.#selection = moved(selection, key, bounds);
    this.#view.follow(this.#selection.cursor.line, this.#selection.cursor.col);
  }

  /** @returns true to be closed */
  #deselect(): boolean {
    this.#selection = undefined;
    return this.#options.opening.by === 'drag';
  }

  #placeAt(row: number, col: number): CellPoint {
    const { state } = this.#options.mirror;
    const line = this.#view.shownTop + Math.min(row, this.#view.window.rows - 1);
    return { line, col: Math.min(this.#view.left + col, state.cols - 1) };
  }

  #copy(selection: Selection): void {
    const { cols } = this.#options.mirror.state;
    this.#steps.add(() => this.#copying.copy(selection, cols));
  }

  #copied(notice: string): void {
    this.#selection = undefined;
    this.#notice = notice;
    if (this.#options.opening.by === 'drag') this.#options.onEnd(notice);
  }

  #draw(): readonly MirrorRow[] {
    const { matches, current } = this.#finder;
    const { page } = this.#rows;
    const { cols } = this.#options.mirror.state;
    const shown = { page, top: this.#view.shownTop, count: this.#view.window.rows, cols };
    return rowsWithMarks({ ...shown, matches, current, selection: this.#selection });
  }
}
