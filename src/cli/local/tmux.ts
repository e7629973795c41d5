/**
 * `t4a tmux`: a client of the tmux door, and with `--serve` the door. A client hands over what its process has in the frames of the
 * native client (native/t4a.c), which is one, too; native/tmux.pl is the third.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  accessSync,
  constants as access,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  type Stats,
  symlinkSync,
} from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { constants } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { errnoOf } from '../../base/errno.js';
import { whyUnsafe } from '../../base/ownership.js';
import { OwnSocket } from '../../client/own-socket.js';
import { defaultCommandLine } from '../../client/paths.js';
import { StartClaim } from '../../client/start-claim.js';
import { isT4aError, quote, T4aError } from '../../protocol/errors.js';
import { parseGlobalFlags } from '../argv/parse.js';
import type * as tmuxRoom from '../../tmux/serve.js';
import type { Host } from '../host.js';
import type { LazyBundles } from '../lazy-bundles.js';
import { WarmClient } from '../warm/client.js';
import { warmFrameOf, FrameReader } from '../warm/frames.js';
import { type Handed, readHanded } from '../warm/handed.js';

type Room = typeof tmuxRoom;

const MOST_CALLS = 256;
const MOST_FRAME = 16 * 1024 * 1024;
/** Tries to reach a door that is starting. */
const START_MS = 15_000;
/** Name of the program of a client that can show a terminal to a person. */
const ATTACHES = 't4a-attaches';
/** A door greets at once; a server of tmux itself waits for words of its own. */
const GREETING_MS = 5000;
const RETRY_MS = 15;
/** Doors that one call starts: what ends as it comes up may have been killed. */
const MOST_STARTS = 3;
/** Bytes of the path of a socket, without the end of its text. */
const MOST_PATH = process.platform === 'linux' ? 107 : 103;

/** Runs another command line of t4a in this process. */
type Attach = (argv: readonly string[]) => Promise<number>;

export interface TmuxCaller {
  /** Words before `tmux`. */
  readonly before?: readonly string[];
  readonly attach?: Attach;
}

/** Variable of a call whose `--socket` names the daemon: a door of another one refuses it. */
const NAMED = 'T4A_TMUX_DAEMON';

/** @param argv without `tmux` @returns the exit status */
export async function tmux(
  argv: readonly string[],
  caller: Host,
  bundles: LazyBundles,
  { before = [], attach }: TmuxCaller = {},
): Promise<number> {
  const daemon = namedDaemon(before, caller);
  const named = daemon === undefined ? undefined : { T4A_SOCKET: daemon, [NAMED]: daemon };
  const host = named === undefined ? caller : { ...caller, env: { ...caller.env, ...named } };
  if (argv[0] === '--path') {
    host.out(`${ownFolder()}\n`);
    return 0;
  }
  if (argv[0] === '--install') return install(argv[1] ?? '', host);
  const room = await bundles.tmux();
  if (argv[0] === '--serve') return serve(argv.slice(1), room, host, daemon ?? host.env[NAMED]);
  const place = room.placeOf(argv, host.env, process.getuid?.() ?? 0);
  if (typeof place === 'string') {
    host.note(place);
    return 1;
  }
  if (place.wantsVersion) {
    host.out('tmux 3.3a\n');
    return 0;
  }
  if (place.isControl) {
    host.note(room.NO_CONTROL);
    return 1;
  }
  return place.shellLine === undefined ? ask(argv, place, room, host, attach) : runInShell(place.shellLine, host);
}

/** @throws T4aError `usage` */
function namedDaemon(before: readonly string[], host: Host): string | undefined {
  const { socket, ...others } = parseGlobalFlags(before);
  const [other] = Object.keys(others);
  if (other !== undefined)
    throw new T4aError('usage', `"tmux" takes no "--${other.replaceAll('_', '-')}" before it, only "--socket".`);
  return typeof socket === 'string' ? resolve(host.cwd(), socket) : undefined;
}

