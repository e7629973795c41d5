/**
 * The commands of a shell that marks its prompts and the status of the command before each, but no starts (dash, ash, ksh):
 * their starts, from the submitted lines and the text that the screen shows behind the prompt. These starts go to the
 * shell's reducer (shell-reducer.ts) as marks of the same shell. A part of its own, since it compares text with the screen
 * at the instants of parsing, which no reducer can do from values.
 *
 * A line editor draws each line behind its prompt. Without one the kernel echoes a line when it comes, so one that was
 * typed ahead stands anywhere above. A text is reported only if the screen shows it, or if the shell was seen to read
 * with echo on: text that was typed at a hidden prompt is never taken for a command.
 */
import type { OscSequence } from '../../events/osc-notices.js';
import type { FollowedLine } from './followed-places.js';
import { isCut, isEdited, isPartOf, isShownAs, mayBeDrawn, shownLine, withoutErased } from './shown-text.js';
import { type FrozenTypedLines, type TypedLine, TypedLines, UNKNOWN_LINE } from './typed-lines.js';
import { followSegments, type TypedPlace, type TypedScreen, type TypedSegment } from './typed-segment.js';

export type { TypedPlace, TypedScreen };

export interface TypedStart extends OscSequence {
  /** Where its output begins. */
  readonly line: number | undefined;
  readonly col: number;
  /** How long it has run by now. */
  readonly agoMs: number;
  readonly drawnAt: number | undefined;
  /** The place is that of the moment in which Enter was seen. */
  readonly isAfterEnter: boolean;
  /** What stands before the output in its row. */
  readonly lead?: string;
}

/** Times are ages. */
export interface FrozenTypedCommands {
  readonly aid: string | undefined;
  readonly segments: readonly (Omit<TypedSegment, 'atMs'> & { readonly agoMs: number })[];
  readonly lines: FrozenTypedLines;
  readonly editor: 'own' | 'kernel' | undefined;
  readonly isExpected: boolean;
}

/** A line at a prompt. */
export class TypedCommands {
  readonly #screen: TypedScreen;
  readonly #now: () => number;
  readonly #onEntered: () => void;
  #aid: string | undefined;
  /** The prompt and the prompts for more after it; none while something runs. */
  #segments: TypedSegment[] = [];
  /** Submitted, and not known to have been read. */
  readonly #lines: TypedLines;
  /** The line editor: the shell's own or the kernel's; unknown until the shell was seen reading. */
  #editor: 'own' | 'kernel' | undefined;
  /** The shell that is about to be announced marks no starts: what is typed already may be its first commands. */
  #isExpected = false;

  /** @param onEntered Enter is on the screen */
  constructor(screen: TypedScreen, now: () => number, onEntered = () => {}) {
    this.#screen = screen;
    this.#onEntered = onEntered;
    this.#now = now;
    this.#lines = new TypedLines(now);
  }

