/** `t4a rules check FILE`: the request has the text of the file, and its name for errors. */
import { errnoOf } from '../../base/errno.js';
import { constants } from 'node:fs';
import { MAX_SETTINGS_BYTES } from '../../base/settings-file.js';
import { quote, T4aError } from '../../protocol/errors.js';
import { type Files, readToEnd } from '../files.js';
import type { Prepare } from './preparer.js';
import { absolutePath } from './spawn.js';
import { readStdin } from './stdin.js';

export const prepareRules: Prepare = async ({ params }, host) => {
  const file = params['rules'];
  if (typeof file !== 'string') return params;
  if (file === '-') {
    return { ...params, rules: Buffer.from(await readStdin(host.stdin())).toString('utf8'), name: 'standard input' };
  }
  try {
    return { ...params, rules: await readGiven(absolutePath(file, host), host.files), name: file };
  } catch (error) {
    if (error instanceof RangeError) throw new T4aError('usage', `${quote(file)} ${error.message}.`);
    throw new T4aError('usage', `${quote(file)} cannot be read (${errnoOf(error) ?? String(error)}).`);
  }
};

/** Also another user's, and a pipe, as in `<(jq …)`. What never ends is refused. */
async function readGiven(path: string, files: Files): Promise<string> {
  const file = await files.open(path, constants.O_RDONLY | constants.O_NOCTTY);
  try {
    return (await readToEnd(file, MAX_SETTINGS_BYTES)).toString('utf8');
  } finally {
    await file.close();
  }
}