/** Runs a line in a shell, as tmux does it for programs that have it as their shell. */
async function runInShell(line: string, host: Host): Promise<number> {
  const { SHELL: given = '' } = host.env;
  const shell = given.startsWith('/') ? given : '/bin/sh';
  const env = { ...host.env, SHELL: shell };
  const child = spawn(shell, ['-c', line], { argv0: basename(shell), cwd: host.cwd(), env, stdio: 'inherit' });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

/** Folder of the file `tmux`: the native client of this processor, else a script. */
function ownFolder(): string {
  const folder = join(dirname(defaultCommandLine()), 'tmux');
  const native = join(folder, process.platform === 'linux' ? process.arch : '');
  return existsSync(native) ? native : folder;
}

/** A link that every PATH has first, also in login shells. Another `tmux` there stays. */
function install(folder: string, host: Host): number {
  const [link, target] = [join(folder, 'tmux'), join(ownFolder(), 'tmux')];
  if (folder === '') throw new T4aError('usage', 'Name a folder: t4a tmux --install /usr/local/bin');
  const is = statOf(`${folder}/.`);
  if (is === undefined || typeof is === 'string' || !is.isDirectory())
    throw new T4aError('usage', `${quote(folder)} is no folder.`, { hint: 'Make it, or name another one.' });
  const there = lstatSync(link, { throwIfNoEntry: false });
  if (there !== undefined && !(there.isSymbolicLink() && readlinkSync(link) === target))
    throw new T4aError('usage', `${quote(link)} is there, and is not the door.`, {
      hint: 'Remove it, or name another folder.',
    });
  try {
    if (there === undefined) symlinkSync(target, link);
  } catch (error) {
    const why = `${quote(link)} cannot be made (${errnoOf(error) ?? 'EIO'}).`;
    throw new T4aError('usage', why, { hint: 'Name a folder in which you may write.' });
  }
  host.out(`${link}\n`);
  return 0;
}

async function ask(
  argv: readonly string[],
  place: tmuxRoom.Place,
  room: Room,
  host: Host,
  attach?: Attach,
): Promise<number> {
  const { socketPath } = place;
  const starts = place.isStarter && (room.startsDoor(place.rest) || existsSync(room.savedPath(socketPath)));
  if (socketPath === '') return noServer(socketPath, 'ECONNREFUSED', host);
  if (Buffer.byteLength(socketPath) > MOST_PATH) return noServer(socketPath, 'ENAMETOOLONG', host);
  if (socketPath.endsWith('/')) return noServer(socketPath, starts ? 'EISDIR' : 'ECONNREFUSED', host);
  const untilMs = performance.now() + START_MS;
  for (;;) {
    const why = unsafeFolder(dirname(socketPath));
    if (why !== undefined) {
      host.note(`${why}\n`);
      return 1;
    }
    const socket = await reach(socketPath);
    if (typeof socket !== 'string') {
      const end = await handOver(socket, [ATTACHES, 'tmux', ...argv], socketPath, host);
      if (end?.shows !== undefined && attach !== undefined)
        return attach(['--socket', end.shows[0] ?? '', 'attach', end.shows[1] ?? '']);
      if (end !== undefined) return end.status;
      // A door that was just ending.
      if (!starts) return noServer(socketPath, 'ECONNREFUSED', host);
    } else if (!starts || !STARTED_AFTER.has(socket)) {
      return noServer(socketPath, socket, host);
    } else {
      const code = start(socketPath, place.files, host);
      if (code !== undefined) {
        host.note(`error creating ${socketPath} (${CONNECT_WORDS[code] ?? code})\n`);
        return 1;
      }
    }
    if (performance.now() > untilMs) return noServer(socketPath, 'ETIMEDOUT', host);
    await new Promise((done) => setTimeout(done, RETRY_MS));
  }
}

/** Security: in the folder of its sockets another user could lay a socket, or the file of a door. @returns the words of tmux */
function unsafeFolder(folder: string): string | undefined {
  const stat = basename(folder) === `t4a-tmux-${process.getuid?.()}` ? statOf(folder) : undefined;
  if (stat === undefined || typeof stat === 'string') return undefined;
  if (!stat.isDirectory()) return `${folder} is not a directory`;
  const isOwn = whyUnsafe(folder, stat) === undefined && (stat.mode & 0o007) === 0;
  return isOwn ? undefined : `directory ${folder} has unsafe permissions`;
}

function noServer(path: string, code: string, host: Host): number {
  if (code === 'ECONNREFUSED') host.note(`no server running on ${path}\n`);
  else host.note(`error connecting to ${path} (${CONNECT_WORDS[code] ?? code})\n`);
  return 1;
}

/** Codes behind which there is no door yet, or one with more calls than its queue holds. */
const STARTED_AFTER: ReadonlySet<string> = new Set(['ENOENT', 'ECONNREFUSED', 'EAGAIN']);

const CONNECT_WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'No such file or directory',
  EACCES: 'Permission denied',
  ENOTSOCK: 'Socket operation on non-socket',
  ENOTDIR: 'Not a directory',
  EISDIR: 'Is a directory',
  ENAMETOOLONG: 'File name too long',
  ETIMEDOUT: 'Connection timed out',
};

