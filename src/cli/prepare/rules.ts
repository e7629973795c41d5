/** `t4a rules check FILE`: the request has the text of the file, and its name for errors. */
import { errnoOf } from '../../base/errno.js';
import { readGivenFile, RefusedFile } from '../../base/settings-file.js';
import { quote, T4aError } from '../../protocol/errors.js';
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
    return { ...params, rules: readGivenFile(absolutePath(file, host)), name: file };
  } catch (error) {
    if (error instanceof RefusedFile) throw new T4aError('usage', `${quote(file)} ${error.message}.`);
    throw new T4aError('usage', `${quote(file)} cannot be read (${errnoOf(error) ?? String(error)}).`);
  }
};
