import { describe, expect, test } from 'vitest';
import { Log } from '../../src/base/log.js';
import { T4aError } from '../../src/protocol/errors.js';
import type { CheckedRequest } from '../../src/protocol/request.js';
import { reportedError, withoutMessage } from '../../src/rpc/reported-error.js';
import { testCall } from '../support/test-call.js';

function report(error: unknown, params: object = {}) {
  const said: string[] = [];
  const call = testCall();
  const request = { cmd: 'type', params } as unknown as CheckedRequest;
  const log = new Log((line) => said.push(line), 'debug');
  const reported = reportedError(error, request, call, log);
  return { reported, said: said.join('') };
}

describe('an error of the protocol', () => {
  const notFound = new T4aError('terminal_not_found', 'No terminal "hunter2".', { hint: 't4a list' });

  test('is reported unchanged', () => {
    expect(report(notFound).reported).toBe(notFound);
    expect(report(notFound, { secret: false }).reported).toBe(notFound);
    const exited = new T4aError('terminal_exited', 'It has ended.');
    expect(report(exited, { secret: true })).toEqual({ reported: exited, said: '' });
  });

  test('is reported without the id if that may be the secret', () => {
    const { reported } = report(notFound, { secret: true });
    expect(reported).toMatchObject({ code: 'terminal_not_found', details: { hint: 't4a list' } });
    expect(reported.message).not.toContain('hunter2');
  });
});

describe('the message of a defect', () => {
  test.each([
    ['cannot find abc', { text: 'abc' }],
    ['cannot find it', { text: 'elsewhere' }],
    ['cannot find 12345', { text: 'ab', number: 12_345 }],
    ['cannot find it', { nothing: null, list: [] }],
  ])('%j is reported if it has nothing of %j', (message, params) => {
    const { reported, said } = report(new Error(message), params);
    expect(reported).toMatchObject({ code: 'internal', message: `"type" failed: ${message}` });
    expect(said).toContain(message);
  });

  test.each([
    ['cannot find abcd', { text: 'abcd' }],
    ['cannot find abcd', { text: 'xy abcd!' }],
    ['cannot find a-b c', { text: 'a-b c' }],
    ['cannot find abcd', { deep: { list: ['x', { text: 'abcd' }] } }],
    [`cannot find ${'z'.repeat(64)}…`, { text: 'z'.repeat(100) }],
  ])('%j is not reported if it quotes %j', (message, params) => {
    const { reported, said } = report(new Error(message), params);
    expect(reported.code).toBe('internal');
    for (const told of [reported.message, said]) expect(told).not.toContain(message);
    expect(said).toContain('reported-error.test.ts');
  });
});

test('an error without a message has its type and its place', () => {
  const told = withoutMessage(new TypeError('hunter2\nhunter2'));
  expect(told.stack).toMatch(/^TypeError: .*\n {4}at /);
  expect(told.stack).not.toContain('hunter2');
  expect(withoutMessage('hunter2').stack).not.toContain('hunter2');
});