/** @returns a connection, or the code of what is in the way */
function reach(path: string): Promise<Socket | string> {
  // Security: what a call hands over is not for another user.
  const stat = statOf(path);
  if (typeof stat === 'string') return Promise.resolve(stat);
  if (stat !== undefined && stat.uid !== process.getuid?.()) return Promise.resolve('EACCES');
  return new Promise((done) => {
    const socket = createConnection({ path });
    socket.once('connect', () => done(socket));
    socket.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? 'EIO'));
  });
}

/** @returns undefined if nothing is there, a code if that cannot be seen */
function statOf(path: string): Stats | string | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    return errnoOf(error) ?? 'EIO';
  }
}

let claim: StartClaim | undefined;
let starts = 0;

/** One of many clients starts it; it is on its own then. @returns the code of what is wrong with the folder */
function start(socketPath: string, files: readonly string[], host: Host): string | undefined {
  if (claim !== undefined) return undefined;
  const folder = dirname(socketPath);
  try {
    // Other folders are made by those who name them, as tmux has it.
    if (basename(folder) === `t4a-tmux-${process.getuid?.()}`) mkdirSync(folder, { mode: 0o700 });
    else accessSync(`${folder}/.`, access.W_OK);
  } catch (error) {
    const code = errnoOf(error);
    if (code !== 'EEXIST') return code ?? 'EIO';
  }
  claim = StartClaim.take(socketPath);
  if (claim === undefined) return undefined;
  spawn(process.execPath, [defaultCommandLine(), 'tmux', '--serve', socketPath, host.cwd(), ...files], {
    cwd: '/',
    detached: true,
    env: host.env,
    stdio: 'ignore',
  })
    .on('error', () => {})
    .on('exit', () => {
      if ((starts += 1) >= MOST_STARTS) return;
      claim?.release();
      claim = undefined;
    })
    .unref();
  return undefined;
}

interface CallEnd {
  readonly status: number;
  /** Socket of a daemon, and a terminal of it. */
  readonly shows?: readonly string[] | undefined;
}

/** @returns undefined if the door has ended before it was asked */
function handOver(socket: Socket, argv: readonly string[], place: string, host: Host): Promise<CallEnd | undefined> {
  const reader = new FrameReader(MOST_FRAME);
  let shows: readonly string[] | undefined;
  let [isAsked, isAnswered] = [false, false];
  claim?.release();
  return new Promise((done) => {
    const silent = setTimeout(() => {
      socket.destroy();
      host.note(`error connecting to ${place} (it does not answer as a door of t4a)\n`);
      done({ status: 1 });
    }, GREETING_MS);
    const obey = async (letter: string, content: Buffer): Promise<void> => {
      if (letter === 'g') {
        isAsked = true;
        clearTimeout(silent);
        socket.write(warmFrameOf('h', factsOf(argv, place, host)));
      } else if (letter === 'o') host.out(content);
      else if (letter === 'e') host.note(content.toString('utf8'));
      else if (letter === 'a') shows = content.toString('utf8').split('\0');
      else if (letter === 's') {
        isAnswered = true;
        done({ status: content[0] ?? 0, shows });
      } else if (letter === 'i') await giveStdin(socket, host);
    };
    socket.on('data', (bytes: Buffer) => {
      for (const { letter, content } of reader.read(bytes)) void obey(letter, content);
    });
    socket.on('error', () => {});
    socket.once('close', () => {
      clearTimeout(silent);
      if (!isAsked) return done(undefined);
      if (isAnswered) return;
      host.note('server exited unexpectedly\n');
      done({ status: 1 });
    });
  });
}

async function giveStdin(socket: Socket, host: Host): Promise<void> {
  for await (const bytes of host.stdin()) socket.write(warmFrameOf('d', bytes));
  socket.write(warmFrameOf('d'));
}

