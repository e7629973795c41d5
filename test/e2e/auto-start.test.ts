/** The start of exactly one daemon by the first command, and its end without traces. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DIST } from '../support/daemon.js';
import { endDaemonAt } from '../support/end-daemon.js';
import { rawRequest } from '../support/raw.js';
import { runsOf } from '../support/trial.js';

let dir: string;
let socketPath: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 't4a-'));
  socketPath = path.join(dir, 's');
});
afterEach(async () => {
  await endDaemonAt(socketPath);
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
});

interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function finish(child: ChildProcess): Promise<Result> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => void (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => void (stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

function t4a(...args: string[]): Promise<Result> {
  return finish(
    spawn(process.execPath, [path.join(DIST, 'cli.cjs'), ...args], {
      env: { ...process.env, T4A_SOCKET: socketPath },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
}

function daemonsOnSocket(): number {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
        return (
          words.some((word) => word.endsWith('daemon.cjs')) && `${words.join(' ')} ${environment}`.includes(socketPath)
        );
      } catch {
        return false; // ENOENT: it ended while we looked.
      }
    }).length;
}

describe('auto-start', () => {
  it('the first command starts a daemon that the next one finds', async () => {
    expect(await t4a('list')).toMatchObject({ code: 0 });
    const first = JSON.parse((await t4a('ping', '--json')).stdout) as { pid: number };
    expect(await t4a('list')).toMatchObject({ code: 0 });
    const second = JSON.parse((await t4a('ping', '--json')).stdout) as { pid: number };
    expect(second.pid).toBe(first.pid);
    expect(statSync(socketPath).mode & 0o777).toBe(0o600);
  });

  it('simultaneous first commands start one daemon, and all of them succeed', async () => {
    const count = runsOf({ suite: 25, trial: 100 });
    const results = await Promise.all(Array.from({ length: count }, () => t4a('create', '--', 'cat')));
    expect(results.filter((result) => result.code !== 0)).toEqual([]);
    // Different ids, which only one and the same daemon can give out.
    expect(new Set(results.map((result) => result.stdout.trim())).size).toBe(count);
    expect(JSON.parse((await t4a('ping', '--json')).stdout)).toMatchObject({ terminals: count });
    expect(daemonsOnSocket()).toBe(1);
  }, 120_000);

  it('the first command after a killed daemon starts another one on the same socket', async () => {
    await t4a('list');
    const { pid } = JSON.parse((await t4a('ping', '--json')).stdout) as { pid: number };
    const events = await rawRequest(socketPath, { cmd: 'create', cmd_args: ['sleep', '1000'] });
    expect(events.header).toMatchObject({ ok: true });
    process.kill(pid, 'SIGKILL');
    expect(JSON.parse((await t4a('list', '--json')).stdout)).toMatchObject({ terminals: [] });
    expect((JSON.parse((await t4a('ping', '--json')).stdout) as { pid: number }).pid).not.toBe(pid);
  });

  it('shutdown ends the terminals and the daemon, and removes the socket', async () => {
    const id = (await t4a('create', '--', 'sleep', '1000')).stdout.trim();
    expect(id).toBe('t1');
    const { terminals } = JSON.parse((await t4a('list', '--json')).stdout) as { terminals: { pid: number }[] };
    expect(await t4a('shutdown')).toMatchObject({ code: 0 });
    expect(existsSync(socketPath)).toBe(false);
    expect(() => process.kill(terminals[0]?.pid ?? 0, 0)).toThrow(/ESRCH/);
    expect(readdirSync(dir).filter((name) => !name.endsWith('.log'))).toEqual([]);
  });
});

describe('t4a daemon', () => {
  it('runs in the foreground and ends after its timeout without use', async () => {
    const daemon = finish(
      spawn(process.execPath, [path.join(DIST, 'cli.cjs'), 'daemon', '300'], {
        env: { ...process.env, T4A_SOCKET: socketPath },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
    expect(await daemon).toMatchObject({ code: 0, stderr: expect.stringContaining('shutting down') });
    expect(existsSync(socketPath)).toBe(false);
  });

  it('is refused on a socket that already has a daemon', async () => {
    await t4a('list');
    expect(await t4a('daemon')).toMatchObject({
      code: expect.any(Number),
      stderr: expect.stringMatching(/already|another/),
    });
    expect(await t4a('ping')).toMatchObject({ code: 0 });
  });

  it.each(['0', '-5', 'soon', '1.5'])('refuses the timeout %s', async (timeout) => {
    expect(await t4a('daemon', '--', timeout)).toMatchObject({ code: 2 });
  });
});
