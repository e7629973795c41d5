/** Hosts of a test's or a file's own: a folder of configuration, daemons behind routes, and programs that stand for ssh and the like. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { onTestFinished } from 'vitest';
import { CLI, type CliOptions, type CliResult, runCli } from './cli.js';
import { runCliHere } from './cli-in-process.js';
import { builtDaemonEntry, cacheHome } from './daemon.js';
import { endDaemonAt } from './end-daemon.js';
import type { AtEnd } from './of-file.js';
import { startOwnDaemon } from './own-daemon.js';
import { type TempDir, tempDir } from './temp-dir.js';

export interface TestFleet {
  readonly dir: TempDir;
  readonly env: Readonly<Record<string, string>>;
  readonly t4a: (args: readonly string[], options?: CliOptions) => Promise<CliResult>;
  /** Standard output of a command that must succeed. */
  readonly output: (...args: string[]) => Promise<string>;
  /** A daemon on a socket of that name. */
  readonly daemon: (name: string) => Promise<string>;
  /** Puts a program on the PATH that notes its arguments and then is `t4a stdio` for the daemon of that socket. */
  readonly standIn: (program: string, socketPath: string, before?: string) => { readonly calls: () => string[] };
}

let edited: Promise<unknown> = Promise.resolve();

/** `t4a hosts` in the process of the test: it reads and writes one file. One after the other, since the environment is shared. */
function hostsHere(args: readonly string[], options: CliOptions): Promise<CliResult> {
  const ran = edited.then(async () => {
    const before = process.env['XDG_CONFIG_HOME'];
    process.env['XDG_CONFIG_HOME'] = options.env?.['XDG_CONFIG_HOME'];
    try {
      return await runCliHere(args, options);
    } finally {
      if (before === undefined) delete process.env['XDG_CONFIG_HOME'];
      else process.env['XDG_CONFIG_HOME'] = before;
    }
  });
  edited = ran.catch(() => {});
  return ran;
}

/** The local daemon is the one of the socket `local`, which is not started yet. */
export function testFleet(atEnd: AtEnd = onTestFinished): TestFleet {
  const dir = tempDir(atEnd);
  mkdirSync(dir.join('bin'));
  mkdirSync(dir.join('config'), { mode: 0o700 });
  const env = {
    HOME: dir.path,
    XDG_CONFIG_HOME: dir.join('config'),
    XDG_CACHE_HOME: cacheHome,
    T4A_SOCKET: dir.join('local'),
    PATH: [dir.join('bin'), process.env['PATH']].join(delimiter),
  };
  atEnd(() => endDaemonAt(dir.join('local')));
  const t4a: TestFleet['t4a'] = (args, options = {}) => {
    const place = { cwd: dir.path, ...options, env: { ...env, ...options.env } };
    return args[0] === 'hosts' ? hostsHere(args, place) : runCli(args, place);
  };
  return {
    dir,
    env,
    t4a,
    async output(...args) {
      const { status, stdout, stderr } = await t4a(args);
      if (status !== 0) throw new Error(`t4a ${args.join(' ')}: ${status}: ${stderr}`);
      return stdout;
    },
    async daemon(name) {
      const socketPath = dir.join(name);
      const options = { cwd: dir.path, env: { ...process.env, ...env } };
      await startOwnDaemon(builtDaemonEntry, socketPath, options, atEnd);
      return socketPath;
    },
    standIn(program, socketPath, before = '') {
      const file = dir.join('bin', program);
      const log = dir.join(`${program}.log`);
      writeFileSync(log, '');
      const lines = [
        '#!/bin/sh',
        `for word; do printf '%s\\n' "$word" >> '${log}'; done`,
        before,
        `export T4A_SOCKET='${socketPath}'`,
        `exec '${process.execPath}' '${CLI}' stdio`,
      ];
      writeFileSync(file, `${lines.join('\n')}\n`);
      chmodSync(file, 0o755);
      return { calls: () => readFileSync(log, 'utf8').split('\n').slice(0, -1) };
    },
  };
}
