import { expect, test } from 'vitest';
import { inputBytes } from '../../../src/terminal/input/bytes.js';
import { T4aError } from '../../../src/protocol/errors.js';
import { MAX_INPUT_BYTES } from '../../../src/protocol/limits.js';

function refusal(fields: Record<string, string | undefined>) {
  try {
    inputBytes(fields);
  } catch (error) {
    if (error instanceof T4aError) return { code: error.code, ...error.details, message: error.message };
    throw error;
  }
  return undefined;
}

test('text is sent as UTF-8, and base64 as its bytes', () => {
  expect([...inputBytes({ input: 'é', input_base64: undefined })]).toEqual([0xc3, 0xa9]);
  expect([...inputBytes({ input: undefined, input_base64: '/wA=' })]).toEqual([0xff, 0]);
  expect(inputBytes({ input: '', input_base64: undefined })).toHaveLength(0);
});

test.each([
  { input: undefined, input_base64: undefined },
  { input: 'a', input_base64: 'YQ==' },
])('exactly one of the two is required: %j', (fields) => {
  expect(refusal(fields)).toMatchObject({
    code: 'invalid_field',
    field: 'input',
    message: 'Exactly one of "input" and "input_base64" is needed.',
  });
});

test('input up to the limit is accepted, and more is refused with the name of its field', () => {
  const most = 'x'.repeat(MAX_INPUT_BYTES);
  expect(inputBytes({ text: most, text_base64: undefined })).toHaveLength(MAX_INPUT_BYTES);
  expect(refusal({ text: `${most}x`, text_base64: undefined })).toMatchObject({ code: 'invalid_field', field: 'text' });
  const base64 = Buffer.alloc(MAX_INPUT_BYTES + 1).toString('base64');
  expect(refusal({ text: undefined, text_base64: base64 })).toMatchObject({ field: 'text_base64' });
});
