/** What a failing handler's request is answered with, and what of it is a defect that belongs in the log. */
import { expect, test } from 'vitest';
import { Log } from '../../src/base/log.js';
import { T4aError } from '../../src/protocol/errors.js';
import { parseRequest } from '../../src/protocol/request.js';
import { dispatch } from '../../src/rpc/dispatch.js';
import { testHandlers } from '../support/test-handlers.js';
import { testCall } from '../support/test-call.js';

/** Of a `ping` whose handler throws that. @returns the reply, and the log's warnings and errors */
async function thrown(error: unknown, signal = new AbortController().signal) {
  const log: string[] = [];
  const handlers = testHandlers({
    ping() {
      throw error;
    },
  });
  const { line } = await dispatch(
    handlers,
    parseRequest({ cmd: 'ping', req: 7 }),
    testCall({ signal }),
    new Log((entry) => log.push(entry), 'warn'),
  );
  return { reply: JSON.parse(Buffer.from(line ?? []).toString()) as Record<string, unknown>, log };
}

const shuttingDown = new T4aError('shutting_down', 'The daemon is shutting down.');

function aborted(reason: unknown): AbortSignal {
  return AbortSignal.abort(reason);
}

function abortError(): Error {
  return new DOMException('This operation was aborted', 'AbortError');
}

test('a wait that ends because its request was aborted is answered with the reason', async () => {
  const { reply, log } = await thrown(abortError(), aborted(shuttingDown));
  expect(reply).toEqual({ ok: false, req: 7, code: 'shutting_down', error: shuttingDown.message });
  expect(log).toEqual([]);
});

test('an error of another kind is a defect, even after the request was aborted', async () => {
  const { reply, log } = await thrown(new TypeError('x is undefined'), aborted(shuttingDown));
  expect(reply).toMatchObject({
    ok: false,
    code: 'internal',
    error: '"ping" failed: x is undefined',
    hint: "The daemon's log has the details.",
  });
  expect(log.join('\n')).toMatch(/"ping" failed[^]*TypeError: x is undefined[^]*dispatch\.test/);
});

test('a wait that ends by itself without an abort is a defect', async () => {
  const { reply, log } = await thrown(abortError());
  expect(reply).toMatchObject({ code: 'internal', error: '"ping" failed: This operation was aborted' });
  expect(log).not.toEqual([]);
});

test('an abort reason that is not an error of the protocol does not become one', async () => {
  const { reply, log } = await thrown(abortError(), aborted(new Error('why not')));
  expect(reply).toMatchObject({ code: 'internal' });
  expect(log).not.toEqual([]);
});

test('a thrown value that is not an error is answered, too', async () => {
  const { reply, log } = await thrown('a text');
  expect(reply).toMatchObject({ code: 'internal', error: '"ping" failed: a text' });
  expect(log).not.toEqual([]);
  const { reply: named } = await thrown({ name: 'AbortError' }, aborted(shuttingDown));
  expect(named).toMatchObject({ code: 'internal' });
});

test('an error of the protocol is not a defect', async () => {
  const { reply, log } = await thrown(
    new T4aError('no_match', 'Nothing matches.', { hint: 't4a text @', field: 'id' }),
  );
  expect(reply).toEqual({
    ok: false,
    req: 7,
    code: 'no_match',
    error: 'Nothing matches.',
    hint: 't4a text @',
    field: 'id',
  });
  expect(log).toEqual([]);
});
