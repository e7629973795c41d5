/** Verbs of the door itself: shells, files of commands, channels, messages, keys. */
import { systemClock } from '../base/clock.js';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import { errnoOf } from '../base/errno.js';
import { VERBS } from './arguments.js';
import { WORDS } from './buffer-verbs.js';
import { Refusal } from './options.js';
import { noClient } from './session-verbs.js';
import type { VerbHandler, VerbRun } from './run.js';
import { needOfPane } from './terminals.js';
import { allVariables } from './variables.js';
import { wildcard } from './wildcard.js';

/** Output of a job that is kept. */
const MOST_OUTPUT = 1024 * 1024;

interface Ended {
  readonly status: number;
  readonly output: Buffer;
}

/** Runs a command with the rights of the door; it ends with the client that waits for it. */
function shell(run: VerbRun, command: string, waits: boolean): Promise<Ended> {
  const { call, state } = run;
  const env: Record<string, string> = {};
  for (const [name, { value }] of state.environment) if (value !== undefined) env[name] = value;
  Object.assign(env, { TMUX: `${state.socketPath},${process.pid},0` });
  return new Promise((done) => {
    const child = spawn('/bin/sh', ['-c', command], { cwd: call.cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = Buffer.alloc(0);
    const take = (bytes: Buffer): void => {
      if (output.length < MOST_OUTPUT) output = Buffer.concat([output, bytes]);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    if (waits) call.signal.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
    child.on('error', () => done({ status: 127, output }));
    child.on('close', (code, signal) => {
      const number = signal === null ? 0 : (constants.signals[signal] ?? 0);
      done({ status: code ?? 128 + number, output });
    });
  });
}

/** @param isBehind nobody waits for it */
function inBackground(isBehind: boolean, act: () => Promise<number>): Promise<number> | number {
  if (!isBehind) return act();
  void act().catch(() => {});
  return 0;
}

const runShell: VerbHandler = async (run) => {
  const { args } = run;
  const found = run.mayTarget('pane');
  const delay = args.get('d');
  if (delay !== undefined && !(Number(delay) >= 0)) throw new Refusal(`invalid delay time: ${delay}`);
  const [given] = args.rest;
  const act = async (): Promise<number> => {
    if (delay !== undefined) await new Promise((done) => setTimeout(done, Number(delay) * 1000));
    if (given === undefined) return 0;
    const subject = run.subjectOf(found);
    if (args.has('C')) return run.runText(run.formatNow(given, subject), { current: found });
    const { status, output } = await shell(run, run.formatNow(given, subject, systemClock.wallNow()), !args.has('b'));
    // tmux shows it in a mode of the pane, where its keys would go, and prints it where there is no pane.
    if (!args.has('b') && run.current === undefined) run.call.out(output);
    return status;
  };
  return inBackground(args.has('b'), act);
};

const ifShell: VerbHandler = async (run) => {
  const { args } = run;
  const found = run.mayTarget('pane');
  const [condition = '', yes = '', no] = args.rest;
  const text = run.formatNow(condition, run.subjectOf(found), args.has('F') ? undefined : systemClock.wallNow());
  const act = async (): Promise<number> => {
    const isTrue = args.has('F') ? text !== '' && text !== '0' : (await shell(run, text, !args.has('b'))).status === 0;
    const chosen = isTrue ? yes : no;
    return chosen === undefined ? 0 : run.runText(chosen, { current: found });
  };
  return inBackground(args.has('b'), act);
};

const sourceFile: VerbHandler = async (run) => {
  const { args, call } = run;
  let status = 0;
  const named = args.rest.map((given) => (args.has('F') ? run.formatNow(given, {}) : given));
  const all = named.flatMap((given) =>
    (given === '-' ? [given] : pathsOf(resolve(call.cwd, given))).map((path) => ({ given, path })),
  );
  for (const { given, path } of all) {
    try {
      const text = path === '-' ? (await call.stdin()).toString('utf8') : readFileSync(path, 'utf8');
      const from = { file: path, isTrial: args.has('n'), isVerbose: args.has('v') };
      status = (await run.runText(text, from)) || status;
    } catch (error) {
      const code = errnoOf(error) ?? '';
      // tmux reads nothing of a folder.
      if (code === 'EISDIR' || (code === 'ENOENT' && args.has('q'))) continue;
      if (error instanceof Refusal) run.print(error.message);
      else call.err(`${given}: ${WORDS[code] ?? 'Input/output error'}\n`);
      status = 1;
    }
  }
  return status;
};

/** Paths that a pattern fits, by name, or the path as it is. */
function pathsOf(path: string): string[] {
  const [first = '', ...parts] = path.split('/');
  let found = [first];
  for (const part of parts) {
    const isPattern = /[*?[]/.test(part);
    found = found.flatMap((folder) => (isPattern ? namesIn(folder, part) : [part]).map((name) => `${folder}/${name}`));
  }
  const there = found.filter((one) => existsSync(one));
  return there.length > 0 ? there : [path];
}

function namesIn(folder: string, pattern: string): string[] {
  const fits = wildcard(pattern);
  try {
    const names = readdirSync(`${folder}/`).filter(
      (name) => fits.test(name) && !(name.startsWith('.') && pattern[0] !== '.'),
    );
    return names.toSorted();
  } catch {
    return []; // ENOENT, ENOTDIR
  }
}

interface Channel {
  isWoken: boolean;
  /** A client that waited has gone: tmux wakes it by the next signal, which wakes no other one. */
  isLeft: boolean;
  isLocked: boolean;
  readonly waiters: Set<() => void>;
  readonly lockers: (() => void)[];
}

const channels = new WeakMap<object, Map<string, Channel>>();

const waitFor: VerbHandler = (run) => {
  const { args, door, state, call } = run;
  const [name = ''] = args.rest;
  const all = channels.get(state) ?? new Map<string, Channel>();
  channels.set(state, all);
  const channel: Channel = all.get(name) ?? {
    isWoken: false,
    isLeft: false,
    isLocked: false,
    waiters: new Set(),
    lockers: [],
  };
  all.set(name, channel);
  const tidy = (): void => {
    const { isWoken, isLeft, isLocked, waiters } = channel;
    if (!isWoken && !isLeft && !isLocked && waiters.size === 0) all.delete(name);
  };
  if (args.has('S')) {
    if (channel.waiters.size === 0 && !channel.isLeft) channel.isWoken = true;
    channel.isLeft = false;
    for (const wake of channel.waiters) wake();
    return tidy();
  }
  if (args.has('U')) {
    if (!channel.isLocked) {
      tidy();
      throw new Refusal(`channel ${name} not locked`);
    }
    const next = channel.lockers.shift();
    if (next === undefined) channel.isLocked = false;
    else next();
    return tidy();
  }
  const isLock = args.has('L');
  if (isLock ? !channel.isLocked : channel.isWoken) {
    if (isLock) channel.isLocked = true;
    else channel.isWoken = false;
    return tidy();
  }
  return new Promise<void>((done) => {
    const end = (): void => {
      channel.waiters.delete(end);
      const at = channel.lockers.indexOf(end);
      if (at !== -1) channel.lockers.splice(at, 1);
      call.signal.removeEventListener('abort', leave);
      door.ending.removeEventListener('abort', end);
      tidy();
      done();
    };
    const leave = (): void => {
      channel.isLeft ||= !isLock;
      end();
    };
    if (isLock) channel.lockers.push(end);
    else channel.waiters.add(end);
    call.signal.addEventListener('abort', leave, { once: true });
    door.ending.addEventListener('abort', end, { once: true });
  });
};

const MESSAGE = '[#{session_name}] #{window_index}:#{window_name}, current pane #{pane_index} - (%H:%M %d-%b-%y)';

const displayMessage: VerbHandler = async (run) => {
  const { args } = run;
  const found = run.mayTarget('pane');
  if (args.has('d')) {
    const delay = args.get('d');
    if (delay === undefined) throw new Refusal('delay missing');
    if (!/^\d+$/.test(delay)) throw new Refusal('delay invalid');
  }
  if (args.has('F') && args.rest.length > 0) throw new Refusal('only one of -F or argument must be given');
  if (args.has('I')) {
    if (found.pane !== undefined) throw new Refusal('pane is not empty');
    return;
  }
  const subject = run.subjectOf(found);
  if (args.has('a')) {
    if (found.pane !== undefined) await run.door.refresh(needOfPane(found.pane, 'character'));
    const of = { ...subject, more: { command: 'display-message', ...run.notice } };
    for (const [name, value] of allVariables(run.door, of)) run.print(`${name}=${value}`);
    return;
  }
  const format = args.rest[0] ?? args.get('F') ?? MESSAGE;
  const text = await run.format(format, subject, systemClock.wallNow());
  if (args.has('p')) run.print(text);
};

const listCommands: VerbHandler = (run) => {
  const [wanted] = run.args.rest;
  const format = run.args.get('F');
  for (const { name, alias, usage } of VERBS) {
    if (wanted !== undefined && name !== wanted && alias !== wanted) continue;
    const more = { command_list_name: name, command_list_alias: alias, command_list_usage: usage };
    if (format !== undefined) run.print(run.formatNow(format, { more }));
    else run.print(`${name} ${alias === '' ? '' : `(${alias}) `}${usage}`);
  }
};

/** The door ends once its caller has its answer. */
const killServer: VerbHandler = ({ door }) => door.end();

const HISTORIES = ['command', 'search', 'target', 'window-target'];

/** Histories of prompts, of which there are none. @throws Refusal */
function historiesOf({ args }: VerbRun): readonly string[] {
  const type = args.get('T');
  if (type !== undefined && !HISTORIES.includes(type)) throw new Refusal(`invalid type: ${type}`);
  return type === undefined ? HISTORIES : [type];
}

/** The door has one user. @throws Refusal */
const serverAccess: VerbHandler = ({ args }) => {
  if (args.has('l')) return;
  const [name] = args.rest;
  if (name === undefined) throw new Refusal('missing user argument');
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  if (!users.some((line) => line.startsWith(`${name}:`))) throw new Refusal(`unknown user: ${name}`);
};

export const SERVER_VERBS: Readonly<Record<string, VerbHandler>> = {
  'run-shell': runShell,
  'if-shell': ifShell,
  'source-file': sourceFile,
  'wait-for': waitFor,
  'display-message': displayMessage,
  'list-commands': listCommands,
  'start-server': () => {},
  'kill-server': killServer,
  'show-messages': noClient,
  'show-prompt-history': (run) => {
    for (const type of historiesOf(run)) run.print(`History for ${type}:\n\n`);
  },
  'clear-prompt-history': (run) => void historiesOf(run),
  'server-access': serverAccess,
};
