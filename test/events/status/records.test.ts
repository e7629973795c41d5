import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseStatusReport } from '../../../src/events/status/report.js';
import {
  MAX_STATUS_BYTES,
  MAX_STATUS_RECORDS,
  STATUS_RECORD_BYTES,
  StatusRecords,
} from '../../../src/events/status/records.js';

const BY = { pid: 7, process: 'claude', isShell: false };
const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

function records(...bodies: string[]): StatusRecords {
  const made = new StatusRecords();
  bodies.forEach((body, at) => apply(made, body, at));
  return made;
}

function apply(made: StatusRecords, body: string, at = 0) {
  const report = parseStatusReport(body, 1);
  return report === undefined ? undefined : made.apply(report, BY, at);
}

const shown = (made: StatusRecords): string[] => made.all().map(({ id, state }) => `${id}:${state}`);
const mostUrgent = (made: StatusRecords): string | undefined => made.mostUrgent(() => true)?.id;

describe('records of status', () => {
  test('have the last report of each id whole', () => {
    const made = records(`state=working:progress=5:msg=${base64('one')}`, 'state=working');
    expect(made.get('')).toMatchObject({ state: 'working', progress: undefined, msg: undefined, since: 0, at: 1 });
  });

  test('are since the first report of a state and a kind', () => {
    const made = records('state=blocked:kind=auth', 'state=blocked:kind=auth', 'state=blocked:kind=question');
    expect(made.get('')).toMatchObject({ kind: 'question', since: 2, at: 2 });
  });

  test.each([
    ['state=clear', []],
    ['state=clear:id=build', ['builder:working', ':idle']],
    ['state=clear:id=build/a', ['build:working', 'builder:working', ':idle']],
    ['state=clear:id=', ['build:working', 'build/a:done', 'builder:working', ':idle']],
    ['state=clear:id=none', ['build:working', 'build/a:done', 'builder:working', ':idle']],
  ])('%s leaves %j', (body, left) => {
    const made = records('state=working:id=build', 'state=done:id=build/a', 'state=working:id=builder', 'state=idle');
    apply(made, body);
    expect(shown(made).join()).toBe(left.join());
  });

  test('a change names the state before, and whether it is a turn', () => {
    const made = new StatusRecords();
    expect(apply(made, 'state=working')).toMatchObject({ was: undefined, isTurn: true });
    expect(apply(made, 'state=working:progress=3')).toMatchObject({ was: 'working', isTurn: false });
    expect(apply(made, 'state=blocked')).toMatchObject({ was: 'working', isTurn: true });
    expect(apply(made, 'state=clear')).toMatchObject({ was: 'blocked', isTurn: true });
    expect(apply(made, 'state=clear')).toBeUndefined();
  });

  test('have the program name of the nearest ancestor that has one, and of the program last', () => {
    const made = records(
      'state=idle:app=root',
      'state=idle:id=a:app=near',
      'state=idle:id=a/b/c/d',
      'state=idle:id=x/y',
      'state=idle:id=a/z:app=own',
    );
    expect(made.get('a/b/c/d')?.app).toBe('near');
    expect(made.get('x/y')?.app).toBe('root');
    expect(made.get('a/z')?.app).toBe('own');
    expect(records('state=idle:id=a').get('a')?.app).toBeUndefined();
  });

  test.each([
    [['idle', 'working', 'done', 'error', 'blocked'], '4'],
    [['blocked', 'working', 'blocked'], '2'],
    [['working', 'done', 'idle'], '1'],
  ])('of %j, number %s speaks for the terminal', (states, id) => {
    expect(mostUrgent(records(...states.map((state, at) => `state=${state}:id=${at}`)))).toBe(id);
  });

  test('at an end, what was being done is dropped, and what came of it stays', () => {
    const made = records(
      'state=working:id=a',
      'state=done:id=b',
      'state=blocked:id=c',
      'state=error:id=d',
      'state=idle:id=e',
    );
    expect(made.end()).toMatchObject({ was: 'blocked' });
    expect(shown(made)).toEqual(['b:done', 'd:error']);
    expect(made.end()).toBeUndefined();
    expect(made.reset()).toMatchObject({ was: 'error' });
    expect(shown(made)).toEqual([]);
  });

  test('are bounded: the least recently updated one is dropped', () => {
    const made = records(...Array.from({ length: MAX_STATUS_RECORDS }, (_, at) => `state=idle:id=${at}`));
    apply(made, 'state=idle:id=0');
    apply(made, 'state=idle:id=new');
    expect(made.size).toBe(MAX_STATUS_RECORDS);
    expect(made.get('1')).toBeUndefined();
    expect(made.get('0')).toBeDefined();
  });

  test('have their oldest messages dropped beyond the bound of texts, and say so', () => {
    const msg = base64('x'.repeat(2048));
    const most = Math.floor(MAX_STATUS_BYTES / (2048 + STATUS_RECORD_BYTES));
    const made = records(...Array.from({ length: most + 1 }, (_, at) => `state=working:id=${at}:msg=${msg}`));
    expect(made.get('0')).toMatchObject({ msg: undefined, isCut: true, state: 'working' });
    expect(made.get('1')).toMatchObject({ isCut: false });
    apply(made, `state=working:id=1`);
    apply(made, `state=working:id=0:msg=${msg}`);
    expect(made.get('2')).toMatchObject({ isCut: false });
  });

  test('equal a model, for any reports', () => {
    const id = fc.constantFrom('', 'a', 'a/b', 'a/b/c', 'ab', 'b');
    const state = fc.constantFrom('idle', 'working', 'done', 'blocked', 'error', 'clear');
    const step = fc.oneof(fc.tuple(state, id), fc.constant('end' as const), fc.constant('reset' as const));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const made = new StatusRecords();
        let model: [id: string, state: string][] = [];
        steps.forEach((each, at) => {
          if (each === 'reset') {
            made.reset();
            model = [];
          } else if (each === 'end') {
            made.end();
            model = model.filter(([, was]) => was === 'done' || was === 'error');
          } else {
            const [now, path] = each;
            apply(made, path === '' ? `state=${now}` : `state=${now}:id=${path}`, at);
            const isBelow = (other: string): boolean => path === '' || other === path || other.startsWith(`${path}/`);
            model = model.filter(([other]) => (now === 'clear' ? !isBelow(other) : other !== path));
            if (now !== 'clear') model.push([path, now]);
          }
        });
        expect(shown(made)).toEqual(model.map((pair) => pair.join(':')));
      }),
    );
  });
});
