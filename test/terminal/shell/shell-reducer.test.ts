/** Properties of the shell's reducer for any sequence of inputs. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OscSequence } from '../../../src/events/osc-notices.js';
import { afterShellMark } from '../../../src/terminal/shell/mark-transitions.js';
import { parseShellMark } from '../../../src/terminal/shell/osc-marks.js';
import type { CommandMark, Reader, ShellFact, ShellInput } from '../../../src/terminal/shell/shell-facts.js';
import { needsReader, reduce } from '../../../src/terminal/shell/shell-reducer.js';
import {
  type CommandPhase,
  type ShellState,
  isAtPrompt,
  isDone,
  newShellState,
} from '../../../src/terminal/shell/shell-state.js';
import { runsOf } from '../../support/trial.js';

const MARKS = [
  [133, 'A', 'prompt_start'],
  [133, 'B', 'input_start'],
  [133, 'C', 'command_start'],
  [133, 'D;1', 'command_done'],
  [133, 'D;2;refused', 'line_refused'],
  [133, 'D;2;refused;kept', 'line_refused'],
  [633, 'A', 'prompt_start'],
  [633, 'B', 'input_start'],
  [633, 'C', 'command_start'],
  [633, 'D;3', 'command_done'],
  [633, 'E;ls', 'command_line'],
  [7777, 'done;4', 'command_done'],
  [7777, 'shell;bash', 'shell'],
  [7777, 'shell;fish', 'shell'],
  [7777, 'shell;zsh;off=why', 'shell;off'],
] as const;

const OPTIONS = ['', ';aid=1', ';aid=2', ';aid=3', ';cmdline_url=ls;aid=1', ';cmdline_url=%23', ';cmdline_url=bash'];

const TEXTS = ['ls', 'ls\r', '\r', 'a\rb\r', '\x03', 'a\x03b\r', '\r\n', '\x1b[200~a\rb\x1b[201~', '\x1b[99;5u', ''];

const hasTerminal = fc.constantFrom(true, false, undefined);

const reader: fc.Arbitrary<Reader | undefined> = fc.option(
  fc.record({ isShell: fc.boolean(), isIntegrated: fc.boolean() }),
  { nil: undefined },
);

const markInput: fc.Arbitrary<ShellInput> = fc
  .record({ mark: fc.constantFrom(...MARKS), options: fc.constantFrom(...OPTIONS), line: fc.nat(9), hasTerminal })
  .map(({ mark: [code, data], options, line, hasTerminal: hasIt }) => ({
    ...inputOf({ code, data: code === 133 ? data + options : data }),
    place: { line, col: 0 },
    hasTerminal: hasIt,
  }));

const otherInput: fc.Arbitrary<ShellInput> = fc.oneof(
  fc.record({ input: fc.constant('written' as const), text: fc.constantFrom(...TEXTS) }),
  fc.record({ input: fc.constant('reader' as const), isFirst: fc.boolean(), reader }),
  fc.record({ input: fc.constant('read' as const), asksForMore: fc.boolean(), reader }),
  fc.constantFrom<ShellInput>(
    { input: 'interrupted' },
    { input: 'printed' },
    { input: 'prompt_settled' },
    { input: 'marks_lost' },
    { input: 'kept_ahead' },
    { input: 'keys_left' },
    { input: 'kept_taken' },
    { input: 'renumbered' },
  ),
);

const anyInput = fc.oneof({ weight: 3, arbitrary: markInput }, { weight: 2, arbitrary: otherInput });
const anyInputs = fc.array(anyInput, { maxLength: 80, size: 'max' });
const anyStart = fc.boolean().map((seesWaiting) => newShellState({ seesWaiting }));

/** All states from the first one on, and all facts. */
function run(start: ShellState, inputs: readonly ShellInput[]): { states: ShellState[]; facts: ShellFact[] } {
  const states = [start];
  const facts: ShellFact[] = [];
  let state = start;
  for (const input of inputs) {
    const step = reduce(state, input);
    state = step.state;
    states.push(state);
    facts.push(...step.facts);
  }
  return { states, facts };
}

function last({ states }: { states: readonly ShellState[] }): ShellState {
  return states.at(-1) as ShellState;
}

