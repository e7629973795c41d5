/**
 * The system calls in which the threads of a terminal's foreground group are blocked, from /proc (proc(5)). Linux only;
 * reads, never waits.
 *
 * The daemon is an ancestor of these processes, so the system lets it read `syscall` and `mem` of all that run as its
 * user. Of others (setuid) only the state is known. Processes come and go during a look: unreadable ones are left out.
 */
import { closeSync, openSync, readSync, readdirSync, statSync } from 'node:fs';
import { arch } from 'node:os';
import type { ThreadActivity } from '../../../events/awaiting-input.js';
import { type ProcessStat, readStat } from '../processes.js';
import { processName } from '../process-name.js';
import { readSmallFile as read } from '../small-file.js';
import { isInteractiveShell } from './shell-process.js';
import { type SystemCall, parseSystemCall } from './system-calls.js';

/** Threads checked in one process: runtimes have dozens, and the reading one is among the first. */
const MAX_THREADS = 64;
const MAX_PROCESSES = 64;
/** Device number of /dev/tty: the opener's own terminal. */
const CONTROLLING_TTY_DEVICE = 0x500;

type BlockedIn = ThreadActivity['blockedIn'];

/** @param leader the process that leads the terminal's session @param device path of the terminal */
export function foregroundThreads(leader: number, device: string): ThreadActivity[] {
  return foregroundOf(leader, device).threads;
}

export interface ForegroundThreads {
  /** Of the foreground group. */
  readonly threads: ThreadActivity[];
  /** Descendants of the group that have left the session: their terminal is another one, or none. */
  readonly elsewhere: readonly ElsewhereProcess[];
  /** The processes of the group, and those that they have started, but for the jobs of a shell at its prompt. */
  readonly processes: readonly number[];
  /** Threads of a process that is not in the group, judged by the same terminal. */
  readonly threadsOf: (pid: number) => ThreadActivity[];
}

export interface ElsewhereProcess {
  readonly pid: number;
  readonly session: number;
  /** As in {@link readStat}. */
  readonly terminal: number;
}

/** Both with one walk through the processes. */
export function foregroundOf(leader: number, device: string): ForegroundThreads {
  const terminalDevice = statSync(device, { throwIfNoEntry: false })?.rdev;
  const statOf = eachOnce(readStat);
  const group = statOf(leader)?.foregroundGroup ?? 0;
  if (terminalDevice === undefined || group <= 0) return NOBODY;
  const isTerminal = (pid: number, fd: number): boolean => {
    const rdev = deviceOf(`/proc/${pid}/fd/${fd}`);
    return rdev === terminalDevice || rdev === CONTROLLING_TTY_DEVICE;
  };
  const { members, below, elsewhere } = groupMembers(leader, group, statOf);
  const of = (pid: number): ThreadActivity[] => threadsOf(pid, statOf(pid), isTerminal);
  const processes = [...members, ...below];
  return { threads: members.flatMap(of), processes, elsewhere, threadsOf: of };
}

const NOBODY: ForegroundThreads = { threads: [], processes: [], elsewhere: [], threadsOf: () => [] };

type StatOf = (pid: number) => ProcessStat | undefined;

/** For one walk, which takes well below a millisecond. */
function eachOnce(readOne: StatOf): StatOf {
  const known = new Map<number, ProcessStat | undefined>();
  return (pid) => {
    if (!known.has(pid)) known.set(pid, readOne(pid));
    return known.get(pid);
  };
}

/** Descendants of the session's leader in the group, and the group's own leader. */
function groupMembers(
  leader: number,
  group: number,
  statOf: StatOf,
): { members: number[]; below: number[]; elsewhere: ElsewhereProcess[] } {
  const members = new Set<number>();
  const below: number[] = [];
  const elsewhere: ElsewhereProcess[] = [];
  const pending = [{ pid: leader, isBelow: false, isJob: false }];
  for (let next = pending.pop(); next !== undefined && members.size < MAX_PROCESSES; next = pending.pop()) {
    const { pid } = next;
    const stat = statOf(pid);
    const isMember = stat?.group === group;
    let { isJob } = next;
    if (isMember) members.add(pid);
    else if (next.isBelow && stat !== undefined && below.length < MAX_PROCESSES) {
      if (stat.session !== leader) elsewhere.push({ pid, session: stat.session, terminal: stat.terminal });
      isJob ||= isInteractiveShell(stat.parent);
      if (!isJob) below.push(pid);
    }
    const isBelow = next.isBelow || isMember;
    for (const thread of threadIds(pid, stat)) {
      const children = read(`/proc/${pid}/task/${thread}/children`) ?? '';
      for (const child of children.split(' ').filter(Boolean)) pending.push({ pid: Number(child), isBelow, isJob });
    }
  }
  if (statOf(group) !== undefined) members.add(group);
  return { members: [...members], below, elsewhere };
}

function threadsOf(
  pid: number,
  stat: ProcessStat | undefined,
  isTerminal: (pid: number, fd: number) => boolean,
): ThreadActivity[] {
  if (stat === undefined || stat.state === 'Z') return [];
  const process = processName(pid, stat.name);
  const isStopped = STOPPED.includes(stat.state);
  return threadIds(pid, stat)
    .slice(0, MAX_THREADS)
    .map((name) => {
      const thread = Number(name);
      if (isStopped) return { pid, thread, process, blockedIn: OTHER };
      const line = read(`/proc/${pid}/task/${name}/syscall`);
      if (line === undefined) {
        return { pid, thread, process, blockedIn: HIDDEN[stat.state] ?? OTHER };
      }
      const call = parseSystemCall(line, arch());
      const blockedIn = call === undefined ? RUNS : describeCall(pid, call, (fd) => isTerminal(pid, fd));
      return { pid, thread, process, blockedIn };
    });
}

