/** `t4a rules check FILE`: the request has the text of the file, and its name for errors. */
import { readFileSync } from 'node:fs';
import { errnoOf } from '../../base/errno.js';
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
    return { ...params, rules: readFileSync(absolutePath(file, host), 'utf8'), name: file };
  } catch (error) {
    throw new T4aError('usage', `${quote(file)} cannot be read (${errnoOf(error) ?? String(error)}).`);
  }
};
