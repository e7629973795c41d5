/** Numbers of the Linux system calls in which a program waits for input, by architecture, and where their arguments are. */

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
  | 'epoll2';

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
  },
  arm64: { 63: 'read', 65: 'read', 72: 'select', 73: 'ppoll', 22: 'epoll', 441: 'epoll2' },
};

export interface SystemCall {
  readonly call: WaitingCall | undefined;
  readonly args: readonly number[];
}

/**
 * A line of /proc/PID/syscall: number, six arguments, stack and program counter; or `running`; or -1 where the thread
 * sleeps outside of a call. Arguments above 2^53 lose bits, which no descriptor, count or user address has.
 */
export function parseSystemCall(line: string, architecture: string): SystemCall | undefined {
  const [number = '', ...args] = line.trim().split(' ');
  if (!/^-?\d+$/.test(number)) return undefined;
  return { call: CALLS[architecture]?.[Number(number)], args: args.map(Number) };
}
