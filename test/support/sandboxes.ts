/**
 * Sandboxes, as agents and services have them, around the built command line. Each is a command to put before another, tried
 * once: where the machine does not allow it (no user namespaces, no seccomp), its tests are left out and it is said.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { it } from 'vitest';
import { CLI } from './cli.js';
import { itNeeds } from './programs.js';

/** Like the process's own, for what becomes of it inside. */
export type Sandbox = readonly [program: string, ...args: string[]];

export interface Inside {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const REFUSE_SOCKETS = fileURLToPath(new URL('programs/refuse-sockets.py', import.meta.url));

/** All is read-only, with a /dev and a /proc of its own, except the listed paths. */
export function bubblewrap(...options: string[]): Sandbox {
  return ['bwrap', '--die-with-parent', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', ...options];
}

/** @param errno of a Unix socket; 0 for the end of who asks for one. @param calls that are refused */
export function withoutSockets(errno: number, calls: 'socket' | 'socket,socketpair' = 'socket'): Sandbox {
  return ['python3', REFUSE_SOCKETS, String(errno), calls];
}

/** A shell with this limit (`-n 20`). */
export function limited(...ulimit: string[]): Sandbox {
  return ['sh', '-c', `ulimit ${ulimit.join(' ')} && exec "$@"`, 'sh'];
}

/** `it`, for tests in such sandboxes. */
export function itIn(...sandboxes: readonly Sandbox[]): typeof it | typeof it.skip {
  const test = itNeeds(...new Set(sandboxes.map(([program]) => program)));
  const refused = sandboxes.map(whyNot).find((reason) => reason !== undefined);
  if (refused === undefined) return test;
  process.stderr.write(`NOT TESTED, since this machine does not allow it: ${refused}\n`);
  return test.skip;
}

function whyNot([program, ...args]: Sandbox): string | undefined {
  const { error, status, stderr } = spawnSync(program, [...args, 'true'], { encoding: 'utf8' });
  if (error !== undefined) return undefined; // It is absent, which has been said.
  return status === 0 ? undefined : `${program}: ${stderr.trim()}`;
}

export async function t4aIn(
  [program, ...args]: Sandbox,
  words: readonly string[],
  inside: Inside = {},
): Promise<Ended> {
  return runIn([program, ...args], [process.execPath, CLI, ...words], inside);
}

/** Several commands in one sandbox, of which a daemon is the last to leave: `t4a` is one of them. */
export async function scriptIn(sandbox: Sandbox, script: string, inside: Inside = {}): Promise<Ended> {
  return runIn(sandbox, ['sh', '-c', `t4a() { '${process.execPath}' '${CLI}' "$@"; }\n${script}`], inside);
}

export async function runIn([program, ...args]: Sandbox, command: readonly string[], inside: Inside): Promise<Ended> {
  const child = spawn(program, [...args, ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: inside.cwd ?? '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LANG: 'C.UTF-8', HOME: '/', ...inside.env },
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { status: child.exitCode, stdout, stderr };
}

export interface Finding {
  readonly state: 'ok' | 'warning' | 'failure';
  readonly says: string;
  readonly advice?: string;
}

/** What `doctor --json` has found, by what was looked at. */
export function findingsOf({ stdout, stderr }: Ended): Record<string, Finding> {
  if (stderr !== '') throw new Error(`the doctor said: ${stderr}`);
  const { findings } = JSON.parse(stdout) as { findings: (Finding & { check: string })[] };
  return Object.fromEntries(findings.map(({ check, ...finding }) => [check, finding]));
}

/** Checks that are not well; `load` is that of the machine, on which anything may run. */
export function problemsOf(ended: Ended): Record<string, Finding> {
  const findings = Object.entries(findingsOf(ended));
  return Object.fromEntries(findings.filter(([check, { state }]) => state !== 'ok' && check !== 'load'));
}
