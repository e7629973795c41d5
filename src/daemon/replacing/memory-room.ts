/**
 * Whether there is memory for a second daemon with the same state: both hold all of it until the new one takes over. Where there is
 * none, the system would end one of them, and it may choose the one that serves.
 */
import { totalmem } from 'node:os';
import { readSmallFile } from '../../terminal/system/small-file.js';
import type { T4aError } from '../../protocol/errors.js';
import { refused } from './refused.js';

/** The new daemon takes as much as the old one, and what it reads on top of it. */
const SHARE = 1.1;

/** Memory as the system says it, in bytes. */
export interface SystemMemory {
  readonly totalBytes: number;
  /** The control group has this bound; 0 or more than there is: none. */
  readonly boundBytes: number;
  /** Free bytes within the bound. Files that a control group has read count as taken there. */
  readonly freeBytes: number;
  /** Content of a file of the system; undefined if there is none. */
  readonly read: (path: string) => string | undefined;
}

/** https://nodejs.org/api/process.html#processavailablememory, from Node 20.13 on. */
const { availableMemory } = process as { availableMemory?: () => number };

export function memoryOfSystem(): SystemMemory {
  return {
    totalBytes: totalmem(),
    boundBytes: process.constrainedMemory(),
    // It gives 0 where it could not ask, as without another open file.
    freeBytes: availableMemory?.() || Number.POSITIVE_INFINITY,
    read: readSmallFile,
  };
}

/**
 * @param residentBytes of the old daemon
 * @throws T4aError replace_refused
 */
export function assertMemoryRoom(residentBytes: number, machine: SystemMemory): void {
  const needed = Math.ceil(SHARE * residentBytes);
  const free = machine.freeBytes + droppableBytes(machine);
  if (free < needed) throw noMemory(needed, free);
}

/** Files that the control group has read: they go as soon as memory is wanted (cgroups(7), memory.stat). */
function droppableBytes({ totalBytes, boundBytes, read }: SystemMemory): number {
  if (boundBytes <= 0 || boundBytes >= totalBytes) return 0;
  const groups = read('/proc/self/cgroup') ?? '';
  const [, unified] = /^0::(\/.*)$/m.exec(groups) ?? [];
  const [, memory] = /^\d+:(?:.*,)?memory(?:,[^:]*)?:(\/.*)$/m.exec(groups) ?? [];
  const folder = memory === undefined ? `/sys/fs/cgroup${unified ?? ''}` : `/sys/fs/cgroup/memory${memory}`;
  // In a container the folder of its own group is mounted at the top.
  const stat =
    read(`${folder}/memory.stat`) ?? read('/sys/fs/cgroup/memory.stat') ?? read('/sys/fs/cgroup/memory/memory.stat');
  // Not known: what is free by the system's word is no reason to refuse.
  if (stat === undefined) return Number.POSITIVE_INFINITY;
  const bytesOf = (name: string): number | undefined => {
    const [, bytes] = new RegExp(`^${name} (\\d+)$`, 'm').exec(stat) ?? [];
    return bytes === undefined ? undefined : Number(bytes);
  };
  return bytesOf('total_inactive_file') ?? bytesOf('inactive_file') ?? 0;
}

function noMemory(needed: number, free: number): T4aError {
  return refused(
    `there are ${mib(free)} MiB of memory, and the new daemon may take ${mib(needed)}`,
    '"t4a replace --scrollback 1000 --no-history" takes less, and is not held to it.',
  );
}

function mib(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}
