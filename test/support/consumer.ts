/** A project that has t4a installed: this checkout, under its name, in a directory of the test's own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { onTestFinished } from 'vitest';
import { tempDir, type TempDir } from './temp-dir.js';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Consumer extends TempDir {
  /** Writes TypeScript as the JavaScript that it is without its types. */
  add(name: string, source: string): Promise<void>;
  run(
    command: string,
    args: readonly string[],
    env?: Record<string, string>,
  ): Promise<{ status: number; output: string }>;
}

export function consumer(): Consumer {
  const dir = tempDir();
  mkdirSync(dir.join('node_modules'));
  symlinkSync(ROOT, dir.join('node_modules/t4a'));
  writeFileSync(dir.join('package.json'), '{"type":"module"}');
  return {
    ...dir,
    async add(name, source) {
      const { code } = await transform(source, {
        loader: 'ts',
        format: name.endsWith('.cjs') ? 'cjs' : 'esm',
        target: 'node20.19',
      });
      writeFileSync(dir.join(name), code);
    },
    async run(command, args, env = {}) {
      const child = spawn(command, args, {
        cwd: dir.path,
        env: { ...process.env, T4A_SOCKET: dir.socketPath, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      onTestFinished(() => void (child.exitCode === null && child.kill('SIGKILL')));
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
      const [status] = (await once(child, 'close')) as [number];
      return { status, output };
    },
  };
}

export function readRoot(name: string): string {
  return readFileSync(path.join(ROOT, name), 'utf8');
}
