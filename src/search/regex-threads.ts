/**
 * Finds matches in pieces: follows all paths through a pattern at once, in the order of preference (Pike's machine, as
 * RE2JS has one). A character takes at most as many steps as there are instructions.
 */
import { EMPTY, type Instruction, OP, type RawRegex } from './regex-internals.js';
import { conditionsAt, runeAt, widthOf } from './regex-text.js';
import { indexOfText } from './text-work.js';
import { STEPS_A_PIECE, type Work } from './work.js';

/** Span in UTF-16 code units; `end` is exclusive. */
export interface MatchSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * All matches from left to right, empty ones included, until `take` returns false. Each begins at the earliest at the
 * end of the previous one, or a character later if that was empty.
 */
export function* matchesInPieces(regex: RawRegex, text: string, take: (match: MatchSpan) => boolean): Work<void> {
  const machine = new Machine(regex.prog.inst, text);
  for (let from = 0; from <= text.length;) {
    const match = yield* firstMatch(machine, regex, text, from);
    if (match === undefined || !take(match)) return;
    const isEmpty = match.end === match.start;
    from = isEmpty ? match.end + Math.max(1, widthOf(runeAt(text, match.end))) : match.end;
  }
}

function* firstMatch(
  machine: Machine,
  { prog, cond, prefix }: RawRegex,
  text: string,
  from: number,
): Work<MatchSpan | undefined> {
  if (cond === NEVER) return undefined;
  const onlyAtStart = (cond & EMPTY.beginText) !== 0;
  machine.reset();
  for (let at = from, width = 1; width > 0; at += width) {
    if (machine.isIdle) {
      if (machine.found !== undefined || (onlyAtStart && at > 0)) break;
      if (prefix !== '') at = yield* indexOfText(text, prefix, at);
      if (at === -1) break;
    }
    if (machine.found === undefined) machine.start(prog.start, at);
    width = machine.step(at);
    if (machine.steps < STEPS_A_PIECE) continue;
    yield machine.steps;
    machine.steps = 0;
  }
  return machine.found;
}

/** Contradictory conditions of a pattern. */
const NEVER = -1;

class Machine {
  /** Steps since this was set to 0. */
  steps = 0;
  found: MatchSpan | undefined;
  readonly #instructions: readonly Instruction[];
  readonly #text: string;
  /** Paths still to be followed, the preferred one last. */
  readonly #ways: Int32Array;
  #threads: Threads;
  #next: Threads;

  constructor(instructions: readonly Instruction[], text: string) {
    this.#instructions = instructions;
    this.#text = text;
    this.#ways = new Int32Array(instructions.length + 1);
    this.#threads = new Threads(instructions.length);
    this.#next = new Threads(instructions.length);
  }

  reset(): void {
    this.found = undefined;
    this.#threads.clear();
  }

  get isIdle(): boolean {
    return this.#threads.size === 0;
  }

  /** Lets a match begin here, too; those that have begun are preferred. */
  start(pc: number, at: number): void {
    this.#follow(this.#threads, pc, at, conditionsAt(this.#text, at));
  }

  /** Takes the character at `at`, or the end of the text. @returns its width */
  step(at: number): number {
    const rune = runeAt(this.#text, at);
    const width = widthOf(rune);
    const conditions = conditionsAt(this.#text, at + width);
    const { size, pcs, starts } = this.#threads;
    for (let i = 0; i < size; i++) {
      const instruction = this.#instructions[pcs[i] as number] as Instruction;
      const start = starts[i] as number;
      if (instruction.op === OP.match) {
        this.found = { start, end: at };
        // Later threads are less preferred.
        break;
      }
      if (takes(instruction, rune)) this.#follow(this.#next, instruction.out, start, conditions);
    }
    this.steps += size + 1;
    this.#threads.clear();
    [this.#threads, this.#next] = [this.#next, this.#threads];
    return width;
  }

  /** Adds a thread for each instruction that is reached without a character and takes one, or is a match. */
  #follow(threads: Threads, first: number, start: number, conditions: number): void {
    const ways = this.#ways;
    ways[0] = first;
    for (let count = 1; count > 0;) {
      const pc = ways[--count] as number;
      if (!threads.visit(pc)) continue;
      this.steps++;
      const { op, out, arg } = this.#instructions[pc] as Instruction;
      switch (op) {
        case OP.fail:
          break;
        case OP.alt:
        case OP.altMatch:
          ways[count++] = arg;
          ways[count++] = out;
          break;
        case OP.empty:
          if ((arg & ~conditions) === 0) ways[count++] = out;
          break;
        case OP.nop:
        case OP.capture:
          ways[count++] = out;
          break;
        default:
          threads.add(pc, start);
      }
    }
  }
}

function takes(instruction: Instruction, rune: number): boolean {
  switch (instruction.op) {
    case OP.any:
      return true;
    case OP.anyButLineFeed:
      return rune !== LINE_FEED;
    default:
      return instruction.matchRune(rune);
  }
}

const LINE_FEED = 10;

/** Positions in a pattern, in the order of preference, with the start of their match. */
class Threads {
  size = 0;
  readonly pcs: Int32Array;
  readonly starts: Int32Array;
  /** Round of the last visit, by instruction. */
  readonly #visits: Uint32Array;
  #round = 1;

  constructor(instructions: number) {
    this.pcs = new Int32Array(instructions);
    this.starts = new Int32Array(instructions);
    this.#visits = new Uint32Array(instructions);
  }

  /** Returns false if it has been visited before. */
  visit(pc: number): boolean {
    if (this.#visits[pc] === this.#round) return false;
    this.#visits[pc] = this.#round;
    return true;
  }

  add(pc: number, start: number): void {
    this.pcs[this.size] = pc;
    this.starts[this.size++] = start;
  }

  clear(): void {
    this.size = 0;
    this.#round++;
  }
}