/** Facts in the order of `hand_over` in native/t4a.c. */
function factsOf(argv: readonly string[], place: string, host: Host): Buffer {
  const terminals = Number(host.stdinIsTerminal) | (Number(host.stdoutIsTerminal) << 1);
  const env = Object.entries(host.env).map(([name, value]) => `${name}=${value}`);
  const size = (process.stdout.columns ?? 0) | ((process.stdout.rows ?? 0) << 16);
  const facts = [
    place,
    host.cwd(),
    0,
    terminals,
    size,
    '',
    0,
    0,
    '',
    process.getuid?.() ?? 0,
    process.pid,
    process.ppid,
  ];
  return Buffer.from([...facts, '', '', '', argv.length, ...argv, ...env, ''].join('\0'));
}

/** The door: until its last session, its daemon or its socket has gone. */
async function serve(argv: readonly string[], room: Room, host: Host, daemon: string | undefined): Promise<number> {
  const [socketPath = '', cwd = '/', ...files] = argv;
  const calls = new Set<Socket>();
  const ending = new AbortController();
  const ended = once(ending.signal, 'abort');
  const end = (): void => ending.abort();
  const door = await room.TmuxDoor.open({
    socketPath,
    cwd,
    files,
    daemon: daemon === undefined ? {} : { socketPath: daemon },
    env: withoutName(host.env),
    onEmpty: end,
    onLost: end,
  });
  const greeting = warmFrameOf('g', Buffer.from(`tmux\0${process.execPath}\0${defaultCommandLine()}\0`));
  const server = createServer((socket) => {
    if (ending.signal.aborted || calls.size >= MOST_CALLS) {
      socket.destroy();
      return;
    }
    calls.add(socket);
    const gone = new AbortController();
    const client = new WarmClient(socket, () => {
      calls.delete(socket);
      gone.abort();
    });
    client.told.set('p', () => client.tell('p'));
    client.told.set('h', (content) => {
      client.told.delete('h');
      void answer(client, readHanded(content), gone.signal);
    });
    socket.write(greeting);
  });
  const answer = async (client: WarmClient, handed: Handed, signal: AbortSignal): Promise<void> => {
    await configured;
    const place = room.placeOf(handed.argv.slice(2), {}, 0);
    const named = handed.env[NAMED];
    if (named !== undefined && named !== door.daemonPath) {
      client.tellAll(
        'e',
        Buffer.from(`the door at ${socketPath} is of the daemon ${door.daemonPath}, not of ${named}\n`),
      );
      return client.end('s', Buffer.from([1]));
    }
    const status = await door.run(typeof place === 'string' ? [] : place.rest, {
      cwd: handed.cwd ?? '/',
      env: withoutName(handed.env),
      isTerminal: handed.isTerminal[0] && handed.isTerminal[1],
      size: handed.size.cols > 0 ? handed.size : undefined,
      attach:
        handed.argv[0] === ATTACHES && handed.isTerminal[0]
          ? (...shown) => client.tell('a', Buffer.from(shown.toReversed().join('\0')))
          : undefined,
      signal,
      stdin: () => stdinOf(client),
      out: (bytes) => client.tellAll('o', bytes),
      err: (text) => client.tellAll('e', Buffer.from(text)),
    });
    // The native client leaves it to Node, which can attach.
    if (status === 'attaches') client.end('x');
    else client.end('s', Buffer.from([status & 0xff]));
    if (door.isDone && calls.size <= 1) end();
  };
  const quiet = room.quietCall(cwd, ending.signal);
  // The first call is answered when the files have been read.
  const configured = OwnSocket.listen(server, socketPath).then(async () => {
    for (const file of files) await door.run(['source-file', '-q', file], quiet);
  });
  try {
    await configured;
  } catch (error) {
    await door.leave();
    // Another door was faster.
    if (isT4aError(error)) return 1;
    throw error;
  }
  for (const name of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) process.on(name, end);
  await ended;
  server.close();
  await door.close();
  // Those that wait for something that will not come.
  for (const socket of calls) socket.end();
  return 0;
}

/** The environment for programs. */
function withoutName<Value>(env: Readonly<Record<string, Value>>): Record<string, Value> {
  const { [NAMED]: _, ...others } = env;
  return others;
}

async function stdinOf(client: WarmClient): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for (;;) {
    const { content } = await client.ask('i', undefined, 'dD');
    if (content.length === 0 || length > MOST_FRAME) return Buffer.concat(parts);
    parts.push(content);
    length += content.length;
  }
}
