// `npm run walk [-- --files] [-- --json]`: how many files and functions of src/ a request enters, from the socket to its reply,
// by V8's coverage of the unbundled sources. A count, not a timing: the same on every machine. Files are in the order of entry.
// Files that docs/ARCHITECTURE.md names on a screenshot's walk and that are not entered are listed. All of it informs; no count is a failure.
import { build } from 'esbuild';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { createConnection } from 'node:net';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const wanted = process.argv.slice(2);
const root = fileURLToPath(new URL('..', import.meta.url));

/** Files entered in each of so many measurements: a timer of a detector that ran beside one of them is not among them. */
const ROUNDS = 5;

const directory = mkdtempSync(join(root, '.walk-'));
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));

await emitSources();
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

const socketPath = join(directory, 's');
process.argv = [process.argv[0], 'daemon', '--socket', socketPath];
await import(pathToFileURL(join(directory, 'src/daemon/main.js')).href);
const ask = requests(await connected(socketPath));
const bells = await connected(socketPath);

let id;
try {
  const program = ['sh', '-c', 'stty raw -echo; printf ready; exec cat'];
  const wait = { until: { text: 'ready' } };
  ({ id } = await ask({ cmd: 'create', cmd_args: program, shell_integration: false, wait }));
  const subscribed = new Promise((resolve) => bells.once('data', resolve));
  bells.write(`${JSON.stringify({ cmd: 'events', terminal: id, types: ['bell'], ack: true })}\n`);
  await subscribed;
  const walks = await walkAll();
  if (wanted.includes('--json')) console.log(JSON.stringify(walks));
  else {
    for (const [name, walked] of Object.entries(walks)) print(name, walked);
    printNotEntered(walks['screenshot, one changed row'].files);
  }
} catch (error) {
  // The daemon in this process would only log it, and serve on.
  console.error(error);
  process.exit(1);
}
await ask({ cmd: 'shutdown' });

async function walkAll() {
  const picture = { cmd: 'screenshot', id };
  for (let i = 0; i < 3; i++) {
    await change();
    await ask(picture);
  }
  const look = () => ask(picture);
  const nothing = () => {};
  const key = { cmd: 'press', id, keys: ['y'] };
  const seen = { wait: { until: { text: 'y' } }, observe: { text: true } };
  return {
    'screenshot, unchanged': await walk(look, look),
    'screenshot, one changed row': await walk(change, look),
    list: await walk(nothing, () => ask({ cmd: 'list' })),
    'a key': await walk(nothing, () => ask(key)),
    'a key, a wait and the text': await walk(nothing, () => ask({ ...key, ...seen })),
  };
}

function print(name, { files, functions }) {
  console.log(`${name}: ${files.length} files, ${functions} functions`);
  if (wanted.includes('--files')) console.log(files.map((file) => `  ${file}\n`).join(''));
}

function printNotEntered(files) {
  const page = readFileSync(join(root, 'docs/ARCHITECTURE.md'), 'utf8');
  const walk = page.slice(page.indexOf('### A screenshot'), page.indexOf('### A byte'));
  const named = [...walk.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file]) => `src/${file}`);
  const missing = named.filter((file) => !files.includes(file));
  if (missing.length > 0) console.log(`on the walk of docs/ARCHITECTURE.md, but not entered: ${missing.join(', ')}`);
}

/** Every source as the JavaScript that it is without its types, one file each. */
async function emitSources() {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  await build({
    absWorkingDir: root,
    entryPoints: sources.filter((name) => name.endsWith('.ts')).map((name) => join('src', name)),
    outbase: 'src',
    outdir: join(directory, 'src'),
    format: 'esm',
    target: 'node20.19',
    define: { T4A_VERSION: '"0.0.0"', T4A_PROGRAM_HASHES: '{}' },
    // A file that is CommonJS at run time, which no walk enters.
    logLevel: 'error',
  });
  symlinkSync(join(root, 'fonts'), join(directory, 'src/fonts'));
  symlinkSync(join(root, 'shell'), join(directory, 'src/shell'));
  symlinkSync(join(root, 'dist'), join(directory, 'dist'));
}

