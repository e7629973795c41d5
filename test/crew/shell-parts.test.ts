/** Tabs and palette of the shell, without a terminal. */
import { expect, test } from 'vitest';
import { FakeClock } from '../../src/base/clock.js';
import { Finished } from '../../src/tty/crew/finished.js';
import { layoutOf } from '../../src/tty/crew/layout.js';
import { membersNeeds } from '../../src/tty/crew/needs.js';
import { DrawPace } from '../../src/tty/crew/pace.js';
import { Picker } from '../../src/tty/picker.js';
import { offers, type PaletteParts } from '../../src/tty/crew/palette.js';
import { railLine, type RailParts, railPlaces, railRows } from '../../src/tty/crew/rail.js';
import { RailWalk } from '../../src/tty/crew/rail-walk.js';
import { shellSettings } from '../../src/tty/crew/shell-settings.js';
import { tabAt, tabRow, tabsOf, type Tab } from '../../src/tty/crew/tabs.js';
import { type ListedTerminal, type Member, Members } from '../../src/crew/members.js';
import type { ListedPreset } from '../../src/crew/presets.js';

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

const tab = (name: string, more: Partial<Tab> = {}): Tab => ({ id: name, name, isShown: false, mark: 'none', ...more });

test('tabs that have room are shown with their marks', () => {
  const tabs = [tab('codex-1', { isShown: true }), tab('codex-2', { mark: 'done' }), tab('claude-1', { mark: 'asks' })];
  expect(cellsOf(tabRow(tabs, 40), 40).trimEnd()).toBe(' codex-1  codex-2 •  claude-1 !  +');
  expect([tabAt(tabs, 40, 1), tabAt(tabs, 40, 33), tabAt(tabs, 40, 36)]).toEqual([tabs[0], 'new', undefined]);
  // Without room for a name beside it there is none.
  expect(cellsOf(tabRow(tabs.slice(0, 1), 19), 19)).not.toContain('+');
  expect(cellsOf(tabRow([], 40), 40).trimEnd()).toBe(' +');
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
  readonly parent?: string;
  readonly name?: string;
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
  const terminals = Object.entries(all).map(([id, { alive = true, doing, asks, parent = null, name = id }]) => ({
    id,
    alive,
    parent,
    labels: { 'crew.session': parent ?? id, 'crew.kind': 'agent', 'crew.name': name },
    exit_code: alive ? null : 0,
    signal: null,
    output_bytes: 1,
    created_at: 0,
    generation: 1,
    ...(asks === undefined ? {} : { asks }),
    ...(doing === undefined && asks === undefined
      ? {}
      : { doing: { kind: null, source: 'rules', sure: true, since: 1, is: 'idle', needs_you: 'ask', ...doing } }),
  }));
  return new Members(terminals as unknown as ListedTerminal[], 1e9).all;
}

const palette = (more: Partial<PaletteParts>): readonly string[] => {
  const members = more.members ?? [];
  const needs = membersNeeds({ members, asks: [], questionOf: () => '' });
  return offers({
    members,
    needs,
    presets: [],
    scratchpads: [],
    shown: undefined,
    nowMs: 0,
    leader: 'Ctrl+K',
    ...more,
  }).map(({ id }) => id);
};

test('the palette begins with who waits for the person, longest first, and with the living before the ended', () => {
  const members = membersOf({
    shown: {},
    ended: { alive: false },
    plain: {},
    late: { doing: { is: 'waiting', needs_you: 'permission', since: 900 } },
    early: { doing: { is: 'waiting', needs_you: 'question', since: 100 } },
  });
  const ids = palette({ members, shown: 'shown' });
  const first = ['go to early', 'go to late', 'answer early', 'answer late', 'go to plain', 'go to ended'];
  expect(ids.slice(0, 6)).toEqual(first);
  expect(ids).not.toContain('go to shown');
  expect(ids.at(-1)).toBe('leave');
});

test.each([
  ['ask', true],
  ['permission', true],
  ['line', true],
  ['error', true],
  [null, false],
] as const)('whether a terminal that needs somebody for %j is in the rail is %s', (need, isThere) => {
  const rows = rail({ one: { doing: { is: need === 'error' ? 'error' : 'waiting', needs_you: need } } });
  expect(rows[0]).toBe(isThere ? 'Waits for you' : 'Session');
});

test.each([
  [['working', 'idle'], true],
  [['working', 'done'], true],
  [['working', 'unknown', 'idle'], true],
  [['working', 'waiting', 'working', 'done'], true],
  [['working', 'waiting', 'idle'], false],
  [['working', 'waiting'], false],
  [['working', 'error'], false],
  [['working', 'idle', 'working'], false],
  [['idle', 'done'], false],
  [['unknown', 'idle'], false],
])('an agent that was %j has finished since it was last seen: %s', (states, finished) => {
  const follow = (shown?: string, sure = true): boolean => {
    const all = new Finished();
    for (const is of states) all.follow(membersOf({ one: { doing: { is, needs_you: null, sure } } }), shown);
    return all.has('one');
  };
  expect(follow()).toBe(finished);
  expect(follow('other')).toBe(finished);
  // Who sees it has no need of a mark, and output alone is no work.
  expect([follow('one'), follow(undefined, false)]).toEqual([false, false]);
});

test('a mark goes once the agent is shown, and with the agent', () => {
  const all = new Finished();
  const members = (is: string): readonly Member[] => membersOf({ one: { doing: { is, needs_you: null } } });
  const finish = (): boolean => {
    all.follow(members('working'), undefined);
    all.follow(members('done'), undefined);
    return all.has('one');
  };
  expect(finish()).toBe(true);
  all.see('one');
  expect(all.has('one')).toBe(false);
  expect(finish()).toBe(true);
  all.follow([], undefined);
  expect(all.has('one')).toBe(false);
});

test.each([
  ['worker one', 'go to claude-1'],
  ['quit', 'leave'],
  [':quit', 'leave'],
  ['exit', 'leave'],
  ['kill', 'close claude-1'],
  ['switch', 'go to claude-1'],
  ['focus', 'go to claude-1'],
  ['release', 'give the keyboard back'],
  ['spawn agent', 'spawn claude'],
  ['run process', 'run build'],
])('the palette finds "%s" as %s', (typed, found) => {
  const members = membersOf({ 'claude-1': { name: 'Worker One' }, front: {} });
  const preset = (kind: 'agent' | 'process', name: string): ListedPreset => ({
    kind,
    name,
    path: '/p',
    preset: undefined,
    error: 'none',
  });
  const presets = [preset('agent', 'claude'), preset('process', 'build')];
  const offered = offers({ members, needs: [], scratchpads: [], nowMs: 0, presets, shown: 'front', leader: 'Ctrl+K' });
  const picked: string[] = [];
  const picker = new Picker(offered, (id) => picked.push(id));
  for (const key of [...Array.from(typed), '\r']) picker.take(key);
  expect(picked).toEqual([found]);
});

test('a broken preset is offered with its error', () => {
  const broken = { kind: 'agent', name: 'mine', path: '/p', preset: undefined, error: '"/p" is not JSON.' } as const;
  const none = { members: [], needs: [], scratchpads: [], shown: undefined, nowMs: 0, leader: 'Ctrl+K' };
  expect(offers({ ...none, presets: [broken] })[0]).toMatchObject({
    id: 'spawn mine',
    about: 'broken: "/p" is not JSON.',
  });
});

const rail = (given: Readonly<Record<string, Given>>, more: Partial<RailParts> = {}): readonly string[] => {
  const members = membersOf(given);
  const needs = membersNeeds({ members, asks: [], questionOf: (id) => `${id}?` });
  const parts = { needs, members, shown: undefined, hasFinished: () => false, scratchpads: [], preview: undefined };
  return railRows({ ...parts, rows: 22, nowMs: 200_000, ...more }).map(({ text }) => text);
};

test('the rail has who waits for the person, longest first with age and question, and the tree of the shown session', () => {
  const asks = { is: 'waiting', needs_you: 'permission', since: 10_000 };
  const given = {
    root: {},
    child: { parent: 'root', doing: { is: 'working', needs_you: null } },
    late: { parent: 'root', doing: { ...asks, kind: 'permission', since: 190_000 } },
    other: { doing: asks },
  };
  expect(rail(given, { shown: 'root' })).toEqual([
    'Wait for you: 2',
    '! other  3m',
    '  other?',
    '! late',
    '  late?',
    'Session',
    '▶ root',
    '├─ ◉ child  working',
    '└─ ! late  asks',
  ]);
});

test('of 30 agents the shown one is in the rail, with the number of those that have no room', () => {
  const given = Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [`a${i}`, i === 0 ? {} : { parent: 'a0' }] as const),
  );
  for (let i = 0; i < 30; i++) {
    const rows = rail(given, { shown: `a${i}`, rows: 9 });
    expect(rows).toHaveLength(9);
    expect(rows.some((row) => row.endsWith(`▶ a${i}`))).toBe(true);
    expect(rows.at(-1)).toBe('… 23 more');
  }
});

