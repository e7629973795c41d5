/** A person's folders for the crew, of one test: presets, projects, runtime files. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import type { CliOptions, CliResult } from './cli.js';
import { runCliHere } from './cli-in-process.js';
import { type TempDir, tempDir } from './temp-dir.js';

export interface TestCrew {
  readonly dir: TempDir;
  readonly env: Readonly<Record<string, string>>;
  /** The command line in the process of the test, in the folder `project`. */
  readonly t4a: (args: readonly string[], options?: CliOptions) => Promise<CliResult>;
  readonly project: string;
  /** Writes a file of a preset. @returns its path */
  readonly preset: (kind: 'agents' | 'processes', file: string, content: object | string) => string;
}

export function testCrew(): TestCrew {
  const dir = tempDir();
  const project = dir.join('shop');
  for (const folder of ['config', 'data', 'state', 'run']) mkdirSync(dir.join(folder), { mode: 0o700 });
  mkdirSync(project);
  for (const kind of ['agents', 'processes'])
    mkdirSync(dir.join('config', 't4a', 'presets', kind), { recursive: true });
  const env = {
    HOME: dir.path,
    XDG_CONFIG_HOME: dir.join('config'),
    XDG_DATA_HOME: dir.join('data'),
    XDG_STATE_HOME: dir.join('state'),
    XDG_RUNTIME_DIR: dir.join('run'),
    SHELL: '/bin/sh',
  };
  return {
    dir,
    env,
    project,
    t4a: (args, options = {}) => runCliHere(args, { cwd: project, ...options, env: { ...env, ...options.env } }),
    preset(kind, file, content) {
      const path = dir.join('config', 't4a', 'presets', kind, file);
      writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
      chmodSync(path, 0o644);
      return path;
    },
  };
}
