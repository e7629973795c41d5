/**
 * TCP ports that processes listen on: the sockets among their open files, looked up in the table of their network
 * namespace. Linux only. Read without holding the event loop: the tables of a busy machine are long.
 */
// Node loads `promises` when it is used first.
import { promises } from 'node:fs';

export interface Listener {
  readonly port: number;
  readonly address: string;
  readonly pid: number;
}

/** State LISTEN in /proc/net/tcp (include/net/tcp_states.h). */
const LISTEN = '0A';
const TABLES = ['tcp', 'tcp6'] as const;
/** Of one process; more are not read. */
const MAX_FILES = 4096;
/** Files of processes that are looked at, at the same time. */
const AT_ONCE = 16;

/** @returns one entry for a port and address: of the first process that has it */
export async function listenersOf(pids: readonly number[]): Promise<Listener[]> {
  const found = new Map<string, Listener>();
  for (const pid of pids) {
    const sockets = await socketsOf(pid);
    if (sockets.size === 0) continue;
    for (const { port, address, inode } of await listening(pid)) {
      const key = `${address} ${port}`;
      if (sockets.has(inode) && !found.has(key)) found.set(key, { port, address, pid });
    }
  }
  return [...found.values()].toSorted((a, b) => a.port - b.port || (a.address < b.address ? -1 : 1));
}

/** Inodes; empty if the process has gone, or is another user's. */
async function socketsOf(pid: number): Promise<ReadonlySet<string>> {
  const folder = `/proc/${pid}/fd`;
  const files = await promises.readdir(folder).catch(() => []);
  const inodes = new Set<string>();
  const left = files.slice(0, MAX_FILES);
  const look = async (): Promise<void> => {
    for (let file = left.pop(); file !== undefined; file = left.pop()) {
      const target = await promises.readlink(`${folder}/${file}`).catch(() => '');
      const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1];
      if (inode !== undefined) inodes.add(inode);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, look));
  return inodes;
}

type Row = Omit<Listener, 'pid'> & { readonly inode: string };

async function listening(pid: number): Promise<Row[]> {
  const tables = TABLES.map((table) => promises.readFile(`/proc/${pid}/net/${table}`, 'latin1').catch(() => ''));
  return (await Promise.all(tables)).flatMap(listeningRows);
}

/** @param table of /proc/net/tcp or tcp6 (proc_pid_net(5)): local address, remote address, state, …, inode */
export function listeningRows(table: string): Row[] {
  return table.split('\n').flatMap((line) => {
    const fields = line.trim().split(/\s+/);
    const [, local = '', , state, , , , , , inode] = fields;
    const [address = '', port = ''] = local.split(':');
    if (state !== LISTEN || inode === undefined) return [];
    return [{ port: Number.parseInt(port, 16), address: addressOf(address), inode }];
  });
}

/** @param hex words of 32 bits in the byte order of the machine, which is little-endian where Node runs */
function addressOf(hex: string): string {
  const words = hex.match(/.{8}/g) ?? [];
  const bytes = words.flatMap((word) =>
    (word.match(/../g) ?? []).toReversed().map((byte) => Number.parseInt(byte, 16)),
  );
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, i) =>
    ((bytes[2 * i] ?? 0) * 256 + (bytes[2 * i + 1] ?? 0)).toString(16),
  );
  // The standard form, with the longest run of zeros left out.
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}