test('scratchpads have the lower half of the rail at most, with a preview of one', () => {
  const scratchpads = Array.from({ length: 9 }, (_, i) => `n${i}.md`);
  const preview = { name: 'n7.md', lines: Array.from({ length: 90 }, (_, i) => `line ${i}`) };
  const rows = rail({ one: {} }, { scratchpads, preview, rows: 20 });
  expect(rows).toHaveLength(12);
  expect(rows.slice(0, 3)).toEqual(['Session', '◉ one', 'Scratchpads']);
  expect(rows).toContain('▸ n7.md');
  expect(rows.slice(-4)).toEqual(['─ n7.md ─', 'line 0', 'line 1', 'line 2']);
});

test('arrows go along all places of the rail, also those without room, and hold theirs while others come and go', () => {
  const many = Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [`a${i}`, i === 0 ? {} : { parent: 'a0' }] as const),
  );
  let members = membersOf({ ...many, asker: { asks: 1 } });
  const scratchpads = ['todo.md'];
  const parts = (): RailParts => {
    const needs = membersNeeds({ members, asks: [], questionOf: () => '' });
    return {
      needs,
      members,
      shown: 'a0',
      hasFinished: () => false,
      scratchpads,
      preview: undefined,
      rows: 12,
      nowMs: 0,
    };
  };
  const gone: string[] = [];
  const go = ({ key }: { readonly key: string }): void => void gone.push(key);
  const walk = new RailWalk({ places: () => railPlaces(parts()), go }, 'tree a0');
  const chosen = (): string | undefined =>
    railRows({ ...parts(), walk: walk.key }).find(({ look }) => look === 'walk')?.text;
  const press = (...keys: readonly string[]): readonly boolean[] => keys.map((key) => walk.take(key));

  expect(chosen()).toBe('▶ a0');
  press('\x1b[A', '\x1b[A', '\x1b[A');
  expect([walk.key, chosen()]).toEqual(['waiting asker', '! asker']);
  press(...Array.from({ length: 26 }, () => '\x1bOB'));
  expect(chosen()).toBe('├─ ◉ a25');
  members = membersOf({ ...many, more: { parent: 'a0' } });
  expect(chosen()).toBe('├─ ◉ a25');
  const { a25: _ended, ...left } = many;
  members = membersOf(left);
  expect(chosen()).toBe('├─ ◉ a26');
  press('\x1b[F');
  expect([walk.key, chosen()]).toEqual(['scratchpad todo.md', '▸ todo.md'.replace('▸', ' ')]);
  expect(press('x', '\x1b[H', '\r')).toEqual([false, false, true]);
  expect(gone).toEqual(['tree a0']);
  members = [];
  scratchpads.pop();
  expect(press('\x1b[B', '\r')).toEqual([false, true]);
  expect([walk.status.left, gone.length]).toEqual([' The rail is empty.', 1]);
});

