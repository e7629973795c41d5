// `npm run gallery`: real programs in terminals of a daemon of its own, their pictures, and the page that shows them.
//   npm run gallery -- [--into DIR] [--scale N] [NAME…]     (some pictures, elsewhere or larger, for the eye; no page)
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { connect } from '../dist/client.js';
import { ENVIRONMENT, writeHistory, writeHome } from './gallery/files.mjs';
import { galleryPage } from './gallery/page.mjs';
import { SCENES } from './gallery/scenes.mjs';

const { values: asked, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { into: { type: 'string' }, scale: { type: 'string' } },
});
const docs = asked.into ?? fileURLToPath(new URL('../docs/', import.meta.url));
const home = mkdtempSync(path.join(tmpdir(), 't4a-'));
const environment = { ...ENVIRONMENT, PATH: process.env.PATH ?? '', HOME: home, TMUX_TMPDIR: home };
const demo = writeHome(home);
writeHistory(path.join(home, 'history'), environment);
mkdirSync(path.join(docs, 'gallery'), { recursive: true });

const client = await connect({ socketPath: path.join(home, 's') });
try {
  const taken = [];
  for (const scene of SCENES) taken.push({ scene, picture: await take(scene, path.join(docs, 'gallery')) });
  if (process.argv.length === 2) writeFileSync(path.join(docs, 'gallery.md'), galleryPage(taken));
} finally {
  await client.call('shutdown', {});
  await client.close();
  // A program that is being ended may still write.
  rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/** @returns facts of the picture, undefined for one that was not asked for */
async function take({ name, command, directory, ready, steps, cols = 80, rows, theme }, folder) {
  if (wanted.length > 0 && !wanted.includes(name)) return undefined;
  const { id } = await client.call('create', {
    cmd_args: command,
    cols,
    rows,
    cwd: directory === undefined ? demo : path.join(home, directory),
    inherit_env: false,
    env: environment,
    shell_integration: false,
    wait: { until: ready ?? { settled_ms: 300 } },
  });
  for (const { until, ...input } of steps) {
    const [cmd, fields] = act(id, input);
    const { wait } = await client.call(cmd, { ...fields, wait: { until, timeout_ms: 10_000 } });
    if (wait.outcome !== 'matched') throw new Error(`${name} did not come to show ${JSON.stringify(until)}.`);
  }
  await client.call('wait', { id, until: { settled_ms: 300 } });
  const picture = await client.call('screenshot', { id, scale: Number(asked.scale ?? 80), theme });
  writeFileSync(path.join(folder, `${name}.png`), picture.bytes);
  await client.call('kill', { id });
  console.log(`${name}: ${picture.width}x${picture.height}, ${picture.bytes.length} bytes`);
  return picture;
}

function act(id, { type, press, send }) {
  if (type !== undefined) return ['type', { id, text: type, submit: true }];
  if (press !== undefined) return ['press', { id, keys: press }];
  return ['send', { id, input: send }];
}
