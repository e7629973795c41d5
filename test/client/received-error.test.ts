import { expect, test } from 'vitest';
import { receivedError } from '../../src/client/received-error.js';
import { T4aError } from '../../src/protocol/errors.js';

test('an error reply is the error that the daemon had', () => {
  const details = { hint: 'Try "Enter".', closest: 'Enter', field: 'keys.0' };
  const error = receivedError({ ok: false, req: 1, code: 'unknown_key', error: 'No key "Entr".', ...details });
  expect(error).toBeInstanceOf(T4aError);
  expect(error).toMatchObject({ code: 'unknown_key', message: 'No key "Entr".' });
  expect(error.details).toEqual(details);
});

test('missing details, and details that are not text, are absent', () => {
  const error = receivedError({ ok: false, code: 'internal', error: 'Oh.', hint: 7, field: null });
  expect(error.details).toEqual({});
  expect(receivedError({ ok: false, code: 'internal', error: 'Oh.', field: 'a' }).details).toEqual({ field: 'a' });
});

test('a code of a newer daemon is kept', () => {
  expect(receivedError({ ok: false, code: 'out_of_paint', error: 'None left.' }).code).toBe('out_of_paint');
});

test('a reply without a code and a sentence is an internal error with its content', () => {
  expect(receivedError({ ok: false, code: 5, error: 6 })).toMatchObject({
    code: 'internal',
    message: 'The daemon refused: {"ok":false,"code":5,"error":6}',
  });
});
