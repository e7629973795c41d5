/**
 * A coding agent without a model that looks as the profile `claude` expects: a box between two lines, a hint in it, questions in its
 * place. How it misbehaves is its arguments, each NAME or NAME=VALUE. The file of BOX_AGENT_LOG has its pid, each prompt that it took,
 * each question that an Enter has answered, and when it asked.
 */
import { appendFileSync } from 'node:fs';

const options = new Map(
  process.argv
    .slice(2)
    .map((word) => word.split('='))
    .map(([name, ...rest]) => [name, rest.join('=')]),
);
const log = (entry) => {
  if (process.env.BOX_AGENT_LOG) appendFileSync(process.env.BOX_AGENT_LOG, `${JSON.stringify(entry)}\n`);
};
const has = (name) => options.has(name);
const ms = (name) => Number(options.get(name));
const write = (text) => process.stdout.write(text);

const [PASTE_START, PASTE_END] = ['\x1b[200~', '\x1b[201~'];
const PICKED = '$imagegen';
const LINE = '─'.repeat(40);
/** Enters that nothing comes of: `mute=2`, `mute=all`. With `newline` each is a line break in the box. */
let muted = options.get('mute') === 'all' ? Infinity : Number(options.get('mute') ?? 0);
let box = options.get('draft') ?? '';
/** With `marker`, what stands in the box in the place of the paste. */
let shown = box;
let cursorAtStart = has('cursor-at-start');
let askedAt = 0;
let asks = false;
let pending = '';
const said = [];
let above = 0;
let frames = 0;

process.stdin.setRawMode(true);
if (has('start')) setTimeout(begin, ms('start'));
else begin();

/** `ask=start`, `ask=paste`, `ask=enter`, each with `ask-after` milliseconds. */
function reach(moment) {
  if (options.get('exit') === moment) process.exit(3);
  if (options.get('ask') !== moment) return;
  const ask = () => {
    // It reads nothing and draws nothing so long before it asks.
    for (const end = performance.now() + ms('compute'); performance.now() < end;);
    asks = true;
    draw();
    askedAt = performance.now();
    log({ asked: true });
  };
  if (has('ask-after')) setTimeout(ask, ms('ask-after'));
  else ask();
}

function begin() {
  log({ pid: process.pid });
  process.stdin.on('data', (chunk) => take(chunk.toString()));
  if (has('alt')) write('\x1b[?1049h');
  if (!has('plain')) write('\x1b[?2004h');
  if (has('status')) write('\x1b]7501;state=idle\x07');
  draw();
  reach('start');
  if (has('spin')) setInterval(() => draw(true), 15);
}

function frame() {
  const top = ['fake agent', ...said.slice(-4), ''];
  if (has('work')) top.push('✻ Thinking… (3s)', '');
  // Its prompt stands there a second time, as after a redraw that has left the old one.
  if (has('twice')) top.push(LINE, `❯ ${shown.split('\n')[0].slice(0, 60)}`, LINE);
  if (asks)
    return { lines: [...top, ' Do you want to proceed?', ' ❯ 1. Yes', '   2. No'], row: top.length + 1, col: 1 };
  // The box has at most so many rows: the last ones.
  const rows = shown.split('\n').slice(-10);
  const hint = shown === '' ? '\x1b[7mT\x1b[27m\x1b[2mry "fix it"\x1b[22m' : '';
  const lines = rows.map((row, i) => `${i === 0 ? '❯ ' : '  '}${row}${hint}`);
  const last = rows.length - 1;
  const [row, col] = cursorAtStart || shown === '' ? [0, 2] : [last, 2 + (rows[last]?.length ?? 0)];
  return { lines: [...top, LINE, ...lines, LINE, '  ? for shortcuts'], row: top.length + 1 + row, col };
}

function draw(inPieces = false) {
  const { lines, row, col } = frame();
  const back = has('alt') ? '\x1b[H' : above > 0 ? `\x1b[${above}A\r` : '\r';
  const spinner = has('spin') ? `${'|/-\\'[frames++ % 4]} ` : '';
  const text = `${spinner}${lines.join('\r\n')}`;
  const end = `\x1b[J\x1b[${Math.max(1, lines.length - 1 - row)}A${lines.length - 1 === row ? '\x1b[1B' : ''}\r${col > 0 ? `\x1b[${col}C` : ''}`;
  above = row;
  const cut = inPieces ? Math.floor(Math.random() * text.length) : 0;
  write(`${back}${inPieces ? '' : '\x1b[J'}${text.slice(0, cut)}`);
  write(`${text.slice(cut)}${end}`);
}

function redraw() {
  if (has('echo-late')) setTimeout(draw, ms('echo-late'));
  else draw();
}

function take(text) {
  pending += text;
  for (;;) {
    if (pending.startsWith(PASTE_START)) {
      const end = pending.indexOf(PASTE_END);
      if (end === -1) return;
      paste(pending.slice(PASTE_START.length, end));
      pending = pending.slice(end + PASTE_END.length);
    } else if (pending === '') {
      break;
    } else if (PASTE_START.startsWith(pending) && pending !== '\x1b') {
      return;
    } else {
      key(pending[0]);
      pending = pending.slice(1);
    }
  }
  redraw();
}

function add(text, as = text) {
  box = cursorAtStart ? text + box : box + text;
  shown = cursorAtStart ? as + shown : shown + as;
}

function paste(text) {
  const lines = text.replaceAll('\r', '\n');
  if (has('deaf')) return;
  add(lines, has('marker') ? `[Pasted text #1 +${lines.split('\n').length} lines]` : lines);
  reach('paste');
}

function key(character) {
  if (character === '\x03') process.exit(0);
  if (character === '\r') return enter();
  if (character === '\x15') box = shown = '';
  else if (character >= ' ' && !asks && !has('deaf')) add(character);
  if (has('plain') && character >= ' ') reach('paste');
}

/** Reads nothing and draws nothing for `think` milliseconds, and asks then. */
function think() {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms('think'));
  options.delete('think');
  box = shown = '';
  asks = true;
  askedAt = performance.now();
  log({ asked: true });
}

function enter() {
  if (asks) {
    // What was sent before the question could be seen by anybody.
    log({ answered: true, sinceAskMs: performance.now() - askedAt });
    asks = false;
    return;
  }
  // Its menu takes the first Enter, and makes other words of the box.
  if (has('menu') && !box.endsWith(PICKED)) {
    box = shown = `${box.replace(/@\S*$/, '')}${PICKED}`;
    return;
  }
  if (has('commands') && /^[!/]/.test(box)) {
    log({ ran: box });
    box = shown = '';
    return;
  }
  if (has('think')) return think();
  if (muted > 0) {
    muted--;
    if (has('newline')) add('\n');
    return;
  }
  if (box !== '') {
    log({ prompt: box });
    said.push(`❯ ${shown.split('\n')[0].slice(0, 60)}`, '');
    if (has('status')) write('\x1b]7501;state=working\x07');
  }
  box = shown = '';
  cursorAtStart = false;
  reach('enter');
}
