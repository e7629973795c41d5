/** Looks that have only what is new to the asker: laid over its last look they are the screen. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCliHere } from '../support/cli-in-process.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { TestTerminal } from '../support/screen-fence.js';
import { runsOf, seedOfRun } from '../support/trial.js';

/** Prints every line that it is sent in base64, and rings after each. */
const PRINTER = `stty raw -echo; printf '\\007'; while read -r line; do printf %s "$line" | base64 -d; printf '\\007'; done`;

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

async function printer(fields: object = {}): Promise<TestTerminal> {
  const terminal = await TestTerminal.start(daemon, ['sh', '-c', PRINTER], { cols: 20, rows: 6, ...fields });
  await terminal.until('bell');
  return terminal;
}

async function print(terminal: TestTerminal, printed: string): Promise<void> {
  await terminal.do('send', { input: `${Buffer.from(printed).toString('base64')}\n` });
  await terminal.until('bell');
}

interface Looked {
  readonly lines: string[];
  readonly changed: {
    readonly complete: boolean;
    readonly rows: number[];
    readonly moved_up: number;
    readonly unchanged: number;
    readonly scrolled: number;
    readonly scrolled_from?: number;
    readonly since?: number;
  };
}

async function look(terminal: TestTerminal, scope: string, fields: object = {}): Promise<Looked> {
  return (await terminal.do('text', { changed: true, scope, ...fields })) as unknown as Looked;
}

/** As a reader does it. */
function laidOver(before: readonly string[], { lines, changed }: Looked, height: number): string[] {
  const given = new Map(changed.rows.map((row, i) => [row, lines[i] ?? '']));
  return Array.from({ length: height }, (_, row) => {
    const kept = changed.complete ? undefined : before[row + changed.moved_up];
    return given.get(row) ?? kept ?? '';
  });
}

const words = fc.stringMatching(/^[a-z ]{0,24}$/);
const output = fc.oneof(
  { weight: 4, arbitrary: words.map((text) => `${text}\r\n`) },
  words,
  fc.tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 20 })).map(([row, col]) => `\x1b[${row};${col}H`),
  fc.constantFrom(
    '\x1b[K',
    '\x1b[2J',
    '\x1b[H\x1b[J',
    '\x1b[L',
    '\x1b[M',
    '\x1b[2S',
    '\x1b[T',
    '\x1bM',
    '\x1b[2;4r',
    '\x1b[r',
  ),
  fc.constantFrom('\x1b[?1049h', '\x1b[?1049l', '世界\r\n', '\x1b[3J', '\x1b[!p'),
  fc.integer({ min: 2, max: 40 }).map((count) => '.\r\n'.repeat(count)),
);
/** Another text of the same width in the same place: most of the screen stays. */
const written = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.stringMatching(/^[ab]{2}$/))
  .map(([row, text]) => `\x1b[${row};1H${text}`);
const step = fc.record({
  printed: fc
    .oneof(fc.array(output, { minLength: 1, maxLength: 6 }), {
      weight: 2,
      arbitrary: fc.array(written, { minLength: 1, maxLength: 3 }),
    })
    .map((parts) => parts.join('')),
  size: fc.option(fc.record({ cols: fc.integer({ min: 8, max: 24 }), rows: fc.integer({ min: 2, max: 8 }) }), {
    freq: 12,
  }),
  who: fc.subarray(['ada', 'bob']),
  whole: fc.boolean(),
});

