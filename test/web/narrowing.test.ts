/** What a page of one terminal may ask, and what it hears. */
import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/protocol/registry.js';
import { Narrowing, withoutParents } from '../../src/web/narrowing.js';

function asked(fields: { readonly cmd: string; readonly [field: string]: unknown }): object | undefined {
  const narrowing = new Narrowing('t1');
  narrowing.take({ cmd: 'events' });
  return narrowing.take(fields);
}

test.each([
  { cmd: 'text', req: 1, id: 't1', region: 'viewport', trim: true },
  { cmd: 'text', req: 1, id: 't1', from_line: 3, max_lines: 9, format: 'runs', at: '-5s' },
  { cmd: 'watch', req: 1, id: 't1', since: 3, state: 4, timeout_ms: 0 },
  { cmd: 'grep', req: 1, id: 't1', pattern: 'x', fixed: true, max: 5 },
  { cmd: 'status', req: 1, id: 't1', as: 'ada' },
])('%j is passed on as it is', (fields) => {
  expect(asked(fields)).toEqual({ request: fields });
});

const TAKEN = /^(?:cmd|req|id|as)$/;

test('no look takes a wait, or a field of the envelope that means others', () => {
  for (const cmd of ['text', 'grep', 'watch', 'status'] as const) {
    const others = ['wait', 'scope', 'host', 'via', 'where', 'terminal', 'parent', '__proto__', 'new_field'];
    for (const field of others) {
      const fields = JSON.parse(`{"cmd":"${cmd}","id":"t1","${field}":{"until":{"published":"crew.select"}}}`) as never;
      expect([cmd, field, asked(fields)]).toEqual([
        cmd,
        field,
        { refusal: expect.objectContaining({ code: 'not_allowed' }) as object },
      ]);
    }
  }
});

test('of the fields of each command those that wait are refused', () => {
  for (const cmd of ['text', 'grep'] as const) {
    const fields = Object.keys(COMMANDS[cmd].params.shape).filter((field) => !TAKEN.test(field));
    const refused = fields.filter((field) => 'refusal' in (asked({ cmd, id: 't1', [field]: 1 }) ?? {}));
    expect(refused).toEqual(expect.arrayContaining(['wait']));
  }
});

test('a reply names no other terminal', () => {
  const terminal = { id: 't1', parent: 'secret-name', labels: {} };
  expect(withoutParents({ ok: true, req: 1, terminals: [terminal] })).toEqual({
    ok: true,
    req: 1,
    terminals: [{ id: 't1', labels: {} }],
  });
  expect(withoutParents({ ok: true, ...terminal })).toEqual({ ok: true, id: 't1', labels: {} });
});
