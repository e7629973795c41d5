// Records the fixture of the profile of an agent from the real program, which talks to a model that answers from a script, and may
// ask on the way whether to run a command. After a build: `node scripts/record-agents.mjs NAME PROGRAM`, where NAME is one
// of agents/programs.mjs and PROGRAM the path of it, installed anywhere (npm install --prefix DIR @openai/codex). That nothing
// leaves the machine is enforced by `bwrap --dev-bind / / --unshare-net node …`. Writes test/activity/fixtures/NAME.out.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { PROGRAMS } from './agents/programs.mjs';
import { startModel } from './agents/scripted-model.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const [name, program] = process.argv.slice(2);
const prepare = PROGRAMS[name];
if (prepare === undefined || program === undefined) {
  throw new Error(`usage: node scripts/record-agents.mjs ${Object.keys(PROGRAMS).join('|')} PROGRAM`);
}

/** Always the same, since programs print it. */
const directory = '/tmp/t4a-fixture';
const [home, project] = [join(directory, 'home'), join(directory, 'project')];
const socket = join('/tmp', `t4a-record-${process.pid}.s`);

/** In a process of its own, while this one answers. */
async function t4a(...args) {
  const child = spawn(process.execPath, [join(root, 'dist/cli.cjs'), '--socket', socket, ...args], { cwd: directory });
  const chunks = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  const status = await new Promise((resolve) => child.on('close', resolve));
  if (status === null || status >= 124) throw new Error(`t4a ${args.join(' ')}: status ${status}`);
  return Buffer.concat(chunks);
}

const settled = (ms) => t4a('wait', name, '--settled', String(ms), '--timeout', '15s');
const shown = (text) => t4a('wait', name, '--text', text, '--timeout', '20s');

async function say(text) {
  await t4a('type', name, text);
  await delay(700);
  await t4a('press', name, 'Enter');
}

async function answer(key) {
  await shown(question);
  await settled(300);
  await t4a('press', name, key);
}

rmSync(directory, { recursive: true, force: true });
for (const folder of [home, project]) mkdirSync(folder, { recursive: true });
for (const file of ['a.txt', 'b.txt']) writeFileSync(join(project, file), 'text\n');
const model = await startModel();
const { variables, args, question } = prepare({ home, project, url: `http://127.0.0.1:${model.address().port}` });
const env = Object.entries({ HOME: home, ...variables }).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
try {
  await t4a('create', '--name', name, '--cols', '80', '--rows', '40', '--cwd', project, ...env, '--', program, ...args);
  await settled(1500);
  await delay(2000);
  await say('List the files and clean the log');
  if (question !== '') await answer('Enter');
  await shown('The build is ready.');
  await settled(1500);
  await say('Thanks, that is all');
  if (question !== '') await answer('Escape');
  await settled(1000);
  writeFileSync(join(root, `test/activity/fixtures/${name}.out`), await t4a('output', name, '--max-bytes', '1048576'));
} catch (error) {
  console.error((await t4a('text', name)).toString());
  throw error;
} finally {
  await t4a('shutdown');
  model.close();
}
rmSync(directory, { recursive: true, force: true });
