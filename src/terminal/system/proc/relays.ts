/**
 * Programs that read the terminal for one that runs elsewhere, where the system shows nothing of it. Those whose other side is
 * a terminal of this machine (script, sudo, su, expect) are none: foreground.ts finds who reads there.
 */
import { readFileSync } from 'node:fs';
import type { ThreadActivity } from '../../../events/awaiting-input.js';

/** The words after which it passes keys on; none: always. */
const RELAYS: Readonly<Record<string, readonly string[]>> = {
  ssh: [],
  slogin: [],
  'mosh-client': [],
  telnet: [],
  rlogin: [],
  rsh: [],
  nc: [],
  'nc.openbsd': [],
  'nc.traditional': [],
  ncat: [],
  netcat: [],
  socat: [],
  websocat: [],
  screen: [],
  'tmux: client': [],
  dtach: [],
  abduco: [],
  cu: [],
  picocom: [],
  minicom: [],
  tio: [],
  docker: ['exec', 'run', 'attach', 'start'],
  'docker-compose': ['exec', 'run', 'attach'],
  podman: ['exec', 'run', 'attach', 'start'],
  nerdctl: ['exec', 'run', 'attach', 'start'],
  kubectl: ['exec', 'run', 'attach', 'debug'],
  oc: ['exec', 'run', 'attach', 'debug', 'rsh'],
  crictl: ['exec', 'attach'],
  ctr: ['exec', 'run', 'attach'],
  runc: ['exec', 'run'],
  lxc: ['exec', 'console', 'shell'],
  incus: ['exec', 'console', 'shell'],
  'lxc-attach': [],
  'lxc-console': [],
  machinectl: ['shell', 'login'],
  'systemd-run': [],
  'systemd-nspawn': [],
  virsh: ['console'],
  multipass: ['exec', 'shell'],
  adb: ['shell'],
  'session-manager-plugin': [],
};

/** @param name as the system reports it, at most 15 characters */
export function isRelay(pid: number, name: string): boolean {
  const words = RELAYS[name] ?? RELAYS[LONG_NAMES.get(name) ?? ''];
  if (words === undefined) return false;
  if (words.length === 0) return true;
  const args = argumentsOf(pid);
  return words.some((word) => args.includes(word));
}

/** They read by themselves only what they ask for, a host key or a password: what they pass on comes by an event loop. */
const READ_FOR_THEMSELVES: readonly string[] = ['ssh', 'slogin', 'mosh-client', 'telnet', 'rlogin', 'rsh'];

export function passesOn({ pid, process, blockedIn }: ThreadActivity): boolean {
  return !(blockedIn.kind === 'read' && READ_FOR_THEMSELVES.includes(process)) && isRelay(pid, process);
}

/** The kernel cuts names. */
const MOST_CHARACTERS = 15;
const LONG_NAMES = new Map(
  Object.keys(RELAYS)
    .filter((name) => name.length > MOST_CHARACTERS)
    .map((name) => [name.slice(0, MOST_CHARACTERS), name]),
);

function argumentsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(1);
  } catch {
    // It is gone, or another user's.
    return [];
  }
}
