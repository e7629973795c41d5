/** From which terminal a server of tools was started, on the system itself: it is asked who it is. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { expect } from 'vitest';
import { CLI } from '../support/cli.js';
import { agentsOfFile } from '../support/fake-agent.js';
import { itCannot, itNeeds } from '../support/programs.js';

const withAgent = agentsOfFile();

const MESSAGES = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/call', params: { name: 'whoami', arguments: {} } },
];

/** @param around the command that starts the server: `$1` is a script @returns what whoami says */
async function whoIs(around: string, variables: 'kept' | 'cleared'): Promise<string> {
  const fake = await withAgent();
  fake.preset('agents', 'shell.json', { name: 'shell', argv: ['/bin/sh'], env: { PS1: '$ ' } });
  await fake.run('crew', 'trust', 'shell');
  // Another one, which must not be taken for it.
  await fake.run('crew', 'spawn', 'shell');
  await fake.run('crew', 'spawn', 'shell');
  const [messages, out, end, ended, script] = ['in', 'out', 'end', 'ended', 'serve.sh'].map((name) =>
    fake.dir.join(name),
  ) as [string, string, string, string, string];
  writeFileSync(messages, MESSAGES.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join(''));
  const places = Object.entries(fake.env).filter(([name]) => name === 'HOME' || name.startsWith('XDG_'));
  const clear = variables === 'cleared' ? `env -i ${places.map((one) => one.join('=')).join(' ')}` : '';
  const server = `'${process.execPath}' '${CLI}' --socket '${fake.socketPath}' mcp --profile crew`;
  // Its standard input stays open: calls under way end with it.
  writeFileSync(
    script,
    `(cat '${messages}'; until [ -e '${end}' ]; do sleep 0.05; done) | ${clear} ${server} > '${out}'\n: > '${ended}'\n`,
  );
  await fake.client.call('type', { id: 'shell-2', text: around.replaceAll('$1', `sh '${script}'`), submit: true });
  const said = (): string => (existsSync(out) ? readFileSync(out, 'utf8') : '');
  await expect.poll(said, { timeout: 20_000 }).toContain('"id":2');
  writeFileSync(end, '');
  await expect.poll(() => existsSync(ended), { timeout: 20_000 }).toBe(true);
  return said().replaceAll('\\', '');
}

const KNOWN = '"process_id":"shell-2","role":"orchestrator"';

const inPidNamespace =
  spawnSync('unshare', ['-Urpf', 'true']).status === 0 ? itNeeds('unshare') : itCannot('a namespace of pids');

itNeeds('setsid')('a server in a session of its own is known by its parents, without variables', async () => {
  expect(await whoIs('(setsid $1; true)', 'cleared')).toContain(KNOWN);
});

itNeeds('setsid')('a server that has left its parents is known by its variables', async () => {
  expect(await whoIs('setsid -f $1', 'kept')).toContain(KNOWN);
});

itNeeds('setsid')('a server that has left its parents, without variables, looks only', async () => {
  const said = await whoIs('setsid -f $1', 'cleared');
  expect(said).toContain('"process_id":null,"role":"process"');
});

itNeeds('tmux')('a server in tmux is known by its variables', async () => {
  expect(await whoIs('tmux -L "t4a-$$" -f /dev/null new-session -d "$1"', 'kept')).toContain(KNOWN);
});

inPidNamespace('a server in a namespace of pids is known by its variables', async () => {
  expect(await whoIs('unshare -Urpf --mount-proc $1', 'kept')).toContain(KNOWN);
});

inPidNamespace('a server in a namespace of pids that sees the pids of the system is known by its parents', async () => {
  expect(await whoIs('unshare -Urpf $1', 'cleared')).toContain(KNOWN);
});