test('keys of settings are bytes, as terminals send them', () => {
  const bindings = { s: 'leave', 'ctrl-n': 'rail', f2: 'mouse', up: 'take the keyboard' };
  const limits = { depth: 2, children: 16, spawnsAMinute: 10 };
  const settings = shellSettings({ leader: 'ctrl-a', railCols: 0, limits, bindings });
  expect(settings).toMatchObject({ leader: { byte: '\x01', name: 'Ctrl+A', short: '^A' }, railCols: 0 });
  expect(Object.fromEntries(settings.bindings)).toEqual({
    s: 'leave',
    '\x0e': 'rail',
    '\x1bOQ': 'mouse',
    '\x1b[12~': 'mouse',
    '\x1b[Q': 'mouse',
    '\x1b[A': 'take the keyboard',
    '\x1bOA': 'take the keyboard',
  });
  expect(layoutOf({ cols: 100, rows: 24 }, 0)).toMatchObject({ railCols: 0, screen: { cols: 100 } });
  expect(layoutOf({ cols: 100, rows: 24 }, 50)).toMatchObject({ railCols: 50, screen: { cols: 50 } });
  expect(layoutOf({ cols: 70, rows: 24 }, 200)).toMatchObject({ railCols: 30, screen: { cols: 40 } });
});

