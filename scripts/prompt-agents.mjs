// Sends prompts to a real agent and counts those that its model received, each once and whole. After a build:
// `node scripts/prompt-agents.mjs NAME PROGRAM [HOW [TEXT [TIMES]]]`. NAME is claude, codex, opencode or gemini, PROGRAM the path of
// it; HOW is type, paste or deliver, with `-stalled` the program is stopped for 400 ms as the text comes; TEXT is line, lines (40 of them) or
// long (20 KB). The model answers from a script. That nothing leaves the machine is enforced by
// `bwrap --dev-bind / / --unshare-net node …`.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { PROGRAMS } from './agents/programs.mjs';
import { startModel } from './agents/scripted-model.mjs';

const STALL_MS = 400;
const root = fileURLToPath(new URL('..', import.meta.url));
const [name, program, how = 'type', kind = 'line', times = '10'] = process.argv.slice(2);
const TEXTS = {
  line: (n) => `Prompt ${n} of one line`,
  lines: (n) => Array.from({ length: 40 }, (_, i) => `Prompt ${n}, line ${i} of forty`).join('\n'),
  long: (n) => `Prompt ${n} ${'word '.repeat(4096)}end`,
};
const textOf = TEXTS[kind];
const [command, stalled] = how.split('-');
if (PROGRAMS[name] === undefined || program === undefined || textOf === undefined) {
  throw new Error(
    `usage: prompt-agents.mjs ${Object.keys(PROGRAMS).join('|')} PROGRAM [type|paste|deliver[-stalled]] [line|lines|long] [TIMES]`,
  );
}

const directory = mkdtempSync(join(tmpdir(), 't4a-prompts-'));
const [home, project] = [join(directory, 'home'), join(directory, 'project')];
for (const folder of [home, project]) mkdirSync(folder);
const socket = join(directory, 's');

async function t4a(args, input = '') {
  const child = spawn(process.execPath, [join(root, 'dist/cli.cjs'), '--socket', socket, ...args], { cwd: directory });
  const chunks = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const status = await new Promise((resolve) => child.on('close', resolve));
  return { status, out: Buffer.concat(chunks).toString() };
}

const received = [];
const outcomes = [];
const model = await startModel({ onAsked: (text) => received.push(text), answersOnly: true });
const { variables, args } = PROGRAMS[name]({ home, project, url: `http://127.0.0.1:${model.address().port}` });
const env = Object.entries({ HOME: home, ...variables }).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
let arrived = 0;
try {
  await t4a([
    'create',
    '--name',
    name,
    '--cols',
    '100',
    '--rows',
    '40',
    '--cwd',
    project,
    ...env,
    '--',
    program,
    ...args,
  ]);
  await t4a(['wait', name, '--settled', '1500', '--timeout', '30s']);
  await delay(2000);
  for (let n = 1; n <= Number(times); n++) {
    const text = textOf(n);
    if (stalled) {
      await t4a(['kill', name, '--signal', 'STOP']);
      setTimeout(() => void t4a(['kill', name, '--signal', 'CONT']), STALL_MS);
    }
    if (command !== 'deliver') await t4a([command, name, '--submit'], text);
    else outcomes.push(JSON.parse((await t4a(['deliver', name, '--json'], text)).out || '{}'));
    const isSame = (each) => each.replaceAll(/\s+/g, ' ').includes(text.replaceAll(/\s+/g, ' '));
    const deadline = Date.now() + 10_000;
    while (!received.some(isSame) && Date.now() < deadline) await delay(50);
    const isThere = received.some(isSame);
    const { outcome, ...receipt } = outcomes.at(-1) ?? {};
    if (command === 'deliver' && (outcome === 'submitted') !== isThere)
      console.log(`prompt ${n}, ${isThere}:`, outcome, receipt);
    if (isThere) arrived++;
    else {
      console.log(`prompt ${n} did not arrive:\n${(await t4a(['text', name])).out.trimEnd()}`);
      for (const key of ['Escape', 'Ctrl+C']) await t4a(['press', name, key]);
      await delay(1000);
    }
    await t4a(['wait', name, '--settled', '800', '--timeout', '20s']);
  }
} finally {
  await t4a(['shutdown']);
  model.close();
}
const twice = received.filter((text, i) => text.includes('Prompt ') && received.indexOf(text) !== i).length;
const proved = outcomes.filter(({ outcome }) => outcome === 'submitted').length;
const receipts = command === 'deliver' ? `, ${proved} proved, ${twice} twice` : '';
console.log(`${name} ${how} ${kind}: ${arrived} of ${times} arrived${receipts}`);
rmSync(directory, { recursive: true, force: true });
