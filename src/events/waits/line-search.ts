/**
 * Searches the lines that appeared or changed since the last search. Lines in which only what was typed matches are no output: a
 * condition that is armed with an act passes over them, and returns to those of which the program's next read decides.
 */
import type { Disposable } from '../../base/lifetime.js';
import { type Changed, type FreshLine, LineScan } from '../../search/line-scan.js';
import { lineWith } from '../../search/cursor-line.js';
import { seek } from '../../search/sought-texts.js';
import type { Work } from '../../search/work.js';
import type { Evidence } from './armed-condition.js';
import { type Judged, judgedMatch, type Pattern } from './pattern.js';
import type { Searcher } from './screen-search.js';
import type { WaitContext } from './subject.js';

/** Lines that are looked at again; of more the newest. */
const MAX_HELD_LINES = 64;

export const MATCH_IS_TYPED =
  'The match is what was typed, and not output. Wait together with the act that types it, or with "fresh".';
export const MATCH_MAY_BE_TYPED = 'The match may be what was typed: nothing shows which program drew it.';
const ONLY_TYPED =
  'What was typed meets the condition, and output since then does not: the echo of input does not count.';

interface Sought extends Pattern {
  /** Texts that each match has; undefined if there are none. */
  readonly required: readonly string[] | undefined;
  readonly steps: (length: number) => number;
}

export interface Lines {
  readonly changed: Changed | undefined;
  readonly held: readonly FreshLine[];
}

export function searchLines(
  { required, steps, ...pattern }: Sought,
  { subject, fresh, echo, passesOverTyped = fresh }: WaitContext,
  recheck: () => void,
): Searcher<Lines> {
  const { screen, typed } = subject;
  // The echo of what was typed is told by where it was typed, and not by its text: what is printed there may be the same.
  const isFollowed = typed !== undefined && !screen.snapshot().altScreen;
  const scan = new LineScan(screen, fresh ? (isFollowed ? '' : echo) : undefined);
  const sought = required === undefined ? undefined : seek(screen, required);
  const held = new HeldLines(subject, recheck);
  /** A plain wait is met by what was typed, unless there is output as well. */
  function* search({ changed, held: again }: Lines): Work<Evidence | undefined> {
    let first: { readonly line: FreshLine; readonly judged: Judged } | undefined;
    for (const line of [...again, ...(changed ?? [])]) {
      const judged = yield* judgedMatch(pattern, line, typed);
      if (judged === undefined) continue;
      const { part } = judged;
      if (part === undefined || part.verdict === 'doubtful') return evidenceOf(line, judged);
      first ??= { line, judged };
      if (passesOverTyped && part.verdict === 'undecided') held.add(line, part.isBegun);
    }
    return first === undefined || passesOverTyped ? undefined : evidenceOf(first.line, first.judged);
  }
  const evidenceOf = (line: FreshLine, { found, part }: Judged): Evidence => ({
    match: { ...scan.placeOf(line, found.index), text: found.text },
    ...(part === undefined ? {} : { warning: part.verdict === 'typed' ? MATCH_IS_TYPED : MATCH_MAY_BE_TYPED }),
  });
  return {
    take() {
      const changed = scan.changed();
      const isNew = changed.text !== '' && sought?.mayBeIn(changed.text) !== false;
      const again = held.take();
      return isNew || again.length > 0 ? { changed: isNew ? changed : undefined, held: again } : undefined;
    },
    steps: ({ changed, held: again }) =>
      steps((changed?.text.length ?? 0) + again.reduce((sum, { text }) => sum + text.length, 0)),
    search,
    lack: () => (passesOverTyped && typed?.some(pattern.isMet) === true ? ONLY_TYPED : undefined),
    dispose: () => {
      sought?.dispose();
      held.dispose();
    },
  };
}

/** Lines of which it is not known yet whether they are output. */
class HeldLines implements Disposable {
  readonly #subject: WaitContext['subject'];
  readonly #recheck: () => void;
  /** Lines by number, as they were; `isBegun`: what was typed is being drawn in it. */
  #lines = new Map<number, { readonly line: FreshLine; readonly isBegun: boolean }>();
  #revision = -1;
  #isDecided = false;
  #listening: readonly Disposable[] = [];

  constructor(subject: WaitContext['subject'], recheck: () => void) {
    this.#subject = subject;
    this.#recheck = recheck;
  }

  add(line: FreshLine, isBegun: boolean): void {
    const { typed } = this.#subject;
    if (typed === undefined) return;
    this.#lines.set(line.number, { line, isBegun });
    const [oldest] = this.#lines.keys();
    if (this.#lines.size > MAX_HELD_LINES && oldest !== undefined) this.#lines.delete(oldest);
    if (this.#listening.length > 0) return;
    const onDecided = (): void => {
      this.#isDecided = true;
      this.#recheck();
    };
    // The program's next read is looked for at the pace of a wait for it.
    const looking = this.#subject.tellsAwaitingInput ? [this.#subject.onAwaitingInput(() => {}, { now: false })] : [];
    this.#listening = [typed.onDecided.on(onDecided), ...looking];
  }

  /** Lines as they are now, or were before they were cleared, if anything may have decided them. */
  take(): FreshLine[] {
    const { screen } = this.#subject;
    if (this.#lines.size === 0 || (!this.#isDecided && this.#revision === screen.rev)) return [];
    this.#isDecided = false;
    this.#revision = screen.rev;
    const lines = [...this.#lines.values()].flatMap(({ line, isBegun }): FreshLine[] => {
      const present = lineWith(screen, line.number);
      if (present?.text.startsWith(line.text) === true) return [{ ...present, knownLength: line.knownLength }];
      return isBegun ? [] : [{ ...line, rows: undefined }];
    });
    // Those that stay undecided are added again.
    this.#lines = new Map();
    return lines;
  }

  dispose(): void {
    for (const one of this.#listening) one.dispose();
    this.#listening = [];
  }
}
