/** `t4a client`: where the native client lies, which runs in containers that have neither Node nor a C library. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { T4aError, quote } from '../../protocol/errors.js';
import type { LocalCommand } from './local-command.js';

/** @throws T4aError usage */
export const nativeClient: LocalCommand = ({ options }, host, bundles) => {
  if (options['path'] !== true) throw new T4aError('usage', 'Say what to do: "t4a client --path" prints a path.');
  const { arch = process.arch } = options as { arch?: string };
  const path = join(bundles.root(), 'dist/native', arch, 't4a');
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new T4aError('usage', `This installation has no native client for ${arch}: ${quote(path)} is missing.`, {
      hint: `In a checkout, install ${arch === process.arch ? 'a C compiler' : `a C compiler for ${arch}`} and run "npm run build".`,
    });
  }
  host.out(options['json'] === true ? `${JSON.stringify({ ok: true, path, arch })}\n` : `${path}\n`);
  return 0;
};
