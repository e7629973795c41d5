/**
 * A coding agent without a model: a box at the bottom, bracketed pastes, answers to prompts. What it does otherwise is its arguments, each
 * NAME or NAME=VALUE. Its arguments and variables are in the file of FAKE_AGENT_LOG, and each prompt that it took.
 */
import { appendFileSync } from 'node:fs';

const options = new Map(
  process.argv
    .slice(2)
    .map((word) => word.split('='))
    .map(([name, ...rest]) => [name, rest.join('=')]),
);
const log = (entry) => {
  if (process.env.FAKE_AGENT_LOG) appendFileSync(process.env.FAKE_AGENT_LOG, `${JSON.stringify(entry)}\n`);
};
const { T4A_TERMINAL: terminal, T4A_SOCKET: socket, MARK: mark } = process.env;
log({ started: { argv: process.argv.slice(2), cwd: process.cwd(), terminal, socket, mark, pid: process.pid } });

if (options.has('crash')) {
  process.stdout.write('fatal: no login\r\n');
  process.exit(7);
}

const LINE = '─'.repeat(20);
const PASTE_START = '\x1b[200~';
const PASTE_END = '\x1b[201~';
const FIRST_RUN = [' ❯ 1. Dark mode', '   2. Light mode', '', ' Enter to confirm · Esc to cancel'];
let question = ' Do you want to trust this folder?';
let questions = 0;
let box = '';
let asks = false;
const said = [];

// Another question, in place of the one that stands.
process.on('SIGUSR1', () => {
  questions++;
  question = ` Do you want to run command ${questions}?`;
  asks = true;
  draw();
});
process.stdin.setRawMode(true);
process.stdin.on('data', take);

// Reads from the beginning, and draws its box later.
if (options.has('slow')) setTimeout(begin, Number(options.get('slow')));
else begin();

function begin() {
  if (options.has('ask') || options.has('first-run')) asks = true;
  if (!options.has('plain')) process.stdout.write('\x1b[?2004h');
  draw();
  if (options.has('spin')) {
    let n = 0;
    setInterval(() => process.stdout.write(`\x1b7\x1b[1;1H${'|/-\\'[n++ % 4]}\x1b8`), 50);
  }
}

function draw() {
  // As the profile "claude" expects: the box between two lines, with the cursor in it.
  const asked = options.has('first-run') ? FIRST_RUN : [question, ' ❯ 1. Yes', '   2. No'];
  const lines = ['  fake agent', ...said.slice(-10), ...(asks ? asked : []), LINE, `❯ ${box}`];
  process.stdout.write(`\x1b[H\x1b[2J${lines.join('\r\n')}\x1b7\r\n${LINE}\x1b8`);
}

function take(chunk) {
  let text = chunk.toString();
  if (options.has('deaf')) return;
  while (text !== '') {
    const end = text.startsWith(PASTE_START) ? text.indexOf(PASTE_END) : -1;
    if (end !== -1) addToBox(text.slice(PASTE_START.length, end));
    else if (text[0] === '\r') enter();
    else if (text[0] === '\x03') process.exit(0);
    else addToBox(text[0]);
    text = text.slice(end === -1 ? 1 : end + PASTE_END.length);
  }
  draw();
}

function addToBox(text) {
  box += text.replaceAll('\r', '⏎');
  // A dialogue between the paste and Enter.
  if (options.has('ask-after-paste')) asks = true;
}

function enter() {
  if (asks) {
    log({ approved: true, question });
    asks = false;
    return;
  }
  log({ prompt: box });
  said.push(`● took: ${box.slice(0, 60)}`);
  box = '';
}
