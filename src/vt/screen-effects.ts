/**
 * Effects of a program beyond the grid: bells, titles, replies, OSC messages, screen switches, unknown sequences.
 *
 * Handlers run in the middle of a parse, when the grid is half drawn. So effects are only recorded here, in order, and
 * taken once the whole slice that caused them is on the screen.
 */
import { ownCopy } from '../base/own-copy.js';
import { MAX_HEAD_LENGTH } from './xterm/control-strings.js';
import type { Emulator } from './xterm/emulator.js';
import type { LineNumbers } from './rows/line-numbers.js';
import { type FrozenWrittenRows, WrittenRows } from './rows/written-rows.js';
import { noteQueries, paramsText } from './replies/queries.js';
import type { UnknownSequence } from './replies/sequences.js';
import type { ModesMoment } from './input-modes.js';
import { pictureProtocol } from './replies/unshown-pictures.js';
import { noteUnknownModes } from './replies/unknown-modes.js';
import type { RowChange } from './snapshot.js';

export interface OscMessage {
  readonly code: number;
  readonly data: string;
  /** Lasting number of the line of the cursor: see {@link LineNumbers}. */
  readonly line: number | undefined;
  readonly col: number;
  /** Modes at the mark of a shell. */
  readonly modes?: ModesMoment;
  /** Bytes of the terminator of a report of status, whose length is bounded with its end. */
  readonly terminatorBytes?: number;
}

export type ScreenEffect =
  | { readonly kind: 'reply'; readonly bytes: string }
  | { readonly kind: 'bell' }
  | { readonly kind: 'title'; readonly title: string }
  | { readonly kind: 'osc'; readonly message: OscMessage }
  | { readonly kind: 'alt-screen'; readonly on: boolean }
  /** RIS. */
  | { readonly kind: 'reset' }
  | { readonly kind: 'rows'; readonly change: RowChange }
  /** Comes before the replies to it. */
  | { readonly kind: 'query'; readonly sequence: UnknownSequence }
  | { readonly kind: 'unknown'; readonly sequence: UnknownSequence };

/** Number of reports of programs on what they do: see events/status/report.ts. */
const STATUS = 7501;

/** Messages for other consumers than the grid: cwd, notifications, progress, clipboard, shell marks, iTerm's. */
const OSC_MESSAGES: readonly number[] = [7, 9, 52, 99, 133, 633, 777, 1337, STATUS, 7777];

/** https://iterm2.com/documentation-images.html */
const ITERM = 1337;
const ITERM_PICTURE = /^(?:Multipart)?File=/;

/** Numbers of the marks of shells. */
const MARKS: ReadonlySet<number> = new Set([133, 633, 7777]);

export class ScreenEffects {
  #effects: ScreenEffect[] = [];
  #altScreen = false;
  readonly #emulator: Emulator;
  readonly #lineNumbers: LineNumbers;
  readonly #rows: WrittenRows;
  modesAt: (() => ModesMoment) | undefined;