test('no name, question or line of a scratchpad brings a sequence into the rail, or leaves it', () => {
  const hostile = `a\x1b[2J\x9b1;1H\u202e${'漢'.repeat(90)}`;
  for (const cols of [20, 34]) {
    const members = membersOf({ one: { name: hostile, asks: 1 } });
    const needs = membersNeeds({ members, asks: [], questionOf: () => hostile });
    const preview = { name: hostile, lines: [hostile] };
    const parts = { needs, members, shown: undefined, hasFinished: () => false, scratchpads: [hostile], preview };
    const rows = railRows({ ...parts, rows: 22, nowMs: 0 });
    expect(rows).toHaveLength(9);
    for (const row of rows) {
      const line = railLine(row, 60, cols);
      // oxlint-disable-next-line no-control-regex -- sequences begin with Escape
      expect(line.replaceAll(/\x1b\[[\d;]*[mG]/g, '')).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/);
      expect(line.match(/漢/g)?.length ?? 0).toBeLessThan(cols / 2);
    }
  }
});

test('a narrow or a low terminal has no rail, and its tabs have every terminal', () => {
  expect(layoutOf({ cols: 59, rows: 24 })).toMatchObject({ railCols: 0, screen: { cols: 59, rows: 22 } });
  expect(layoutOf({ cols: 120, rows: 7 })).toMatchObject({ railCols: 0, screen: { cols: 120, rows: 5 } });
  expect(layoutOf({ cols: 80, rows: 24 })).toMatchObject({ railCols: 20, screen: { cols: 60, rows: 22 } });
  expect(layoutOf({ cols: 400, rows: 24 })).toMatchObject({ railCols: 34 });
  const members = membersOf({ root: {}, child: { parent: 'root', asks: 1 }, other: {} });
  const is = (wanted: string) => (id: string) => id === wanted;
  const parts = { members, shown: 'child', needs: is('child'), hasFinished: is('other') };
  expect(tabsOf({ ...parts, bySession: false }).map(({ id }) => id)).toEqual(['root', 'child', 'other']);
  expect(tabsOf({ ...parts, bySession: true })).toMatchObject([
    { id: 'root', isShown: true, mark: 'asks' },
    { id: 'other', isShown: false, mark: 'done' },
  ]);
});

test('a list that is urgent comes at once, the others after a pause, one at a time', async () => {
  const clock = new FakeClock();
  const acts: { readonly at: number; end: () => void }[] = [];
  const act = (): Promise<void> => new Promise((resolve) => void acts.push({ at: clock.now(), end: resolve }));
  const pace = new DrawPace({ act, pauseMs: 100, clock });
  const end = async (): Promise<void> => {
    acts.at(-1)?.end();
    // The act that has ended arms the next.
    await new Promise(setImmediate);
  };
  const starts = (): readonly number[] => acts.map(({ at }) => at);

  pace.ask({ isUrgent: false });
  clock.advance(50);
  pace.ask({ isUrgent: false });
  clock.advance(50);
  expect(starts()).toEqual([100]);
  // What comes while one goes on is a list of its own.
  pace.ask({ isUrgent: true });
  clock.advance(500);
  expect(starts()).toEqual([100]);
  await end();
  clock.advance(99);
  expect(starts()).toEqual([100]);
  clock.advance(1);
  expect(starts()).toEqual([100, 700]);
  await end();

  clock.advance(1000);
  pace.ask({ isUrgent: false });
  clock.advance(10);
  pace.ask({ isUrgent: true });
  clock.advance(0);
  expect(starts()).toEqual([100, 700, 1710]);
  await end();
  pace.ask({ isUrgent: true });
  clock.advance(99);
  expect(starts()).toHaveLength(3);
  pace.dispose();
  clock.advance(1000);
  expect(starts()).toHaveLength(3);
});
