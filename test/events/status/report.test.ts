import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isStatusQuery, parseStatusReport, type StatusReport } from '../../../src/events/status/report.js';

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
const unpadded = (text: string): string => base64(text).replaceAll('=', '');

const REPORT: StatusReport = {
  state: 'idle',
  id: '',
  kind: undefined,
  progress: undefined,
  app: undefined,
  title: undefined,
  msg: undefined,
};

/** Fields beside `state: 'idle'` and absent ones, or null for what is ignored. */
const VECTORS: readonly (readonly [string, Partial<StatusReport> | null])[] = [
  // States.
  ['state=idle', {}],
  ['state=working', { state: 'working' }],
  ['state=done', { state: 'done' }],
  ['state=blocked', { state: 'blocked' }],
  ['state=error', { state: 'error' }],
  ['state=clear', { state: 'clear' }],
  ['state=idle:state=done', { state: 'done' }],
  ['state=done:state=nope', null],
  ['state=', null],
  ['state', null],
  ['', null],
  ['id=a', null],
  ['STATE=idle', null],
  // Pairs.
  ['state=idle:junk:=x:FOO=1:future=1', {}],
  [' state = idle ', {}],
  ['::state=idle::', {}],
  ['state=idle;kind=auth', null],
  ['state=idle:a b=1', {}],
  ['state=idle:x=ü', {}],
  [`state=idle:${'k'.repeat(16)}=1`, {}],
  [`state=idle:${'k'.repeat(17)}=1`, null],
  // Ids.
  ['state=idle:id=build', { id: 'build' }],
  ['state=idle:id=a/b.c/D_+-9', { id: 'a/b.c/D_+-9' }],
  ['state=clear:id=', null],
  ['state=idle:id=/a', null],
  ['state=idle:id=a//b', null],
  ['state=idle:id=a/', null],
  ['state=idle:id=a,b', null],
  ['state=idle:id=x:id=y', { id: 'y' }],
  [`state=idle:id=${'a'.repeat(32)}`, { id: 'a'.repeat(32) }],
  [`state=idle:id=${'a'.repeat(33)}`, null],
  [
    `state=idle:id=${`${'a'.repeat(32)}/`.repeat(3)}${'a'.repeat(29)}`,
    { id: `${`${'a'.repeat(32)}/`.repeat(3)}${'a'.repeat(29)}` },
  ],
  [`state=idle:id=${`${'a'.repeat(32)}/`.repeat(3)}${'a'.repeat(30)}`, null],
  ['state=idle:id=1/2/3/4/5/6/7/8', { id: '1/2/3/4/5/6/7/8' }],
  ['state=idle:id=1/2/3/4/5/6/7/8/9', null],
  [
    `state=idle:id=${Array.from({ length: 4 }, () => 'x'.repeat(31)).join('/')}`,
    { id: Array.from({ length: 4 }, () => 'x'.repeat(31)).join('/') },
  ],
  [`state=idle:id=${'x'.repeat(129)}:id=a`, null],
  // Kinds.
  ['state=blocked:kind=permission', { state: 'blocked', kind: 'permission' }],
  ['state=blocked:kind=question', { state: 'blocked', kind: 'question' }],
  ['state=blocked:kind=auth', { state: 'blocked', kind: 'auth' }],
  ['state=blocked:kind=other', { state: 'blocked' }],
  ['state=idle:kind=auth', {}],
  // Progress.
  ['state=working:progress=0', { state: 'working', progress: 0 }],
  ['state=blocked:progress=100', { state: 'blocked', progress: 100 }],
  ['state=working:progress=101', { state: 'working' }],
  ['state=working:progress=-1', { state: 'working' }],
  ['state=working:progress=5.5', { state: 'working' }],
  ['state=working:progress=', { state: 'working' }],
  ['state=done:progress=50', { state: 'done' }],
  // Names of programs.
  ['state=idle:app=claude', { app: 'claude' }],
  ['state=idle:app=a/b', {}],
  ['state=idle:app=', {}],
  [`state=idle:app=${'a'.repeat(32)}`, { app: 'a'.repeat(32) }],
  [`state=idle:app=${'a'.repeat(33)}`, null],
  // Texts.
  ['state=idle:msg=SGk', { msg: 'Hi' }],
  ['state=idle:msg=SGk=', { msg: 'Hi' }],
  ['state=idle:msg=SGk==', null],
  ['state=idle:msg=', { msg: '' }],
  ['state=idle:msg=A', null],
  ['state=idle:msg=%%%', {}],
  ['state=idle:msg=SG-_', null],
  ['state=idle:msg=S=Gk', null],
  [`state=idle:title=${base64('Ünï 世界 🎉')}`, { title: 'Ünï 世界 🎉' }],
  [`state=idle:title=${unpadded('Ünï 世界')}`, { title: 'Ünï 世界' }],
  [`state=idle:title=${base64('a\u202eb\u200b')}`, { title: 'ab' }],
  [`state=idle:title=${base64('x'.repeat(192))}`, { title: 'x'.repeat(192) }],
  [`state=idle:title=${base64('x'.repeat(193))}`, null],
  [`state=idle:msg=${base64('x'.repeat(2048))}`, { msg: 'x'.repeat(2048) }],
  [`state=idle:msg=${base64('x'.repeat(2049))}`, null],
  [`state=idle:msg=${base64('a\nb')}`, null],
  [`state=idle:msg=${base64('\0')}`, null],
  [`state=idle:msg=${base64('\x1b[31m')}`, null],
  [`state=idle:msg=${base64('\x7f')}`, null],
  [`state=idle:msg=${base64('\u0085')}`, null],
  ['state=idle:msg=/w', null],
  // A lone surrogate in UTF-8, and an overlong form.
  ['state=idle:msg=7aCA', null],
  ['state=idle:msg=wIA', null],
  // A limit counts in pairs that are replaced, too.
  ['state=idle:msg=A:msg=SGk', null],
  ['state=idle:msg=%%%:msg=SGk', { msg: 'Hi' }],
  // Questions, and answers to them that were printed.
  ['?', null],
  ['??', null],
  ['?:state=idle', null],
  [' ?', null],
];

