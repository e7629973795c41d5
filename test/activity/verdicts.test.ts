import { describe, expect, it } from 'vitest';
import { findBlocks, Verdicts } from '../../src/activity/blocks.js';
import type { LookLine } from '../../src/activity/look.js';
import { profileOf } from './watched.js';

const { rules } = profileOf(
  {
    id: 'call',
    start: '^  (?P<call>\\S.*)',
    steps: [{ match: '^    (?P<result>\\S.*)' }],
    min_confidence: 1,
    emit: { kind: 'call' },
  },
  {
    id: 'note',
    start: '^# (?P<note>.*)',
    continue: '^\\| (?P<more>.*)',
    end: '^#end (?P<by>.*)',
    emit: { kind: 'note' },
  },
);

const TEXTS = [
  ...Array.from({ length: 20 }, (_, i) => `  line ${i}`),
  '  call',
  '    result',
  '# note',
  '| more',
  '#end me',
];

function linesOf(texts: readonly string[]): LookLine[] {
  return texts.map((text, number) => ({ number, rows: 1, text }));
}

/** One look: what it finds, and the steps that it takes. */
function look(texts: readonly string[], verdicts: Verdicts) {
  verdicts.turn();
  const work = findBlocks(rules, { lines: linesOf(texts), cursor: Infinity, more: false, unfinished: false }, verdicts);
  let steps = 0;
  let next = work.next();
  for (; next.done !== true; next = work.next()) steps += next.value;
  return { steps, found: next.value.blocks.map(({ rule, captures }) => ({ rule: rule.id, ...captures })) };
}

describe('lines of the look before', () => {
  it('take no steps, and give the same blocks', () => {
    const verdicts = new Verdicts();
    const first = look(TEXTS, verdicts);
    expect(first.found).toEqual([
      { rule: 'call', call: 'call', result: 'result' },
      { rule: 'note', note: 'note', more: 'more', by: 'me' },
    ]);
    expect(first.steps).toBeGreaterThan(0);
    expect(look(TEXTS, verdicts)).toEqual({ steps: 0, found: first.found });
  });

  it('are read again with the line that has changed below them', () => {
    const verdicts = new Verdicts();
    look(TEXTS, verdicts);
    const changed = TEXTS.map((text) => text.replace('result', 'other').replace('more', 'less'));
    expect(look(changed, verdicts).found).toEqual([
      { rule: 'call', call: 'call', result: 'other' },
      { rule: 'note', note: 'note', more: 'less', by: 'me' },
    ]);
    expect(look(changed, verdicts).found).toEqual(look(changed, new Verdicts()).found);
  });

  it('are forgotten once a look was without them, if they are many', () => {
    const verdicts = new Verdicts();
    const many = Array.from({ length: 100 }, (_, i) => `  line ${i}`);
    const { steps } = look(many, verdicts);
    look([], verdicts);
    expect(look(many, verdicts).steps).toBe(steps);
  });
});
