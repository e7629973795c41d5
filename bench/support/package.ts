/** The package as `npm pack` makes it, its bounds, and how large folders are. */
import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';

export const PACKAGE_LIMITS = {
  // 7 MB, and what the native client for two architectures, its host and the tmux door weigh packed.
  tarballBytes: 7_400_000,
  files: 300,
  installedBytes: 90_000_000,
  installedWithoutOptionalBytes: 70_000_000,
} as const;

export interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

/** @param options of `npm pack`: `--dry-run`, or `--pack-destination` with a directory */
export function pack(root: string, options: readonly string[]): Packed {
  execFileSync(process.execPath, ['scripts/prepack.mjs'], { cwd: root });
  const output = execFileSync('npm', ['pack', '--ignore-scripts', '--json', ...options], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [first] = JSON.parse(output) as Packed[];
  if (first === undefined) throw new Error(`npm pack reports no package: ${output}`);
  return first;
}

/** @returns the bytes of all files in it */
export function sizeOf(file: string): number {
  const stat = lstatSync(file);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(file).reduce((sum, name) => sum + sizeOf(path.join(file, name)), 0);
}