  constructor(emulator: Emulator, lineNumbers: LineNumbers) {
    this.#emulator = emulator;
    this.#lineNumbers = lineNumbers;
    this.#rows = new WrittenRows(emulator, lineNumbers, (change) => this.#noteRows(change));
    const { terminal } = emulator;
    terminal.onData((bytes) => this.reply(bytes));
    terminal.onBell(() => void this.#effects.push({ kind: 'bell' }));
    terminal.onTitleChange((title) => void this.#effects.push({ kind: 'title', title }));
    terminal.buffer.onBufferChange(() => this.#noteScreen());
    for (const code of OSC_MESSAGES) {
      emulator.onOsc(code, (data) => {
        const { x: col, y } = emulator.buffer;
        const isMark = MARKS.has(code);
        if (isMark) this.#rows.mark();
        const modes = isMark ? this.modesAt?.() : undefined;
        const line = this.#lineNumbers.shownNumberOf(y);
        const terminatorBytes = code === STATUS ? emulator.controlStrings.oscTerminator.length : undefined;
        const message = {
          code,
          data,
          line,
          col,
          ...(modes === undefined ? {} : { modes }),
          ...(terminatorBytes === undefined ? {} : { terminatorBytes }),
        };
        this.#effects.push({ kind: 'osc', message });
        if (code === ITERM && ITERM_PICTURE.test(data)) this.#noteUnknown('osc', `${code};${data}`);
        return true;
      });
    }
    emulator.onEsc({ final: 'c' }, () => {
      this.#rows.beforeReset();
      this.#effects.push({ kind: 'reset' });
      return false;
    });
    this.#noteUnknownSequences();
  }

  /** Call it once all handlers that answer are registered. */
  noteQueries(): void {
    noteQueries(this.#emulator, ({ kind, text }) => {
      this.#effects.push({ kind: 'query', sequence: { kind, text: headOf(text) } });
    });
  }

  /** Consecutive replies are joined. */
  reply(bytes: string): void {
    if (bytes === '') return;
    const last = this.#effects.at(-1);
    if (last?.kind === 'reply') this.#effects[this.#effects.length - 1] = { kind: 'reply', bytes: last.bytes + bytes };
    else this.#effects.push({ kind: 'reply', bytes });
  }

  /** All effects since the last call, in the order of the bytes that caused them. */
  take(): readonly ScreenEffect[] {
    this.#rows.flush();
    const effects = this.#effects;
    if (effects.length > 0) this.#effects = [];
    return effects;
  }

  /** Reports from here on what becomes of the rows, as after a mark of a shell. */
  watchRows(): void {
    this.#rows.mark();
  }

  /** Rows that are watched; undefined if none are. */
  freezeRows(): FrozenWrittenRows | undefined {
    return this.#rows.freeze();
  }

  restoreRows(frozen: FrozenWrittenRows): void {
    this.#rows.restore(frozen);
  }

  /** To be called before lines are numbered anew; the returned function afterwards. */
  followRows(): () => void {
    return this.#rows.follow();
  }

  /** Consecutive shifts of the same rows are joined, if their blank rows come first. */
  #noteRows(change: RowChange): void {
    const last = this.#effects.at(-1);
    if (change.change === 'shifted' && last?.kind === 'rows' && last.change.change === 'shifted') {
      const { top, bottom, count, blank } = last.change;
      const isInOrder = change.blank === 0 || blank === Math.abs(count);
      if (top === change.top && bottom === change.bottom && count > 0 === change.count > 0 && isInOrder) {
        const joined = { ...change, count: count + change.count, blank: blank + change.blank };
        this.#effects[this.#effects.length - 1] = { kind: 'rows', change: joined };
        return;
      }
    }
    this.#effects.push({ kind: 'rows', change });
  }

  #noteScreen(): void {
    const on = this.#emulator.altScreen;
    if (on === this.#altScreen) return;
    this.#altScreen = on;
    this.#effects.push({ kind: 'alt-screen', on });
  }

  #noteUnknown(kind: UnknownSequence['kind'], text: string): void {
    const protocol = pictureProtocol(kind, text);
    const line = protocol && this.#lineNumbers.shownNumberOf(this.#emulator.buffer.y);
    const picture = protocol === undefined || line === undefined ? undefined : { protocol, line };
    this.#effects.push({ kind: 'unknown', sequence: { kind, text: headOf(text), picture } });
  }

  #noteUnknownSequences(): void {
    noteUnknownModes(this.#emulator, (sequence) => void this.#effects.push({ kind: 'unknown', sequence }));
    const parser = this.#emulator.internals._inputHandler._parser;
    const note = (kind: UnknownSequence['kind'], text: string) => this.#noteUnknown(kind, text);
    parser.setCsiHandlerFallback((identifier, params) => {
      const name = parser.identToString(identifier);
      const prefix = /^[<=>?]/.exec(name)?.[0] ?? '';
      note('csi', prefix + paramsText(params.toArray()) + name.slice(prefix.length));
    });
    parser.setEscHandlerFallback((identifier) => note('esc', parser.identToString(identifier)));
    this.#emulator.controlStrings.onUnhandled = note;
  }
}

function headOf(text: string): string {
  return ownCopy(text.slice(0, MAX_HEAD_LENGTH));
}