describe('looks at what has changed', () => {
  it('are the screen if they are laid over the last look, for each asker by itself', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
        const terminal = await printer({ scrollback: 30 });
        const held = new Map<string, string[]>();
        const given: { readonly rev: number; readonly lines: readonly string[] }[] = [];
        for (const { printed, size, who, whole } of steps) {
          if (size !== null) await terminal.do('resize', { ...size });
          await print(terminal, printed);
          for (const as of who) {
            // A whole look counts as the last one, too.
            if (whole) held.set(as, await terminal.lines({ as, scope: 'both' }));
            const seen = await look(terminal, 'both', { as });
            const shown = await terminal.do('text', { as: 'eve', scope: 'both', trim: true });
            const screen = shown['lines'] as string[];
            given.push({ rev: shown['rev'] as number, lines: screen });
            held.set(as, laidOver(held.get(as) ?? [], seen, screen.length));
            expect(held.get(as)).toEqual(screen);
            if (whole && seen.changed.since !== undefined) expect(seen.lines).toEqual([]);
          }
        }
        // By its handle each is there as it was, with more output after it.
        for (const { rev, lines } of given) {
          const past = await request(daemon, { cmd: 'text', id: `${terminal.id}@${rev}`, trim: true });
          expect([rev, past['lines']]).toEqual([rev, lines]);
        }
        await terminal.end();
      }),
      { numRuns: runsOf({ suite: 25, trial: 400 }), seed: seedOfRun() },
    );
  }, 120_000);

  it('are whole at first, then the rows that differ, with the count of the others', async () => {
    const terminal = await printer();
    await print(terminal, 'one\r\ntwo\r\nthree\r\nfour\r\nfive');
    expect(await look(terminal, 'a')).toMatchObject({
      lines: ['one', 'two', 'three', 'four', 'five'],
      changed: { complete: true, rows: [0, 1, 2, 3, 4] },
    });
    await print(terminal, '\x1b[2;1HTWO\x1b[4;1HFOUR\x1b[5;1H');
    expect(await look(terminal, 'a')).toMatchObject({
      lines: ['TWO', 'FOUR'],
      changed: { complete: false, rows: [1, 3], unchanged: 3, scrolled: 0 },
    });
    // A row that changed alone comes with the one above it, and what is written again as it was does not come.
    await print(terminal, '\x1b[3;1HTHREE\x1b[4;1HFOUR');
    expect(await look(terminal, 'a')).toMatchObject({ lines: ['TWO', 'THREE'], changed: { rows: [1, 2] } });
    expect(await look(terminal, 'a')).toMatchObject({
      lines: [],
      changed: { complete: false, rows: [], unchanged: 5 },
    });
    await terminal.end();
  });

  it('have what scrolled by, as lines or by number', async () => {
    const terminal = await printer();
    await print(terminal, 'one\r\ntwo\r\n$ ');
    await look(terminal, 'a');
    await print(terminal, `make\r\n${Array.from({ length: 8 }, (_, i) => `step ${i}\r\n`).join('')}$ `);
    const few = await look(terminal, 'a');
    expect(few.lines.slice(0, 4)).toEqual(['$ make', 'step 0', 'step 1', 'step 2']);
    expect(few.changed).toMatchObject({ rows: [-4, -3, -2, -1, 0, 1, 2, 3, 4, 5], complete: true, scrolled: 0 });
    await print(terminal, `again\r\n${Array.from({ length: 90 }, (_, i) => `line ${i}\r\n`).join('')}$ `);
    const many = await look(terminal, 'a');
    expect(many.changed).toMatchObject({ scrolled: 86, complete: true, rows: [0, 1, 2, 3, 4, 5] });
    const { scrolled_from: from } = many.changed;
    const left = (await terminal.lines({ from_line: from, max_lines: 86 })) ?? [];
    expect([left[0], left[1], left.at(-1)]).toEqual(['$ again', 'line 0', 'line 84']);
    expect(many.lines[0]).toBe('line 85');
    await terminal.end();
  });

  it('are whole after another size, another screen, and for who has no look at this terminal', async () => {
    const terminal = await printer();
    const isComplete = async (scope = 'a'): Promise<boolean> => (await look(terminal, scope)).changed.complete;
    await print(terminal, 'one\r\ntwo\r\nthree');
    expect([await isComplete(), await isComplete(), await isComplete('b')]).toEqual([true, false, true]);
    await terminal.do('resize', { cols: 21, rows: 6 });
    expect([await isComplete(), await isComplete()]).toEqual([true, false]);
    await print(terminal, '\x1b[?1049hmenu');
    expect([await isComplete(), await isComplete()]).toEqual([true, false]);
    // Who changes everything each time is shown everything each time.
    await print(terminal, '\x1b[Hall\r\nis\r\nnew');
    expect(await isComplete()).toBe(true);
    // Connections without a scope are askers of their own.
    expect((await terminal.do('text', { changed: true }))['changed']).toMatchObject({ complete: true });
    expect((await terminal.do('text', { changed: true }))['changed']).toMatchObject({ complete: true });
    const other = await printer();
    await look(other, 'a');
    expect(await isComplete()).toBe(false);
    await other.end();
    await terminal.end();
  });

  it('are whole after a restart, which shows nothing of the program before', async () => {
    const terminal = await printer();
    await print(terminal, 'one\r\ntwo\r\nthree');
    await look(terminal, 'a');
    await terminal.do('restart');
    const first = await look(terminal, 'a');
    expect(first.changed.complete).toBe(true);
    expect((await look(terminal, 'a')).changed.complete).toBe(false);
    await terminal.end();
  });

  it('follow an act in one request', async () => {
    const terminal = await printer();
    await print(terminal, 'one\r\ntwo\r\nthree\r\n');
    const act = async (printed: string): Promise<unknown> => {
      const { observed } = await terminal.do('send', {
        input: `${Buffer.from(printed).toString('base64')}\n`,
        scope: 'a',
        wait: { until: { event: 'bell' } },
        observe: { text: { changed: true } },
      });
      return observed;
    };
    expect(await act('four\r\n')).toMatchObject({
      lines: ['one', 'two', 'three', 'four'],
      changed: { complete: true },
    });
    expect(await act('five')).toMatchObject({ lines: ['five'], changed: { rows: [4], unchanged: 4 } });
    await terminal.end();
  });

  it('go with no other range, form or moment', async () => {
    const terminal = await printer();
    for (const fields of [
      { start: 1 },
      { last: 2 },
      { region: 'all' },
      { format: 'ansi' },
      { at: 'end' },
      { since: 1 },
    ]) {
      const [field = ''] = Object.keys(fields);
      expect(await terminal.ask('text', { changed: true, ...fields })).toMatchObject({ code: 'invalid_field', field });
    }
    const observe = { text: { changed: true, region: 'all' } };
    expect(await terminal.ask('press', { keys: ['a'], observe })).toMatchObject({ code: 'invalid_field' });
    await terminal.end();
  });

  it('are rows with their numbers on the command line, beside a note', async () => {
    const terminal = await printer();
    await print(terminal, 'one\r\ntwo\r\nthree\r\nfour');
    const run = (...args: string[]) => runCliHere(args, { socketPath: daemon.socketPath, env: { T4A_SCOPE: 'shell' } });
    expect(await run('text', terminal.id, '--changed')).toMatchObject({
      stdout: 'one\ntwo\nthree\nfour\n',
      stderr: '',
    });
    await print(terminal, '\x1b[1;1HONE\x1b[3;1H\x1b[K');
    expect(await run('text', terminal.id, '--changed')).toMatchObject({
      stdout: '0: ONE\n2: (blank)\n',
      stderr: '2 other rows as before.\n',
    });
    expect(await run('press', terminal.id, 'x', '--changed')).toMatchObject({
      stdout: '',
      stderr: '3 rows as before.\n',
    });
    await terminal.end();
  });

  it('are bounded: the oldest make room', async () => {
    const terminal = await printer();
    await print(terminal, 'one\r\ntwo\r\nthree');
    await look(terminal, 'first');
    for (let i = 0; i < 256; i++)
      await request(daemon, { cmd: 'text', id: terminal.id, changed: true, scope: `s${i}` });
    expect((await look(terminal, 'first')).changed.complete).toBe(true);
    expect((await look(terminal, 's255')).changed.complete).toBe(false);
    await terminal.end();
  });

  it('have handles, by which each is read again as it was, as long as the past reaches', async () => {
    const terminal = await printer();
    const looks: readonly (readonly [cmd: string, fields: object])[] = [
      ['text', { trim: true }],
      ['text', { format: 'cells' }],
      ['text', { format: 'ansi' }],
      ['grep', { pattern: 'o', region: 'viewport' }],
      ['find', { text: 'o' }],
      ['cursor', {}],
      ['screenshot', { inline: true }],
      ['screenshot', { inline: true, format: 'svg', region: { row: 0, col: 0, rows: 2, cols: 4 } }],
    ];
    const lookedAt = async (id: string): Promise<unknown[]> => {
      const replies = [];
      for (const [cmd, fields] of looks) {
        const { at: _at, req: _req, ...reply } = await terminal.do(cmd, { ...fields, id });
        replies.push(without(reply, 'inputs'));
      }
      return replies;
    };
    const seen: [id: string, rev: number, replies: unknown[]][] = [];
    for (const text of [
      'one\r\ntwo',
      '\x1b[1;1H\x1b[7mONE\x1b[m',
      '\r\n'.repeat(9),
      '\x1b[?1049hmenu \x1b[31m中文\x1b[m',
      '\x1b[?1049l',
    ]) {
      await print(terminal, text);
      const { rev } = (await look(terminal, 'a')) as unknown as { rev: number };
      seen.push([`${terminal.id}@${rev}`, rev, await lookedAt(terminal.id)]);
    }
    for (const [id, rev, replies] of seen.toReversed()) {
      expect([id, await lookedAt(id)]).toEqual([id, replies]);
      expect(await terminal.do('text', { id })).toMatchObject({ at: { rev } });
    }
    const [[first] = []] = seen;
    await terminal.do('forget');
    await print(terminal, 'later');
    expect(await terminal.ask('text', { id: first })).toMatchObject({ code: 'moment_lost' });
    expect(await terminal.ask('text', { id: `${terminal.id}@99999` })).toMatchObject({ code: 'revision_unknown' });
    expect(await terminal.ask('text', { id: first, at: 1 })).toMatchObject({ code: 'invalid_field', field: 'at' });
    expect(await terminal.ask('press', { id: first, keys: ['a'] })).toMatchObject({
      code: 'invalid_field',
      field: 'id',
    });
    await terminal.end();
  });
});

function without(reply: Record<string, unknown>, ...fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(reply).filter(([field]) => !fields.includes(field)));
}
