/**
 * Hosts that mean harm, behind a command and behind a socket that is swapped for links: the gateway lives, so do twenty
 * terminals, another client is answered, nothing of a host is said in t4a's name, and nothing active reaches a person's terminal.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, linkSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { connect, type Client } from '../../src/client/index.js';
import type { Random } from '../support/random.js';
import { Failures, type Report } from '../support/report.js';
import { eventually, TrialDaemon } from '../support/trial-daemon.js';
import { commands, events, requests, type Round, swaps } from './host-rounds.js';
import { hostileHost } from './hostile-host.js';

const TERMINALS = 20;
/** On a machine whose cores are all busy. */
const MAX_WAIT_MS = 3000;
const MAX_RSS_BYTES = 1_000_000_000;
const BRIDGE = `const s = require('node:net').connect(process.argv[1]); process.stdin.pipe(s).pipe(process.stdout); s.on('error', () => process.exit(1));`;

/** By kind. */
const ROUNDS: Readonly<Record<string, (round: Round) => Promise<void>>> = {
  'requests through a gateway': requests,
  'events of all hosts': events,
  'commands on a terminal': commands,
  'swapped links': swaps,
};

export async function fuzzHosts(root: string, rounds: number, random: Random): Promise<Report> {
  const failures = new Failures();
  const dir = mkdtempSync('/tmp/t4a-trial-');
  const env = { HOME: dir, XDG_CONFIG_HOME: path.join(dir, 'config'), XDG_RUNTIME_DIR: dir };
  const daemon = await TrialDaemon.start(root, dir, env);
  const told = new Map<string, number>();
  const far = hostileHost(random, told).listen(path.join(dir, 'evil'));
  await once(far, 'listening');
  mkdirSync(path.join(dir, 'x'));
  linkSync(path.join(dir, 'evil'), path.join(dir, 'x', 't4a.sock'));
  mkdirSync(path.join(dir, 'config', 't4a'), { recursive: true, mode: 0o700 });
  const hosts = {
    box: { command: [process.execPath, '-e', BRIDGE, path.join(dir, 'evil')] },
    swapped: `unix:${dir}/x/t4a.sock`,
  };
  writeFileSync(path.join(dir, 'config', 't4a', 'hosts.json'), JSON.stringify({ hosts }), { mode: 0o600 });
  const cli = path.join(root, 'dist/cli.cjs');
  const gateway = spawn(process.execPath, [cli, 'fleet', '--socket', path.join(dir, 'fleet')], {
    env: { ...process.env, ...env, T4A_SOCKET: daemon.socketPath },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  gateway.stderr.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-10_000)));
  const client = await connect({ socketPath: daemon.socketPath, autoStart: false });
  const done = new Map(Object.keys(ROUNDS).map((name) => [name, 0]));
  let [worstMs, rss] = [0, 0];
  try {
    for (let i = 0; i < TERMINALS; i++) await client.call('create', { name: `own${i}`, cmd_args: ['cat'] });
    if (!(await eventually(() => existsSync(path.join(dir, 'fleet')), 20_000))) throw new Error('no gateway listens');
    const bystander = await connect({ socketPath: path.join(dir, 'fleet'), autoStart: false });
    for (let number = 0; number < rounds && !failures.full && gateway.exitCode === null; number++) {
      const name = [...done.keys()][number % done.size] ?? '';
      done.set(name, (done.get(name) ?? 0) + 1);
      const round = { dir, env: { ...env, T4A_SOCKET: daemon.socketPath }, cli, client, random, failures };
      const worst = await besides(bystander, () => ROUNDS[name]?.(round));
      worstMs = Math.max(worstMs, worst);
      if (worst > MAX_WAIT_MS) failures.add(`round ${number} (${name}): another client waited ${Math.round(worst)} ms`);
      const { terminals } = await client.call('list', {});
      const alive = terminals.filter((one) => one.alive && one.id.startsWith('own')).length;
      if (alive !== TERMINALS) failures.add(`round ${number} (${name}): ${alive} of ${TERMINALS} terminals live`);
      const strange = terminals.filter((one) => !one.id.startsWith('own'));
      if (strange.length > 0) failures.add(`round ${number} (${name}): ${strange[0]?.id} was made here`);
      rss = Math.max(rss, residentBytes(gateway.pid ?? 0));
    }
    if (rss > MAX_RSS_BYTES) failures.add(`the gateway had ${rss} bytes`);
    if (gateway.exitCode !== null || gateway.signalCode !== null) failures.add(`the gateway ended: ${log}`);
    await bystander.close();
    const { faults } = await client.call('stats', {});
    if (faults > 0) failures.add(`${faults} faults of the daemon: ${daemon.log.slice(-500)}`);
    if (/ error /.test(log)) failures.add(`the gateway says ${log}`);
  } catch (error) {
    failures.add(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}; the gateway says ${log}`);
  } finally {
    await client.close();
    gateway.kill('SIGTERM');
    if (gateway.exitCode === null && gateway.signalCode === null) await once(gateway, 'exit');
    far.close();
    await daemon.stop();
    daemon.remove();
  }
  const answers = [...told.values()].reduce((sum, count) => sum + count, 0);
  const figures: Report['figures'] = [
    ...done,
    ['hostile answers', answers],
    ['kinds of them', told.size],
    ['longest wait of another client, ms', Math.round(worstMs)],
    ['memory of the gateway, MB', Math.round(rss / 1e6)],
  ];
  return { figures, failures: failures.list };
}

/** @returns the longest time of a small read meanwhile */
async function besides(client: Client, act: () => Promise<void> | undefined): Promise<number> {
  let isOver = false;
  let worst = 0;
  const acting = Promise.resolve(act()).finally(() => (isOver = true));
  while (!isOver) {
    const beganMs = performance.now();
    await client.call('text', { id: 'own0' });
    worst = Math.max(worst, performance.now() - beganMs);
  }
  await acting;
  return worst;
}

function residentBytes(pid: number): number {
  const [, kib = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) * 1024;
}
