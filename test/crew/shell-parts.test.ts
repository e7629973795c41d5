/** Tabs and palette of the shell, without a terminal. */
import { expect, test } from 'vitest';
import { offers, needsPerson } from '../../src/board/palette.js';
import { tabRow, type Tab } from '../../src/board/tabs.js';
import { type ListedTerminal, type Member, Members } from '../../src/crew/members.js';

/** Cells of a row, as a terminal that takes each character as one cell places them. */
function cellsOf(row: string, cols: number): string {
  const cells = Array.from({ length: cols }, () => ' ');
  let at = 0;
  // oxlint-disable-next-line no-control-regex -- sequences begin with Escape
  for (const [, sequence, text = ''] of row.matchAll(/(\x1b\[[\d;]*[A-Za-z])|([^\x1b])/g)) {
    if (sequence?.endsWith('G') === true) at = Number(sequence.slice(2, -1)) - 1;
    else if (sequence === undefined) {
      expect(at).toBeLessThan(cols);
      cells[at++] = text;
    }
  }
  return cells.join('');
}

const tab = (name: string, more: Partial<Tab> = {}): Tab => ({ name, isShown: false, mark: 'none', ...more });

test('tabs that have room are shown with their marks', () => {
  const tabs = [tab('codex-1', { isShown: true }), tab('codex-2', { mark: 'done' }), tab('claude-1', { mark: 'asks' })];
  expect(cellsOf(tabRow(tabs, 40), 40).trimEnd()).toBe(' codex-1  codex-2 •  claude-1 !');
});

test('of many tabs the shown one is always there, and no row is wider than the terminal', () => {
  for (const cols of [2, 3, 7, 8, 12, 20, 33, 80]) {
    for (let shown = 0; shown < 30; shown++) {
      const tabs = Array.from({ length: 30 }, (_, i) => tab(`t${i}`, { isShown: i === shown }));
      const row = cellsOf(tabRow(tabs, cols), cols);
      if (cols >= 12) expect(row).toContain(` t${shown} `);
    }
  }
  expect(cellsOf(tabRow([tab('a'.repeat(60), { isShown: true })], 20), 20)).toContain('…');
});

test('a name cannot bring a sequence into the row of tabs', () => {
  expect(tabRow([tab('a\x1b[2J\x9b1;1Hb\u202e')], 80)).toContain(' a[2J1;1Hb ');
});

interface Given {
  readonly asks?: number;
  readonly doing?: {
    readonly is: string;
    readonly needs_you: string | null;
    readonly since?: number;
    readonly sure?: boolean;
  };
  readonly alive?: boolean;
}

function membersOf(all: Readonly<Record<string, Given>>): readonly Member[] {
  const terminals = Object.entries(all).map(([id, { alive = true, doing, asks }]) => ({
    id,
    alive,
    parent: null,
    labels: { 'crew.session': id, 'crew.kind': 'agent' },
    exit_code: alive ? null : 0,
    signal: null,
    output_bytes: 1,
    created_at: 0,
    generation: 1,
    ...(asks === undefined ? {} : { asks }),
    ...(doing === undefined ? {} : { doing: { kind: null, source: 'rules', sure: true, since: 1, ...doing } }),
  }));
  return new Members(terminals as unknown as ListedTerminal[], 1e9).all;
}

test('the palette begins with who waits for the person, longest first, and with the living before the ended', () => {
  const members = membersOf({
    shown: {},
    ended: { alive: false },
    plain: {},
    late: { doing: { is: 'waiting', needs_you: 'permission', since: 900 } },
    early: { doing: { is: 'waiting', needs_you: 'question', since: 100 } },
  });
  const ids = offers({ members, presets: [], shown: 'shown' }).map(({ id }) => id);
  expect(ids.slice(0, 4)).toEqual(['go to early', 'go to late', 'go to plain', 'go to ended']);
  expect(ids).not.toContain('go to shown');
  expect(ids.at(-1)).toBe('leave');
});

test.each([
  [{ asks: 1 }, true],
  [{ doing: { is: 'waiting', needs_you: 'permission' } }, true],
  [{ doing: { is: 'error', needs_you: 'error' } }, true],
  [{ doing: { is: 'waiting', needs_you: 'line' } }, false],
  [{ doing: { is: 'waiting', needs_you: 'permission', sure: false } }, false],
  [{ asks: 1, alive: false }, false],
  [{}, false],
] as const)('whether a terminal of %j needs the person is %s', (given, needs) => {
  const [member] = membersOf({ one: given });
  expect(member !== undefined && needsPerson(member)).toBe(needs);
});

test('a broken preset is offered with its error', () => {
  const broken = { kind: 'agent', name: 'mine', path: '/p', preset: undefined, error: '"/p" is not JSON.' } as const;
  expect(offers({ members: [], presets: [broken], shown: undefined })[0]).toMatchObject({
    id: 'spawn mine',
    about: 'broken: "/p" is not JSON.',
  });
});
