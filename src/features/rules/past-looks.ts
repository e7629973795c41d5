/** Rules that read the past of a terminal: its screens are rebuilt from its log, and looked at when they were looked at then. */
import { Engine } from '../../activity/engine.js';
import type { EntryChange } from '../../activity/entry.js';
import { DueLooks, QUIET_MS } from '../../activity/due-looks.js';
import type { Profile } from '../../activity/rule.js';
import { finish, type Work } from '../../search/work.js';
import type { LogChunk } from '../../history/log-chunk.js';
import type { LogEntry } from '../../history/log-entries.js';
import { Replay } from '../../history/replay.js';
import type { TerminalLog } from '../../history/terminal-log.js';
import type { PastScreen } from '../../vt/past-screen.js';
import { unpack } from '../past/packer.js';
import { HalfDrawn } from './half-drawn.js';
import { Looker } from './take-look.js';

/** Looks of one engine at a screen of the past. */
export class PastLooks {
  readonly engine: Engine;
  readonly looker = new Looker();
  readonly changes: EntryChange[] = [];
  readonly #due = new DueLooks();
  readonly #halfDrawn = new HalfDrawn();
  #hasEnded = false;
  /** Looked at once more, and nothing was printed since. */
  #stands = false;

  constructor(profile: Profile, terminal: string) {
    this.engine = new Engine(profile, terminal);
  }

  /** All output of the program was read. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  *look(screen: PastScreen, ts: number, isLast = false): Work<void> {
    this.changes.push(...(yield* this.engine.look(this.looker.take(screen, this.engine, { ts, isLast }))));
    this.#due.looked(ts, this.engine.isBehind ? 'now' : undefined);
    if (!isLast || this.engine.isBehind) return;
    this.changes.push(...this.engine.end());
    this.#hasEnded = true;
  }

  /** The looks that are due before that time, of output whose looks were not logged. */
  *until(screen: PastScreen, ms: number): Work<void> {
    for (let due = this.#due.dueMs; due !== undefined && due <= ms; due = this.#due.dueMs) {
      if (this.#halfDrawn.holds(screen, due)) {
        this.#due.held(due + QUIET_MS);
        continue;
      }
      yield* this.look(screen, due);
      if (this.#due.dueMs === undefined && this.engine.hasOpen && !this.#stands) {
        this.#due.looked(due, 'later');
        this.#stands = true;
      }
    }
  }

  /** For {@link until}. */
  printed(ms: number): void {
    this.#stands = false;
    this.#due.printed(ms);
  }
}

/** Passes over what came meanwhile, between which others' work goes on. */
const MAX_PASSES = 8;

/**
 * Reads all that the log has, to its very end: the caller may go on from there in the same step.
 * @param scrollback lines of the live screen
 */
export function* readLog(
  log: TerminalLog,
  looks: PastLooks,
  { scrollback }: { readonly scrollback: number },
): Work<PastScreen | undefined> {
  let replay: Replay | undefined;
  let chunk: LogChunk | undefined;
  let end = 0;
  for (let pass = 0; ; pass++) {
    let isNew = false;
    // Its chunk may be gone by now: then all that are left are newer.
    for (const next of chunk === undefined ? log.chunks : log.chunks.slice(Math.max(0, log.chunks.indexOf(chunk)))) {
      if (next.isForgotten) continue;
      if (next !== chunk || replay === undefined) {
        replay = begin(next, replay, chunk, scrollback);
        chunk = next;
        end = 0;
        isNew = true;
      }
      for (const entry of next.entries(unpack)) {
        if (entry.end <= end) continue;
        isNew = true;
        end = entry.end;
        const work = apply(entry, replay, looks, log);
        if (pass < MAX_PASSES) {
          yield* work;
          yield 1;
        } else finish(work);
      }
    }
    if (!isNew) return replay?.screen;
  }
}

function* apply(entry: LogEntry, replay: Replay, looks: PastLooks, log: TerminalLog): Work<void> {
  const isLogged = log.firstLookMs !== undefined && entry.ms >= log.firstLookMs;
  if (entry.kind === 'look') yield* looks.look(replay.screen, entry.ms, entry.isLast);
  if (entry.kind !== 'output') return;
  if (!isLogged) yield* looks.until(replay.screen, entry.ms);
  replay.step(entry);
  if (!isLogged) looks.printed(entry.ms);
}

/** A chunk that continues the one before is read on with the same screen, which has the lines above the viewport. */
function begin(chunk: LogChunk, replay: Replay | undefined, before: LogChunk | undefined, scrollback: number): Replay {
  if (replay !== undefined && before !== undefined) {
    const { screen } = replay;
    const { start } = chunk;
    if (!start.continues && screen.rev === before.rev && screen.freeze() !== undefined) {
      if (screen.cols !== start.cols || screen.rows !== start.rows) screen.resize(start.cols, start.rows);
    }
    const isSame = screen.rev === start.rev && screen.firstLineNumber + screen.normalScrollbackLines === start.top;
    if (isSame) {
      replay.enter(chunk);
      return replay;
    }
    replay.dispose();
  }
  return new Replay(chunk, scrollback, unpack);
}
