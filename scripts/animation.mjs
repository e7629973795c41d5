// `npm run animation`: the moving picture of the README: a session in a terminal of a daemon of its own, exported from its history.
//   npm run animation -- [FILE]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect } from '../dist/client.js';
import { ENVIRONMENT, writeHistory, writeHome } from './gallery/files.mjs';
import { SESSION } from './gallery/session.mjs';

const [file = fileURLToPath(new URL('../docs/hello.gif', import.meta.url))] = process.argv.slice(2);
const cli = fileURLToPath(new URL('../dist/cli.cjs', import.meta.url));
const home = mkdtempSync(path.join(tmpdir(), 't4a-'));
const env = { ...ENVIRONMENT, PATH: process.env.PATH ?? '', HOME: home, TMUX_TMPDIR: home };
const cwd = writeHome(home);
writeHistory(path.join(home, 'history'), env);

const socketPath = path.join(home, 's');
const client = await connect({ socketPath });
try {
  const { command, cols, rows, steps } = SESSION;
  const { id } = await client.call('create', {
    cmd_args: command,
    cols,
    rows,
    cwd,
    env,
    inherit_env: false,
    shell_integration: false,
    wait: { until: { settled_ms: 300 } },
  });
  await client.call('marker', { id, label: 'begin' });
  for (const step of steps) await act(id, step);
  const range = ['--from', 'marker:begin', '--idle', '1800ms', '--scale', '80', '--fps', '20'];
  execFileSync(process.execPath, [cli, '--socket', socketPath, 'export', id, '-o', file, ...range], {
    stdio: 'inherit',
  });
  console.log(`${statSync(file).size} bytes`);
} finally {
  await client.call('shutdown', {});
  await client.close();
  rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/** Characters come one by one, as from a person; then the screen stands long enough to be read. */
async function act(id, { type = '', press = [], keyMs = 45, until, standsMs = 900 }) {
  for (const character of type) {
    await client.call('send', { id, input: character });
    await pause(keyMs);
  }
  for (const key of press) {
    await client.call('press', { id, keys: [key] });
    await pause(keyMs * 3);
  }
  const { outcome } = await client.call('wait', { id, until, timeout_ms: 10_000 });
  if (outcome !== 'matched') throw new Error(`the screen did not come to show ${JSON.stringify(until)}`);
  await pause(standsMs);
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