describe('a report of status', () => {
  test.each(VECTORS)('%j is %j', (body, expected) => {
    expect(parseStatusReport(body, 1)).toEqual(expected === null ? undefined : { ...REPORT, ...expected });
  });

  test.each([
    [1, 4096 - 8],
    [2, 4096 - 9],
  ])('with a terminator of %d bytes has a body of %d bytes at most', (terminatorBytes, bytes) => {
    const body = (length: number): string => {
      const rest = length - 'state=idle'.length;
      const pad = ':future='.length;
      return `state=idle:future=${'x'.repeat(rest - pad)}`;
    };
    expect(body(bytes)).toHaveLength(bytes);
    expect(parseStatusReport(body(bytes), terminatorBytes)).toEqual(REPORT);
    expect(parseStatusReport(body(bytes + 1), terminatorBytes)).toBeUndefined();
  });

  test('is bounded in bytes, and not in characters', () => {
    expect(parseStatusReport(`state=idle:x=${'世'.repeat(1350)}`, 1)).toEqual(REPORT);
    expect(parseStatusReport(`state=idle:x=${'世'.repeat(1360)}`, 1)).toBeUndefined();
  });

  test('of any text is ignored or within its limits', () => {
    const key = fc.constantFrom('state', 'id', 'kind', 'app', 'title', 'msg', 'progress', 'x');
    const value = fc.oneof(
      fc.constantFrom('idle', 'clear', 'blocked', 'a/b', '7', 'SGk'),
      fc.string({ maxLength: 200 }),
    );
    const body = fc
      .array(fc.tuple(key, value), { maxLength: 12 })
      .map((pairs) => pairs.map((pair) => pair.join('=')).join(':'));
    fc.assert(
      fc.property(fc.oneof(body, fc.string({ maxLength: 300 })), (text) => {
        const report = parseStatusReport(text, 2);
        if (report === undefined) return;
        expect(report.id).toMatch(/^(?:[\w.+-]{1,32}(?:\/[\w.+-]{1,32}){0,7})?$/);
        expect(report.progress === undefined || ['working', 'blocked'].includes(report.state)).toBe(true);
        // oxlint-disable-next-line no-control-regex
        expect(`${report.msg ?? ''}${report.title ?? ''}`).not.toMatch(/[\0-\x1f\x7f-\x9f\u202a-\u202e]/);
      }),
    );
  });

  test.each([
    ['?', true],
    ['??', false],
    [' ?', false],
    ['?:state=idle', false],
    ['', false],
  ])('%j asks whether reports are read: %s', (body, asks) => {
    expect(isStatusQuery(body)).toBe(asks);
  });
});