function marksOf(facts: readonly ShellFact[]): CommandMark[] {
  return facts.flatMap((each) => (each.fact === 'mark' ? [each.mark] : []));
}

/** The table of mark-transitions.ts: the phases that may follow a mark that counts. */
const ANYWHERE = { prompt_start: ['prompt'], input_start: ['input'], 'shell;off': ['unknown'] };

function idle(same: CommandPhase) {
  const unchanged = { shell: [same], command_line: [same], line_refused: [same] };
  return { ...ANYWHERE, ...unchanged, command_start: [same, 'running'], command_done: [same, 'done'] };
}

const TABLE: Readonly<Record<CommandPhase, Readonly<Record<string, readonly string[]>>>> = {
  unknown: idle('unknown'),
  prompt: idle('prompt'),
  input: idle('input'),
  running: { ...idle('running'), command_start: ['running'], command_done: ['done'] },
  done: { ...idle('done'), command_done: ['done'] },
};

describe('a command', () => {
  test('has one start with a number of its own, and at most one end after it', () => {
    fc.assert(
      fc.property(anyStart, anyInputs, (start, inputs) => {
        const started: number[] = [];
        const ended: number[] = [];
        for (const mark of marksOf(run(start, inputs).facts)) {
          if (mark.mark === 'command_start') {
            expect(mark.n).toBe(started.length + 1);
            started.push(mark.n);
          } else if (mark.mark === 'command_done' && mark.n !== undefined) {
            expect(started).toContain(mark.n);
            expect(ended).not.toContain(mark.n);
            ended.push(mark.n);
          }
        }
      }),
      { numRuns: runsOf({ suite: 180, trial: 1000 }) },
    );
  });

  test('runs from its reported start to an end or the next prompt', () => {
    fc.assert(
      fc.property(anyStart, anyInputs, (start, inputs) => {
        let state = start;
        for (const input of inputs) {
          const { state: next, facts } = reduce(state, input);
          const names = marksOf(facts).map(({ mark }) => mark);
          expect([[], ['command_done'], ['command_start'], ['command_done', 'command_start']]).toContainEqual(
            names.filter((name) => name.startsWith('command_')),
          );
          if (names.at(-1) === 'command_start') expect(next.phase).toBe('running');
          if (next.phase === 'running') {
            expect(next.memory.commands).not.toEqual([]);
            if (state.phase !== 'running') expect(names.at(-1)).toBe('command_start');
          }
          if (state.phase === 'running' && next.phase !== 'running') expect(names).not.toEqual([]);
          state = next;
        }
      }),
    );
  });

  test('of a shell that marks no starts has an end without a number', () => {
    expect(numbers('7777;done;0', '7777;done;5')).toEqual(['-none', '-none']);
  });

  test('that was ended by the mark of a nested shell has no second end', () => {
    expect(numbers('133;C;aid=1', '7777;done;0', '7777;done;1', '133;D;0;aid=1')).toEqual([
      '+1',
      '-1',
      '-none',
      '-none',
    ]);
  });
});

/** Numbers of the starts and ends that follow these marks. */
function numbers(...sequences: string[]): string[] {
  const inputs = sequences.map((sequence) => {
    const [code, ...data] = sequence.split(';');
    return inputOf({ code: Number(code), data: data.join(';') });
  });
  return marksOf(run(newShellState({ seesWaiting: true }), inputs).facts).flatMap((mark) => {
    if (mark.mark !== 'command_start' && mark.mark !== 'command_done') return [];
    return `${mark.mark === 'command_start' ? '+' : '-'}${mark.n ?? 'none'}`;
  });
}

function inputOf(sequence: OscSequence): Extract<ShellInput, { input: 'mark' }> {
  const parsed = parseShellMark(sequence);
  if (parsed === undefined) throw new Error(`no mark: ${sequence.data}`);
  return { input: 'mark', ...parsed, place: { line: 1, col: 0 }, hasTerminal: undefined };
}

