/**
 * Numbers of the Linux system calls in which a program waits for input or for a time, by architecture, and the places of
 * their arguments.
 */

export type WaitingCall =
  /** read(fd, …), readv(fd, …) */
  | 'read'
  /** select(nfds, readfds, writefds, exceptfds, timeout), pselect6 */
  | 'select'
  /** poll(fds, nfds, timeout_ms) */
  | 'poll'
  /** ppoll(fds, nfds, timeout) */
  | 'ppoll'
  /** epoll_wait(epfd, events, maxevents, timeout_ms), epoll_pwait */
  | 'epoll'
  /** epoll_pwait2(epfd, events, maxevents, timeout) */
  | 'epoll2'
  /** nanosleep, clock_nanosleep */
  | 'sleep'
  /** futex(address, operation, value, timeout) */
  | 'futex';

/** https://github.com/torvalds/linux: arch/x86/entry/syscalls/syscall_64.tbl, scripts/syscall.tbl */
const CALLS: Readonly<Record<string, Readonly<Record<number, WaitingCall>>>> = {
  x64: {
    0: 'read',
    19: 'read',
    23: 'select',
    270: 'select',
    7: 'poll',
    271: 'ppoll',
    232: 'epoll',
    281: 'epoll',
    441: 'epoll2',
    35: 'sleep',
    230: 'sleep',
    202: 'futex',
  },
  arm64: {
    63: 'read',
    65: 'read',
    72: 'select',
    73: 'ppoll',
    22: 'epoll',
    441: 'epoll2',
    101: 'sleep',
    115: 'sleep',
    98: 'futex',
  },
};

/** `int` is the low half of its register; `address` is the whole register, 0 for none. */
type Argument = 'int' | 'address';

/** Arguments up to the time limit, which is the last; `read` and `sleep` have none. */
const ARGUMENTS: Readonly<Record<WaitingCall, readonly Argument[]>> = {
  read: ['int'],
  select: ['int', 'address', 'address', 'address', 'address'],
  poll: ['address', 'int', 'int'],
  ppoll: ['address', 'int', 'address'],
  epoll: ['int', 'address', 'int', 'int'],
  epoll2: ['int', 'address', 'int', 'address'],
  sleep: [],
  futex: ['address', 'int', 'int', 'address'],
};

const WITHOUT_LIMIT: readonly WaitingCall[] = ['read', 'sleep'];

export interface SystemCall {
  /** Undefined for any other call. */
  readonly call: WaitingCall | undefined;
  /** Arguments of a known call, up to its time limit. */
  readonly args: readonly number[];
  readonly hasTimeLimit: boolean;
}

/**
 * Parses a line of /proc/PID/syscall: number, six arguments, stack and program counter; or `running`; or -1 if the
 * thread sleeps outside of a call. Addresses above 2^53 lose bits, which no user address has.
 */
export function parseSystemCall(line: string, architecture: string): SystemCall | undefined {
  const [number = '', ...registers] = line.trim().split(' ');
  if (!/^-?\d+$/.test(number)) return undefined;
  const call = CALLS[architecture]?.[Number(number)];
  if (call === undefined) return { call, args: [], hasTimeLimit: false };
  const args = ARGUMENTS[call].map((kind, index) => readRegister(registers[index] ?? '0x0', kind));
  return {
    call,
    args,
    hasTimeLimit: !WITHOUT_LIMIT.includes(call) && isLimit(args.at(-1) ?? 0, ARGUMENTS[call].at(-1)),
  };
}

/**
 * C libraries leave different bits in the upper half for an int: glibc before 2.41 zeros, later ones and musl its sign.
 */
function readRegister(text: string, kind: Argument): number {
  return kind === 'int' ? Number(BigInt.asIntN(32, BigInt(text))) : Number(text);
}

/** No limit is a negative number of milliseconds, or a null address of a time. */
function isLimit(argument: number, kind: Argument | undefined): boolean {
  return kind === 'int' ? argument >= 0 : argument !== 0;
}
