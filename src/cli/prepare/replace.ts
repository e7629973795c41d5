/** `t4a replace`: what this command line is of takes the place, unless another one is named. */
import { defaultDaemonEntry } from '../../client/paths.js';
import type { Prepare } from './preparer.js';

export const prepareReplace: Prepare = ({ params, options }) =>
  options['on'] === undefined ? { exec: process.execPath, entry: defaultDaemonEntry(), ...params } : params;