describe('the reducer', () => {
  test('has exactly the transitions of its table', () => {
    const seen: Record<string, Record<string, Set<string>>> = {};
    const runs = fc.sample(fc.tuple(anyStart, fc.array(markInput, { minLength: 30, maxLength: 60 })), {
      seed: 12,
      numRuns: 1000,
    });
    for (const [start, inputs] of runs) {
      const { states } = run(start, inputs);
      for (const [i, input] of inputs.entries()) {
        const state = states[i];
        if (input.input !== 'mark' || state === undefined) continue;
        const { source, mark } = input;
        const name = mark.mark === 'shell' && mark.off !== undefined ? 'shell;off' : mark.mark;
        ((seen[state.phase] ??= {})[name] ??= new Set()).add(afterShellMark(state, source, mark).state.phase);
      }
    }
    const sorted = (table: object) =>
      Object.entries(table).map(([phase, row]) => [
        phase,
        Object.entries(row as Record<string, Iterable<string>>)
          .map(([mark, next]) => `${mark}: ${[...new Set(next)].toSorted().join(' ')}`)
          .toSorted(),
      ]);
    expect(Object.fromEntries(sorted(seen))).toEqual(Object.fromEntries(sorted(TABLE)));
  });

  test('accepts every input in every state', () => {
    fc.assert(
      fc.property(anyStart, anyInputs, fc.array(anyInput, { minLength: 20, maxLength: 20 }), (start, inputs, each) => {
        const state = last(run(start, inputs));
        for (const input of each) {
          const { state: next, facts } = reduce(state, input);
          expect(Object.keys(TABLE)).toContain(next.phase);
          expect(Array.isArray(facts)).toBe(true);
          expect(next.memory.counts.marks - state.memory.counts.marks).toBe(marksOf(facts).length);
        }
      }),
    );
  });

  test('does not modify its state or its input', () => {
    fc.assert(
      fc.property(anyStart, anyInputs, (start, inputs) => {
        const kept = structuredClone(start);
        const copies: [ShellState, ShellState][] = [];
        let state = start;
        for (const input of inputs) {
          const inputBefore = structuredClone(input);
          copies.push([state, structuredClone(state)]);
          state = reduce(state, input).state;
          expect(input).toEqual(inputBefore);
        }
        for (const [given, copy] of copies) expect(given).toEqual(copy);
        expect(start).toEqual(kept);
      }),
    );
  });

  test('keeps nothing outside the state: a replay, even from a copy, returns the same facts', () => {
    fc.assert(
      fc.property(anyStart, anyInputs, anyInputs, (start, first, second) => {
        const once = run(start, [...first, ...second]);
        expect(run(start, [...first, ...second])).toEqual(once);
        const half = run(start, first);
        const resumed = run(structuredClone(last(half)), second);
        expect([...half.facts, ...resumed.facts]).toEqual(once.facts);
        expect(last(resumed)).toEqual(last(once));
      }),
    );
  });

  test('remembers a bounded number of sources and shells', () => {
    const inputs = Array.from({ length: 3000 }, (_, i) => inputOf({ code: 133, data: `${'ABCCCD'[i % 6]};aid=${i}` }));
    for (const only of [inputs, inputs.filter((_, i) => i % 6 > 1), inputs.filter((_, i) => i % 6 === 5)]) {
      const state = last(run(newShellState({ seesWaiting: true }), only));
      const { reporters, commands, speakers } = state.memory;
      const sets = [...Object.values(reporters), ...commands.map(({ startedBy }) => startedBy)];
      if (state.phase !== 'running') sets.push(state.lastEnd?.reportedBy ?? new Set());
      for (const set of sets) expect(set.size).toBeLessThanOrEqual(64);
      expect(commands.length).toBeLessThanOrEqual(17);
      expect(speakers.length).toBeLessThanOrEqual(16);
    }
  });
});