  freeze(): FrozenTypedCommands {
    const segments = this.#segments.map(({ atMs, ...rest }) => ({ ...rest, agoMs: this.#now() - atMs }));
    const lines = this.#lines.freeze();
    return { aid: this.#aid, segments, lines, editor: this.#editor, isExpected: this.#isExpected };
  }

  restore({ aid, segments, lines, editor, isExpected }: FrozenTypedCommands): void {
    this.#aid = aid;
    this.#segments = segments.map(({ agoMs, ...rest }) => ({ ...rest, atMs: this.#now() - agoMs }));
    this.#lines.restore(lines);
    this.#editor = editor;
    this.#isExpected = isExpected;
  }

  /** A shell that marks no starts is there. */
  get isOn(): boolean {
    return this.#aid !== undefined;
  }

  /** Its process, by its own marks. */
  get pid(): number | undefined {
    return this.#aid === undefined ? undefined : Number(this.#aid);
  }

  get isAtPrompt(): boolean {
    return this.#segments.length === 1;
  }

  /** A line was submitted at the prompt, and the shell has neither asked for more nor marked the end of the command. */
  get isPending(): boolean {
    return this.#segments.length > 0 && this.#lines.count >= this.#segments.length;
  }

  /** The shell has asked for the rest of a command. */
  get asksForMore(): boolean {
    return this.#segments.length > 1 && !this.isPending;
  }

  /** Enter is on the screen: what was submitted last is being run, or the prompt for more is on its way. */
  get isEntered(): boolean {
    return this.isPending && this.#segments.at(-1)?.read !== undefined;
  }

  /** Enter is on its way to the screen. */
  get awaitsEnter(): boolean {
    return this.isPending && this.#segments.at(-1)?.read === undefined;
  }

  /** Something was printed since Enter, and not as echo of more lines: the prompt for more cannot follow any more. */
  get hasPrinted(): boolean {
    const end = this.#segments.at(-1)?.read?.end;
    const isAhead = this.#lines.count > this.#segments.length || this.#lines.hasPartial;
    const { line, col } = this.#screen.cursor;
    if (!this.isEntered || isAhead || end === undefined || line === undefined) return false;
    return line > end || (line === end && col > 0);
  }

  /** To be called with each message before any other part is. @returns a start that comes before it */
  onOsc(message: OscSequence & TypedPlace): TypedStart | undefined {
    const [mark, ...options] = message.data.split(';');
    if (message.code === 7777 && mark === 'shell') this.#announce(options);
    // An end that a program prints itself: of the command that was entered last.
    if (message.code === 7777 && mark === 'done' && this.isPending) return this.start();
    if (this.#aid === undefined || message.code !== 133 || !options.includes(`aid=${this.#aid}`)) return undefined;
    if (mark === 'D') {
      const start = this.start();
      this.#segments = [];
      return start;
    }
    if (mark === 'B') {
      this.#segments = [this.#segment(message)];
    }
    // Before the prompt for more, and after it.
    if (mark === 'P' && this.#segments.length > 0) {
      if (options.includes('at=end')) this.#segments.pop();
      // Each prompt before it was answered, if need be by a line that was not seen here.
      this.#lines.fill(this.#segments.length);
      this.#segments.push(this.#segment(message));
    }
    return undefined;
  }

  /** To be called before the input is written. @param input in Latin-1, byte by byte */
  onInput(input: string): void {
    if (!this.isOn && !this.#isExpected) return;
    if (this.isAtPrompt) this.#passPromptEnd();
    this.#lines.onInput(input, () => this.#interrupt());
  }

  /** To be called at each query that is answered, in the order of the output. */
  onAnswers(): void {
    // A line editor may ask at its prompt, and reads the answer (busybox).
    const asksItself = this.isAtPrompt && !this.isPending && this.#editor !== 'kernel';
    if (this.isOn && !asksItself) this.#lines.answered();
  }

  /** A shell that marks no starts has been started. */
  expectShell(): void {
    this.#isExpected = true;
  }

  /** The next input is known to be a command. */
  expectCommand(): void {
    // What came before was keys of a program.
    this.#lines.dropPartial();
    this.#show(true);
  }

  /** The shell has read all input and reads on at its prompt, with echo on or off. */
  onWaiting({ isRaw, isShown }: { readonly isRaw: boolean; readonly isShown: boolean }): void {
    // The lines so far are of the command whose rest it reads.
    if (this.asksForMore) return;
    this.#editor = isRaw ? 'own' : 'kernel';
    const last = this.#segments.at(-1);
    if (last !== undefined) last.isHidden = !isRaw && !isShown;
    if (this.isAtPrompt) {
      this.#passPromptEnd();
      this.#show(isShown);
    }
    // The prompts for more have answered the lines before.
    this.#lines.keep(Math.max(0, this.#segments.length - 1));
  }

  /** People add to a prompt behind its marks, and jobs print there: what stands there before anything is typed is no part of a line. */
  #passPromptEnd(): void {
    const [first] = this.#segments;
    const { line, col } = this.#screen.cursor;
    if (first === undefined || this.#lines.count > 0 || this.#lines.hasPartial) return;
    if (line === undefined || first.place.line === undefined || line < first.place.line) return;
    if (line === first.place.line && col <= first.place.col) return;
    if (this.#lines.isAnswered) first.mayHoldAnswer = true;
    first.place = { line, col };
    first.lead = this.#screen.textBefore(first.place);
  }

  /** The screen has changed. */
  onParsed(): void {
    if (!this.isPending) return;
    const last = this.#segments.at(-1);
    if (last === undefined || last.read !== undefined) return;
    const typed = withoutErased(this.#lines.at(this.#segments.length - 1) ?? '');
    const { line, col } = this.#screen.cursor;
    // Wherever the line has been scrolled to: what it says stands above the cursor.
    if (line !== undefined && col === 0 && typed.trim() !== '') {
      const above = this.#screen.textAboveCursor();
      if (above !== undefined && isShownAs(above, `${last.lead}${typed}`)) {
        this.#setRead(last, { text: typed, end: line });
        return;
      }
    }
    const read = shownLine(this.#screen, last.place, typed);
    if (read === undefined || line === undefined || line < read.end) return;
    // The rest of the line may still be to come.
    if (line > read.end || col > 0 || !isCut(read.text, typed)) this.#setRead(last, read);
  }

  #setRead(segment: TypedSegment, read: NonNullable<TypedSegment['read']>): void {
    segment.read = read;
    this.#onEntered();
  }

  /** To be called before lines are numbered anew; the returned function afterwards. */
  followPlaces(follow: (line: number) => FollowedLine): () => void {
    const followed = followSegments(this.#segments, this.#screen, follow);
    return () => {
      this.#segments = followed();
    };
  }

  /** The submitted lines run, or have run. @returns undefined if they are no command: blank, or a comment */
  start(): TypedStart | undefined {
    const segments = this.#segments;
    if (segments.length === 0) return undefined;
    const isSubmitted = this.isPending;
    this.#skipOthers(segments);
    const lines = this.#lines.take(segments.length);
    this.#segments = [];
    if (!isSubmitted || this.#aid === undefined) return undefined;
    const texts = segments.map((part, i) => this.#textOf(part, lines[i]));
    const command = texts.includes(undefined) ? undefined : texts.join('\n');
    if (command !== undefined && isBlank(command)) return undefined;
    const option = command === undefined ? '' : `;cmdline_url=${encodeURIComponent(wellFormed(command))}`;
    // It was read when both were there: the prompt and the line.
    const sinceMs = Math.max(segments.at(-1)?.atMs ?? 0, lines.at(-1)?.atMs ?? 0);
    const place = this.#outputOf(segments.at(-1), lines.at(-1)?.text ?? '');
    const drawnAt = this.#editor === 'own' ? segments[0]?.place.line : undefined;
    const agoMs = this.#now() - sinceMs;
    return { code: 133, data: `C;aid=${this.#aid}${option}`, ...place, drawnAt, agoMs };
  }

  /** The line at the prompt is the one that runs next. Lines sent before it were read by the command before. */
  #skipOthers([first, ...more]: readonly TypedSegment[]): void {
    if (first === undefined || more.length > 0) return;
    const shown = (first.read ?? this.#screen.textFrom(first.place))?.text ?? '';
    if (shown.trim() !== '') this.#lines.skipTo((text) => isShownAs(shown, text));
  }

  #segment({ line, col }: TypedPlace): TypedSegment {
    const place = { line, col };
    const lead = this.#screen.textBefore(place);
    return { place, atMs: this.#now(), lead, isHidden: false, isShown: false, mayHoldAnswer: false, read: undefined };
  }

  #show(isShown: boolean): void {
    const last = this.#segments.at(-1);
    if (last !== undefined) last.isShown = isShown;
  }

  #announce(options: readonly string[]): void {
    const aid = options.find((field) => field.startsWith('aid='))?.slice('aid='.length);
    this.#isExpected = false;
    // Its prompt may get its marks back.
    if (options.some((field) => field.startsWith('off='))) return;
    this.#aid = options.includes('starts=none') ? aid : undefined;
    this.#segments = [];
    this.#editor = undefined;
    if (this.#aid === undefined) this.#lines.keep(0);
    // Its start-up files may have read any of several lines.
    if (this.#lines.count > 1) this.#lines.forgetTexts();
  }

  /** Drops the text typed ahead, but not the command that runs already. */
  #interrupt(): void {
    // The next prompt is one for a new command.
    if (this.asksForMore) this.#segments = [];
    this.#lines.keep(this.isPending ? this.#segments.length : 0);
    this.#lines.dropPartial();
  }

  /** @returns undefined if unknown */
  #textOf(
    { place, read, isShown, isHidden, mayHoldAnswer }: TypedSegment,
    line: TypedLine | undefined,
  ): string | undefined {
    const { text: typed = '', isAnswered = false } = line ?? {};
    // The kernel has shown it where the cursor was.
    if (mayHoldAnswer || (isAnswered && this.#editor !== 'own')) return undefined;
    // What stands there is output.
    if (isHidden && isEdited(typed)) return undefined;
    const left = withoutErased(typed);
    const shown = (read ?? shownLine(this.#screen, place, left))?.text.trimEnd();
    if (shown !== undefined && isShownAs(shown, left)) return left.trim() === '' ? '' : left.trimEnd();
    if (shown !== undefined && shown.trim() !== '' && (isEdited(typed) || this.#editor === 'own')) {
      // Behind it may stand a prompt of the right side, or one that was shifted.
      if (!isEdited(left) && isPartOf(shown, left)) return left.trimEnd();
      return mayBeDrawn(shown, typed) ? undefined : shown;
    }
    if (typed === UNKNOWN_LINE) return undefined;
    if (isEdited(typed)) return shown;
    if (typed.trim() === '') return '';
    return isShown || this.#screen.showsBefore(place, typed.trimEnd()) ? typed.trimEnd() : undefined;
  }

  /** After the line as it stands behind its prompt; at the prompt where the line had been echoed before. */
  #outputOf(last: TypedSegment | undefined, typed: string): TypedPlace & Pick<TypedStart, 'lead' | 'isAfterEnter'> {
    const read =
      last === undefined ? undefined : (last.read ?? shownLine(this.#screen, last.place, withoutErased(typed)));
    if (last === undefined || read === undefined) return { line: undefined, col: 0, isAfterEnter: false };
    // What stands before it was put behind the marks of the prompt.
    const isBehind = typed.trim() !== '' && read.text.trimEnd().endsWith(` ${typed.trim()}`);
    const isFollowed = typed.trim() !== '' && read.text.startsWith(typed.trimEnd());
    const isShownThere = isBehind || isFollowed || isEdited(typed) || isShownAs(read.text, typed);
    const isEchoedThere = !last.isHidden && (this.#editor === 'own' || isShownThere);
    return isEchoedThere
      ? { line: read.end, col: 0, isAfterEnter: read === last.read }
      : { ...last.place, lead: last.lead, isAfterEnter: false };
  }
}

/** Half a pair of surrogates is no character. */
function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}

function isBlank(command: string): boolean {
  return command.split('\n').every((line) => /^\s*(?:#.*)?$/.test(line));
}
