/** Bytes of a field that is given as text or as base64. */
import { T4aError } from '../../protocol/errors.js';
import { MAX_INPUT_BYTES } from '../../protocol/limits.js';

/** @param fields the text field first, then the base64 field @throws T4aError invalid_field */
export function inputBytes(fields: Readonly<Record<string, string | undefined>>): Uint8Array {
  const [textField = '', base64Field = ''] = Object.keys(fields);
  const text = fields[textField];
  const base64 = fields[base64Field];
  if ((text === undefined) === (base64 === undefined)) {
    const message = `Exactly one of "${textField}" and "${base64Field}" is needed.`;
    throw new T4aError('invalid_field', message, { field: textField, hint: `For example "${textField}": "hello".` });
  }
  const bytes = text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text, 'utf8');
  if (bytes.length <= MAX_INPUT_BYTES) return bytes;
  throw new T4aError('invalid_field', `The input is ${bytes.length} bytes; at most ${MAX_INPUT_BYTES} go at once.`, {
    field: text === undefined ? base64Field : textField,
    hint: 'Send it in parts.',
  });
}