describe('facts do not depend on', () => {
  test('how output was cut into chunks', () => {
    const anyChunks = fc.array(fc.tuple(anyInput, fc.nat(3)), { maxLength: 60 });
    fc.assert(
      fc.property(anyStart, anyChunks, (start, chunks) => {
        const printed: ShellInput = { input: 'printed' };
        const often = chunks.flatMap(([input, times]) => [
          ...Array.from({ length: times }, () => printed),
          printed,
          input,
        ]);
        const once = chunks.flatMap(([input]) => [printed, input]);
        expect(run(start, often).facts).toEqual(run(start, once).facts);
        const marks = chunks.flatMap(([input]) => (input.input === 'mark' ? [input] : []));
        const cut = marks.flatMap((mark) => [printed, mark]);
        expect(run(start, cut).facts).toEqual(run(start, marks).facts);
      }),
    );
  });

  test('how typed lines were cut into pieces', () => {
    // With one kind of line end: CR LF is one, and may not be cut.
    const typed = fc
      .tuple(fc.array(fc.constantFrom('a', ' ', 'ENTER'), { maxLength: 12 }), fc.constantFrom('\r', '\n'))
      .map(([keys, enter]) => keys.join('').replaceAll('ENTER', enter));
    fc.assert(
      fc.property(anyStart, anyInputs, typed, fc.array(fc.nat(12)), anyInputs, (start, before, text, cuts, after) => {
        const places = [0, ...cuts.filter((cut) => cut < text.length), text.length].toSorted((a, b) => a - b);
        const pieces = places.slice(1).map((place, i) => text.slice(places[i], place));
        const written = (piece: string): ShellInput => ({ input: 'written', text: piece });
        const whole = run(start, [...before, written(text), ...after]);
        const cut = run(start, [...before, ...pieces.map(written), ...after]);
        expect(cut.facts).toEqual(whole.facts);
        expect(last(cut)).toEqual(last(whole));
      }),
    );
  });

  test('the reader that the kernel reports, unless the state needs it', () => {
    fc.assert(
      fc.property(anyStart, anyInputs, reader, fc.boolean(), (start, inputs, given, isFirst) => {
        const state = last(run(start, inputs));
        fc.pre(!needsReader(state));
        const look = { input: 'reader', isFirst } as const;
        expect(reduce(state, { ...look, reader: given })).toEqual(reduce(state, { ...look, reader: undefined }));
        fc.pre(state.memory.reply !== 'echo_due');
        const verdict = { input: 'read', asksForMore: false } as const;
        expect(reduce(state, { ...verdict, reader: given })).toEqual(reduce(state, { ...verdict, reader: undefined }));
      }),
    );
  });
});

describe('a shell', () => {
  test('that is waiting has answered all lines, and is done at its prompt', () => {
    fc.assert(
      fc.property(anyStart, anyInputs, (start, inputs) => {
        let state = start;
        for (const input of inputs) {
          const step = reduce(state, input);
          state = step.state;
          const isWaiting = step.facts.some(({ fact }) => fact === 'waiting');
          if (!isWaiting || input.input === 'prompt_settled') continue;
          expect(state.memory.turn).toMatchObject({ kind: 'answered', lines: 0 });
          if (input.input === 'read' && isAtPrompt(state)) expect(isDone(state)).toBe(true);
        }
      }),
    );
  });

  test('that has lost its scripts reports the loss once', () => {
    const silent = newShellState({ seesWaiting: true });
    const look: ShellInput = { input: 'reader', isFirst: true, reader: { isShell: true, isIntegrated: true } };
    const facts = (...inputs: ShellInput[]) => run(silent, inputs).facts;
    expect(facts({ input: 'interrupted' }, look, look)).toEqual([
      { fact: 'scripts_lost' },
      { fact: 'reader', at: 'elsewhere' },
    ]);
    expect(facts(look)).toEqual([{ fact: 'reader', at: 'elsewhere' }]);
  });

  test('that has exited reports no facts and reacts only to renumbered lines', () => {
    fc.assert(
      fc.property(anyStart, anyInputs, anyInputs, (start, before, after) => {
        const exited = last(run(start, [...before, { input: 'exited' }]));
        const { states, facts } = run(exited, after);
        expect(facts).toEqual([]);
        const layouts = after.filter(({ input }) => input === 'renumbered').length;
        const { counts, promptBegin, promptEnd } = exited.memory;
        expect(last({ states })).toEqual({
          ...exited,
          memory: {
            ...exited.memory,
            counts: { ...counts, layouts: counts.layouts + layouts },
            promptBegin: layouts > 0 ? undefined : promptBegin,
            promptEnd: layouts > 0 ? undefined : promptEnd,
          },
        });
      }),
    );
  });
});
