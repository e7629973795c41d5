/** Entries of hand-made screens. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entriesAfter, profileOf, watched } from './watched.js';

const ERROR = { id: 'error', start: '^ERROR (?P<what>.*)', emit: { kind: 'error' } };
const QUESTION = {
  id: 'ask',
  on: 'region',
  region: { top: -2 },
  start: '(?P<text>.*\\?) \\[y/N\\]',
  emit: { kind: 'question' },
};
const TRACE = {
  id: 'trace',
  start: '^Traceback',
  continue: '^\\s+(?:File "(?P<file>[^"]+)", line (?P<line>\\d+))?',
  end: '^(?P<error>\\w+Error): (?P<message>.*)',
  emit: { kind: 'panic', numbers: ['line'] },
};

describe('a line', () => {
  it('is an entry once, finalized when it stands, and never again while it scrolls away', async () => {
    const { write, all } = watched(profileOf(ERROR));
    expect(await write('ERROR one\r\n')).toEqual(['upsert error 1 ERROR one']);
    expect(await write('fine\r\n')).toEqual(['finalize error 1 ERROR one']);
    for (let i = 0; i < 20; i++) await write(`line ${i}\r\n`);
    expect(all).toHaveLength(2);
  });

  it('gives two entries for the same text on two lines', async () => {
    const { write, all } = watched(profileOf(ERROR));
    await write('ERROR one\r\nERROR one\r\n');
    expect(new Set(all.map(({ entry }) => entry.id)).size).toBe(2);
  });

  it('that is being printed is read once it is finished', async () => {
    const { write } = watched(profileOf(ERROR));
    expect(await write('ERROR o')).toEqual([]);
    expect(await write('ne\r\n')).toEqual(['upsert error 1 ERROR one']);
  });

  it('of a rule for unfinished ones grows into a later version while it is being printed', async () => {
    const { write, all } = watched(profileOf({ ...ERROR, unfinished: true }));
    expect(await write('ERROR o')).toEqual(['upsert error 1 ERROR o']);
    expect(await write('ne\r\n')).toEqual(['upsert error 2 ERROR one']);
    expect(await write('x')).toEqual(['finalize error 2 ERROR one']);
    expect(all.at(-1)?.entry.data).toEqual({ what: 'one', text: 'ERROR one' });
  });

  it('is found between two looks, however many lines were printed', async () => {
    const { write, all } = watched(profileOf(ERROR), { scrollback: 5000 });
    await write(Array.from({ length: 3000 }, (_, i) => (i % 30 === 0 ? `ERROR ${i}\r\n` : `line ${i}\r\n`)).join(''));
    expect(entriesAfter(all).map(({ data }) => data['what'])).toEqual(
      Array.from({ length: 100 }, (_, i) => `${i * 30}`),
    );
  });

  it('is deleted if the rest of it shows that it is something else', async () => {
    const { write } = watched(
      profileOf(
        { ...ERROR, id: 'none', unfinished: true, start: '^ERROR none$', emit: { kind: 'fine' } },
        { ...ERROR, unfinished: true },
      ),
    );
    await write('ERROR n');
    expect(await write('one')).toEqual(['delete error 1 ERROR n', 'upsert fine 1 ERROR none']);
  });

  it('is another entry after the screen was cleared and printed anew', async () => {
    const { write, all } = watched(profileOf(ERROR));
    await write('ERROR one\r\n');
    await write('\x1b[2J\x1b[H');
    await write('ERROR one\r\n');
    expect(new Set(all.map(({ entry }) => entry.id)).size).toBe(2);
  });

  it('is the same entry after lines were laid out anew', async () => {
    const { write, look, screen, all } = watched(profileOf(ERROR));
    await write(`${'a'.repeat(70)}\r\nERROR one\r\nx`);
    await write('y');
    await screen.resize(20, 6);
    look();
    await write('z');
    expect(new Set(all.map(({ entry }) => entry.id)).size).toBe(1);
  });

  it('has a number that lasts, and none on the alternate screen', async () => {
    const { write, all } = watched(profileOf(ERROR));
    await write('x\r\n'.repeat(10));
    await write('ERROR one\r\n\x1b[?1049h\x1b[HERROR two\r\n');
    await write('ERROR one\x1b[?1049l');
    expect(all[0]?.entry.line).toBeNull();
    expect(entriesAfter(all).map(({ line, data }) => [line, data['what']])).toContainEqual([10, 'one']);
  });

  it('that an alternate screen scrolls out and back is the same entry', async () => {
    const { write, all } = watched(profileOf(ERROR));
    await write('\x1b[?1049h\x1b[HERROR one\r\nrest');
    await write('\x1b[H\x1b[2Jrest');
    await write('\x1b[H\x1b[2JERROR one\r\nrest');
    expect(new Set(all.map(({ entry }) => entry.id)).size).toBe(1);
  });
});

describe('a block', () => {
  it('takes the lines that continue it, and the captures of all of them', async () => {
    const { write, all } = watched(profileOf(TRACE));
    await write('Traceback (most recent call last):\r\n  File "a.py", line 3\r\n    f()\r\n  File "b.py", line 7\r\n');
    await write('    g()\r\nValueError: no\r\n');
    const [entry] = entriesAfter(all);
    expect(entry).toMatchObject({ kind: 'panic', version: 2, lines: 6 });
    expect(entry?.data).toMatchObject({ file: 'b.py', line: 7, error: 'ValueError', message: 'no' });
  });

  it('stays one entry while its end is still being printed and its beginning has scrolled off', async () => {
    const { write, all, end } = watched(profileOf({ ...TRACE, max_lines: 100 }));
    await write('Traceback\r\n');
    for (let i = 0; i < 30; i++) await write(`  line ${i}\r\n`);
    await write('ValueError: no\r\n');
    end();
    expect(entriesAfter(all)).toMatchObject([{ lines: 32, open: false, data: { error: 'ValueError' } }]);
  });

  it('says nothing of the blank lines at its end, and is no new version for them', async () => {
    const { write, all } = watched(
      profileOf({ id: 'm', start: '^●', continue: '^(?:  .*)?$', emit: { kind: 'message' } }),
    );
    expect(await write('● one\r\n')).toEqual(['upsert message 1 ● one']);
    expect(await write('\r\n\r\n> ')).toEqual([]);
    expect(await write('\r\x1b[K  two\r\nend\r\n')).toContain('upsert message 2 ● one|||  two');
    expect(all[0]?.entry.lines).toBe(1);
  });

  it('ends where its rule starts again', async () => {
    const message = { id: 'say', start: '^\\* ', continue: '.', emit: { kind: 'message' } };
    const { write } = watched(profileOf(message));
    expect(await write('* one\r\nmore\r\n* two\r\n')).toEqual([
      'upsert message 1 * one|more',
      'upsert message 1 * two',
    ]);
  });

  it('is ended by a rule above once its steps follow, and one without entries leaves none', async () => {
    const open = {
      id: 'open',
      start: '^  \\w+',
      steps: [{ match: '^  > ' }],
      min_confidence: 1,
      emit: { kind: 'none' },
    };
    const said = { id: 'said', start: '^\\* ', continue: '^  ', emit: { kind: 'said' } };
    const { write } = watched(profileOf(open, said));
    expect(await write('* one\r\n  two\r\n  three\r\n  > four\r\n')).toEqual(['upsert said 1 * one|  two']);
  });

  it('of several steps has less confidence until it has taken them all', async () => {
    const steps = [{ match: '^a' }, { match: '^b', repeat: true }, { match: '^c', optional: true }, { match: '^d' }];
    const { write, all } = watched(profileOf({ id: 's', start: '^begin', steps, emit: { kind: 'call' } }));
    await write('begin\r\na\r\n');
    expect(all.at(-1)?.entry.confidence).toBe(0.4);
    await write('b\r\nb\r\nd\r\n');
    expect(all.at(-1)?.entry).toMatchObject({ confidence: 1, lines: 5 });
  });

  it('without a start begins with the first of its steps', async () => {
    const steps = [{ match: '^begin (?P<what>.*)' }, { match: '^ok' }];
    const { write, all } = watched(profileOf({ id: 's', steps, emit: { kind: 'call' } }));
    const others = { id: 's', start: steps[0]?.match, steps: steps.slice(1), emit: { kind: 'call' } };
    const { write: written } = watched(profileOf(others));
    for (const text of ['begin one\r\n', 'ok\r\n', 'begin two\r\n', 'x\r\n', 'begin three\r\nok\r\nx\r\n'])
      expect(await write(text)).toEqual(await written(text));
    expect(entriesAfter(all).map(({ data, confidence }) => [data['what'], confidence])).toEqual([
      ['one', 1],
      ['two', 0.5],
      ['three', 1],
    ]);
  });

  it('without a start takes each line of a first step that repeats', async () => {
    const steps = [{ match: '^- ', repeat: true }, { match: '^end' }];
    const { write, all } = watched(profileOf({ id: 's', steps, emit: { kind: 'list' } }), { rows: 10 });
    await write('- a\r\n- b\r\n- c\r\nend\r\nx\r\n');
    expect(entriesAfter(all)).toMatchObject([{ lines: 4, confidence: 1, data: { text: '- a\n- b\n- c\nend' } }]);
  });

  it('of too few steps is given to the fallback, and to that one’s own', async () => {
    const rules = [
      {
        id: 'whole',
        start: '^> ',
        steps: [{ match: '^ok$' }],
        min_confidence: 1,
        fallback: 'named',
        emit: { kind: 'call' },
      },
      { id: 'named', start: '^> (?P<name>\\w+)$', fallback: 'any', emit: { kind: 'name', confidence: 0.5 } },
      { id: 'any', start: '^> ', emit: { kind: 'unknown', confidence: 0.1 } },
    ];
    const { write, all } = watched(profileOf(...rules));
    await write('> one\r\n');
    expect(all).toEqual([]);
    await write('ok\r\n> two\r\nno\r\n> a b\r\nno\r\n');
    expect(entriesAfter(all).map(({ kind, confidence }) => [kind, confidence])).toEqual([
      ['call', 1],
      ['name', 0.5],
      ['unknown', 0.1],
    ]);
  });
});

describe('a key', () => {
  it('makes one entry of all that have it', async () => {
    const { write } = watched(
      profileOf({ id: 'p', start: '(?P<percent>\\d+)%', emit: { kind: 'progress', key: 'one', numbers: ['percent'] } }),
    );
    expect(await write('10%\r')).toEqual(['upsert progress 1 10%']);
    expect(await write('20%\r\n30%\r\n')).toEqual(['upsert progress 2 30%']);
    expect(await write('30%\r\n')).toEqual(['finalize progress 2 30%']);
    expect(await write('30%\r\n')).toEqual([]);
  });
});

describe('the place of an entry', () => {
  const place = ({
    line,
    lines,
    region,
  }: {
    line: number | null;
    lines: number;
    region?: object | null | undefined;
  }) => ({
    line,
    lines,
    region,
  });

  it('is the rows of the viewport that its lines take, and keeps to its last change', async () => {
    const { write, all } = watched(profileOf(TRACE), { cols: 20, rows: 5 });
    await write('a\r\nTraceback\r\n  File "x", line 7\r\nTypeError: no\r\n');
    const region = { top: 1, left: 0, bottom: 4, right: 20 };
    expect(entriesAfter(all).map(place)).toEqual([{ line: 1, lines: 3, region }]);
    await write('1\r\n2\r\n3\r\n4\r\n');
    expect(entriesAfter(all).map(place)).toEqual([{ line: 1, lines: 3, region }]);
  });

  it('is what is left of it in the viewport, and none above it', async () => {
    const { write, all } = watched(profileOf(ERROR, TRACE), { cols: 20, rows: 3, scrollback: 50 });
    await write('ERROR one\r\n1\r\n2\r\n3\r\nTraceback\r\n  File "x", line 7\r\nTypeError: no\r\n');
    expect(entriesAfter(all).map(place)).toEqual([
      { line: 0, lines: 1, region: null },
      { line: 4, lines: 3, region: { top: 0, left: 0, bottom: 2, right: 20 } },
    ]);
  });

  it('has the columns of the region that its rule reads, on both screens', async () => {
    const region = { top: 1, left: 2, bottom: -1, right: -3 };
    const { write, all } = watched(profileOf({ ...QUESTION, region }), { cols: 30, rows: 5 });
    await write('\x1b[3;3HGo on? [y/N]');
    const normal = { line: null, lines: 1, region: { top: 2, left: 2, bottom: 3, right: 27 } };
    expect(entriesAfter(all).map(place)).toEqual([normal]);
    await write('\x1b[?1049h\x1b[H\x1b[2J\x1b[2;3HAnd now? [y/N]');
    const alternate = { line: null, lines: 1, region: { top: 1, left: 2, bottom: 2, right: 27 } };
    expect(entriesAfter(all).map(place)).toEqual([normal, alternate]);
  });

  it('is none for a title', async () => {
    const { write, all } = watched(profileOf({ id: 't', on: 'title', start: '^busy', emit: { kind: 'work' } }));
    await write('\x1b]2;busy one\x07');
    expect(entriesAfter(all).map(place)).toEqual([{ line: null, lines: 1, region: null }]);
  });
});

describe('a region', () => {
  it('has an entry that is open while it is shown, and another for the next appearance', async () => {
    const { write, all } = watched(profileOf(QUESTION));
    expect(await write('\x1b[5HOverwrite a? [y/N]')).toEqual(['upsert question 1 Overwrite a?']);
    expect(await write('\x1b[5H\x1b[K')).toEqual(['finalize question 1 Overwrite a?']);
    await write('\x1b[5HOverwrite a? [y/N]');
    expect(await write('\x1b[5HOverwrite b? [y/N]')).toEqual([
      'finalize question 1 Overwrite a?',
      'upsert question 1 Overwrite b?',
    ]);
    expect(new Set(all.map(({ entry }) => entry.id)).size).toBe(3);
  });

  it('in the form of orbitmesh is searched as one text', async () => {
    const seed = {
      id: 'assistant-message-block',
      enabled: true,
      trigger: { region_changed: { top: 0, bottom: 4 } },
      extract: {
        type: 'region_regex',
        region: { top: 0, bottom: 4, left: 0, right: 30 },
        pattern: '(?ms)^Assistant:\\s*(?P<text>.+?)$',
      },
      emit: { kind: 'agent_message', update_window: 'recent_open' },
    };
    const { write } = watched(profileOf(seed));
    expect(await write('User: hi\r\nAssistant: Hel')).toEqual(['upsert agent_message 1 Hel']);
    expect(await write('lo')).toEqual(['upsert agent_message 2 Hello']);
    expect(await write('\x1b[H\x1b[2J')).toEqual(['finalize agent_message 2 Hello']);
  });
});

it('the title has entries, too', async () => {
  const { write } = watched(profileOf({ id: 't', on: 'title', start: '^busy (?P<text>.*)', emit: { kind: 'work' } }));
  expect(await write('\x1b]2;busy one\x07')).toEqual(['upsert work 1 one']);
  expect(await write('\x1b]2;idle\x07')).toEqual(['finalize work 1 one']);
});

it('only the last eight entries may still change', async () => {
  const { write, all } = watched(profileOf({ ...ERROR, continue: '^\\+' }), { rows: 20 });
  await write(Array.from({ length: 12 }, (_, i) => `ERROR ${i}\r\n`).join(''));
  expect(entriesAfter(all).filter(({ open }) => open).length).toBeLessThanOrEqual(8);
});

it('a rule that matches everything has a bounded number of entries in one look', async () => {
  const { write, engine, screen, all } = watched(profileOf({ id: 'all', start: '.', emit: { kind: 'line' } }), {
    scrollback: 2000,
  });
  await write('x\r\n'.repeat(1000));
  expect(entriesAfter(all)).toHaveLength(1000);
  expect(engine.from).toBe(screen.firstLineNumber + screen.scrollbackLines);
});

it('the same rules and the same screens give the same lines, byte for byte, however often', async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'ERROR a\r\n',
      'ERROR b',
      '\r\n',
      'x\r\n',
      '\x1b[2J\x1b[H',
      '\x1b[3A',
      '\x1b[K',
      'Traceback\r\n',
      '  f()\r\n',
    ),
    fc.constantFrom(
      'ValueError: v\r\n',
      '\x1b[?1049h',
      '\x1b[?1049l',
      'Go? [y/N]',
      '\x1b]2;busy\x07',
      '50%\r',
      '\x1bc',
    ),
  );
  const profile = () =>
    profileOf(TRACE, QUESTION, ERROR, { id: 'p', start: '\\d+%', emit: { kind: 'progress', key: 'p' } });
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
      const [one, two] = [watched(profile()), watched(profile())];
      for (const text of pieces) {
        await one.write(text);
        await two.write(text);
      }
      for (const { end } of [one, two]) end();
      expect(JSON.stringify(one.all)).toBe(JSON.stringify(two.all));
      const entries = entriesAfter(one.all);
      expect(entries.every(({ open }) => !open)).toBe(true);
    }),
    { numRuns: 50 },
  );
});