/** By a signal or a tracer: the call that the system names is not waited in, and its bytes may be there already. */
const STOPPED: readonly string[] = ['T', 't'];
const OTHER: BlockedIn = { kind: 'other' };
const RUNS: BlockedIn = { kind: 'other', work: 'runs' };
const SLEEPS: BlockedIn = { kind: 'other', work: 'sleeps' };
const PAUSES: BlockedIn = { kind: 'other', work: 'pauses' };
/** By the state of a process that may not be inspected. */
const HIDDEN: Readonly<Record<string, BlockedIn>> = { S: { kind: 'hidden' }, R: RUNS, D: RUNS };

function describeCall(
  pid: number,
  { call, args, hasTimeLimit }: SystemCall,
  isTerminal: (fd: number) => boolean,
): BlockedIn {
  const [first = 0, second = 0, third = 0, fourth = 0] = args;
  switch (call) {
    case 'read':
      return { kind: 'read', terminal: isTerminal(first) };
    case 'select':
      return waitsFor(selectedFds(pid, first, [second, third, fourth]), isTerminal, hasTimeLimit);
    case 'poll':
    case 'ppoll':
      return waitsFor(polledFds(pid, first, second), isTerminal, hasTimeLimit);
    case 'epoll':
    case 'epoll2':
      return waitsFor(epollFds(pid, first), isTerminal, hasTimeLimit);
    case 'sleep':
      return SLEEPS;
    case 'futex':
      return hasTimeLimit ? PAUSES : OTHER;
    default:
      return OTHER;
  }
}

interface WaitedFd {
  readonly fd: number;
  readonly forReading: boolean;
}

function waitsFor(fds: readonly WaitedFd[], isTerminal: (fd: number) => boolean, timeLimit: boolean): BlockedIn {
  const readable = fds.filter(({ fd, forReading }) => forReading && isTerminal(fd));
  return { kind: 'poll', terminal: readable.length > 0, others: fds.length - readable.length, timeLimit };
}

/** Descriptors checked in one call. A negative count is an error that the system has not detected yet. */
const bounded = (nfds: number): number => Math.max(0, Math.min(nfds, 1024));

/** Bit sets of `nfds` bits: for reading, for writing, for exceptions. */
function selectedFds(pid: number, nfds: number, addresses: readonly number[]): WaitedFd[] {
  const fds: WaitedFd[] = [];
  for (const [index, address] of addresses.entries()) {
    const bits = address === 0 ? NOTHING : readMemory(pid, address, Math.ceil(bounded(nfds) / 8));
    for (let fd = 0; fd < bits.length * 8; fd++) {
      if (((bits[fd >> 3] ?? 0) & (1 << (fd & 7))) !== 0) fds.push({ fd, forReading: index === 0 });
    }
  }
  return fds;
}

const POLLFD_BYTES = 8;
const POLLIN_OR_RDNORM = 0x41;

/** struct pollfd { int fd; short events; short revents; } */
function polledFds(pid: number, address: number, nfds: number): WaitedFd[] {
  const array = readMemory(pid, address, POLLFD_BYTES * bounded(nfds));
  const fds: WaitedFd[] = [];
  for (let at = 0; at + POLLFD_BYTES <= array.length; at += POLLFD_BYTES) {
    const fd = array.readInt32LE(at);
    if (fd >= 0) fds.push({ fd, forReading: (array.readInt16LE(at + 4) & POLLIN_OR_RDNORM) !== 0 });
  }
  return fds;
}

/** `tfd:       20 events:       19 data: …`, one line for each descriptor, in the fdinfo of the epoll instance. */
function epollFds(pid: number, epollFd: number): WaitedFd[] {
  const lines = read(`/proc/${pid}/fdinfo/${epollFd}`) ?? '';
  return [...lines.matchAll(/^tfd:\s*(\d+) events:\s*([0-9a-f]+)/gm)].map(([, fd, events = '0']) => ({
    fd: Number(fd),
    forReading: (Number.parseInt(events, 16) & POLLIN_OR_RDNORM) !== 0,
  }));
}

const NOTHING = Buffer.alloc(0);

function readMemory(pid: number, address: number, length: number): Buffer {
  let file: number;
  try {
    file = openSync(`/proc/${pid}/mem`, 'r');
  } catch {
    return NOTHING;
  }
  try {
    const buffer = Buffer.alloc(length);
    return buffer.subarray(0, readSync(file, buffer, 0, length, address));
  } catch {
    // The page is gone: the thread has continued.
    return NOTHING;
  } finally {
    closeSync(file);
  }
}

/** The only thread of a process has its id: most have one, and a directory takes longer to read than three files. */
function threadIds(pid: number, stat: ProcessStat | undefined): string[] {
  return stat?.threads === 1 ? [String(pid)] : list(`/proc/${pid}/task`);
}

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function deviceOf(path: string): number | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.rdev;
  } catch {
    return undefined;
  }
}
