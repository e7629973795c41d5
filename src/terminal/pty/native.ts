/** The only file that imports node-pty: its native half, loaded by the first terminal. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { checkLibc, ptyFailure } from './failure.js';

/** The native half of node-pty 1.2.0-beta.15, pinned exactly because this interface is not declared stable. */
export interface NativePty {
  fork(
    file: string,
    args: string[],
    env: string[],
    cwd: string,
    cols: number,
    rows: number,
    uid: number,
    gid: number,
    utf8: boolean,
    helperPath: string,
    onExit: (code: number, signal: number) => void,
  ): { fd: number; pid: number; pty: string };
  resize(fd: number, cols: number, rows: number, widthPixels: number, heightPixels: number): void;
  process(fd: number, device: string): string | undefined;
}

let loaded: { native: NativePty; helperPath: string } | undefined;

/** Loads it with the first terminal, not when the daemon starts. @throws T4aError spawn_failed if no build fits */
export function loadNative(): { native: NativePty; helperPath: string } {
  if (loaded !== undefined) return loaded;
  const require = createRequire(import.meta.url);
  const root = path.dirname(require.resolve('node-pty/package.json'));
  checkLibc(root);
  const native = load(require, root);
  const candidates = ['build/Release', `prebuilds/${process.platform}-${process.arch}`];
  // Only macOS spawns through the helper; elsewhere the path is ignored.
  const helpers = candidates.map((folder) => path.join(root, folder, 'spawn-helper'));
  loaded = { native, helperPath: helpers.find((file) => existsSync(file)) ?? helpers[0] ?? '' };
  return loaded;
}

function load(require: NodeJS.Require, root: string): NativePty {
  try {
    return (require('node-pty') as { native: NativePty }).native;
  } catch (error) {
    throw ptyFailure(root, error, require);
  }
}