async function connected(path) {
  for (;;) {
    const socket = createConnection(path);
    try {
      await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
      return socket;
    } catch {
      // The daemon is not listening yet.
      await new Promise(setImmediate);
    }
  }
}

/** Requests of one connection, one after another. @returns asks, and resolves with the reply's line */
function requests(socket) {
  return (fields) => request(socket, fields);
}

async function request(socket, fields) {
  socket.write(`${JSON.stringify(fields)}\n`);
  let received = Buffer.alloc(0);
  for (;;) {
    const newline = received.indexOf(0x0a);
    if (newline !== -1) {
      const header = JSON.parse(received.subarray(0, newline).toString());
      if (header.ok !== true) throw new Error(`${fields.cmd}: ${header.error}`);
      if (received.length >= newline + 1 + (header.len ?? 0)) return header;
    }
    const chunk = await new Promise((resolve) => socket.once('data', resolve));
    received = Buffer.concat([received, chunk]);
  }
}

/**
 * One more character in the row of the cursor, parsed when this resolves, and nothing read of it: a wait or a reading command would take
 * the snapshot, and after a wait the next picture is drawn ahead. What is done before the request would not be counted.
 */
async function change() {
  // The one picture that is drawn ahead for each that was asked for: drawn now, of the screen as it is.
  await ask({ cmd: 'wait', id, until: { changed_since: 0 } });
  const rung = new Promise((resolve) => bells.once('data', resolve));
  await ask({ cmd: 'send', id, input: 'x\x07' });
  await rung;
}

async function walk(prepare, act) {
  const rounds = [];
  for (let i = 0; i < ROUNDS; i++) {
    await prepare();
    await session.post('Profiler.takePreciseCoverage');
    await act();
    rounds.push(entered(await session.post('Profiler.takePreciseCoverage')));
  }
  const [first, ...others] = rounds;
  const always = [...first].filter(([key]) => others.every((round) => round.has(key))).map(([, place]) => place);
  return { files: await inOrder(always, prepare, act), functions: always.length };
}

/** Functions with the place of each, by a name of their own. */
function entered({ result }) {
  const found = new Map();
  for (const { url, scriptId, functions } of result) {
    const file = url.startsWith('file:') ? relative(directory, fileURLToPath(url)) : '';
    if (!file.startsWith('src/')) continue;
    for (const { functionName, ranges } of functions) {
      const [{ count, startOffset, endOffset }] = ranges;
      // The whole module counts where it was loaded, not where it was entered.
      if (count > 0 && !(functionName === '' && startOffset === 0)) {
        found.set(`${file}:${startOffset}-${endOffset}`, { file, scriptId, startOffset, endOffset });
      }
    }
  }
  return found;
}

/** The files of these functions, first entered first: a breakpoint in each has a condition that notes it and never pauses. */
async function inOrder(functions, prepare, act) {
  const noted = new Set();
  globalThis.noteEntry = (index) => void noted.add(functions[index].file);
  await session.post('Debugger.enable');
  for (const [index, { file, scriptId, startOffset, endOffset }] of functions.entries()) {
    const source = readFileSync(join(directory, file), 'utf8');
    const { locations } = await session.post('Debugger.getPossibleBreakpoints', {
      start: { scriptId, ...lineAndColumn(source, startOffset) },
      end: { scriptId, ...lineAndColumn(source, endOffset) },
    });
    // One that the function shares with one inside of it would note the file no later than it is entered.
    for (const { type: _, ...location } of locations.slice(0, 1)) {
      await session.post('Debugger.setBreakpoint', { location, condition: `noteEntry(${index})` }).catch(() => {});
    }
  }
  await prepare();
  noted.clear();
  await act();
  await session.post('Debugger.disable');
  return [...new Set([...noted, ...functions.map(({ file }) => file)])].map((file) => file.replace(/\.js$/, '.ts'));
}

function lineAndColumn(source, offset) {
  const lines = source.slice(0, offset).split('\n');
  return { lineNumber: lines.length - 1, columnNumber: lines.at(-1).length };
}
