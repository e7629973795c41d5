/** A package of a test's own: the built files, and dependencies of which some are its own copies, to be spoiled. */
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './consumer.js';
import { tempDir } from './temp-dir.js';

export interface CopiedPackage {
  readonly cli: string;
  readonly daemonEntry: string;
  readonly socketPath: string;
  readonly home: string;
  /** Path in its node_modules. */
  readonly installed: (...names: string[]) => string;
}

/** @param copied packages, of which each file is a copy. Others are links */
export function copiedPackage(...copied: readonly string[]): CopiedPackage {
  const { join, socketPath, path: home } = tempDir();
  const root = join('t4a');
  mkdirSync(path.join(root, 'node_modules'), { recursive: true });
  cpSync(path.join(ROOT, 'dist'), path.join(root, 'dist'), { recursive: true });
  for (const name of ['fonts', 'shell']) symlinkSync(path.join(ROOT, name), path.join(root, name));
  writeFileSync(path.join(root, 'package.json'), '{"type":"module"}');
  const installed = (...names: string[]): string => path.join(root, 'node_modules', ...names);
  for (const name of copied)
    cpSync(path.join(ROOT, 'node_modules', name), installed(name), { recursive: true, dereference: true });
  for (const name of ['node-pty', 'sharp', 'zod', ...scoped('@napi-rs'), ...scoped('@img')]) {
    if (copied.some((each) => name === each || name.startsWith(`${each}/`) || name.startsWith(`${each}-`))) continue;
    mkdirSync(path.dirname(installed(name)), { recursive: true });
    symlinkSync(path.join(ROOT, 'node_modules', name), installed(name));
  }
  return {
    cli: path.join(root, 'dist/cli.cjs'),
    daemonEntry: path.join(root, 'dist/daemon.cjs'),
    socketPath,
    home,
    installed,
  };
}

function scoped(scope: string): string[] {
  return readdirSync(path.join(ROOT, 'node_modules', scope)).map((name) => `${scope}/${name}`);
}
