/**
 * Memory use relative to three limits: the configured one, the engine's heap, and the machine. Grids lie outside of the
 * heap, so the heap alone is not enough.
 */
import { totalmem } from 'node:os';
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import type { Reply } from '../../protocol/registry.js';
import { residentBytes } from './resident-bytes.js';

export type MemoryFigures = Pick<
  Reply<'stats'>['memory'],
  'rss' | 'heap_used' | 'heap_limit' | 'buffers' | 'limit' | 'pressure'
>;

/** Shares of a limit: from the first on pressure is reported, from the second on no terminal is added. */
export const HIGH = 0.75;
const CRITICAL = 0.9;

/** @param configuredLimit bytes; 0 for half of the memory that this process may have */
export function memoryFigures(configuredLimit: number): MemoryFigures {
  const { rss, heapUsed, external } = usage();
  const heapLimit = getHeapStatistics().heap_size_limit;
  const limit = memoryLimit(configuredLimit);
  const figures = {
    rss,
    heap_used: heapUsed,
    heap_limit: heapLimit,
    buffers: external,
    limit,
  };
  return { ...figures, pressure: pressureOf(memoryShare(figures)) };
}

/** @param configured bytes; 0 for half of the memory that this process may have */
export function memoryLimit(configured: number): number {
  return configured === 0 ? Math.floor(machineBytes() / 2) : configured;
}

function usage(): Pick<NodeJS.MemoryUsage, 'rss' | 'heapUsed' | 'external'> {
  const { total_physical_size: heap, used_heap_size: heapUsed, external_memory: external } = getHeapStatistics();
  return { rss: residentBytes() ?? heap + external, heapUsed, external };
}

/** Two halves of 16 MiB: the engine's default on 64-bit machines (Node 20 to 26). */
const YOUNG_BYTES = 32 * 1024 * 1024;

/**
 * Bytes that the young generation of the engine's heap may still take. Objects that nothing keeps fill it before the
 * engine collects them, so any work may take this much. The query takes 3 µs.
 */
export function youngRoom(): number {
  const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
  return Math.max(0, YOUNG_BYTES - (young?.physical_space_size ?? 0));
}

/** Share of the nearest limit. */
export function memoryShare({
  rss,
  limit,
  heap_used: heapUsed,
  heap_limit: heapLimit,
}: Pick<MemoryFigures, 'rss' | 'limit' | 'heap_used' | 'heap_limit'>): number {
  return Math.max(rss / limit, heapUsed / heapLimit);
}

export function pressureOf(share: number): MemoryFigures['pressure'] {
  if (share >= CRITICAL) return 'critical';
  return share >= HIGH ? 'high' : 'none';
}

/** The query takes 40 µs, and memory is measured after nearly every output; a container's limit seldom changes. */
const MACHINE_KNOWN_MS = 1000;
let machine = { bytes: 0, askedAtMs: Number.NEGATIVE_INFINITY };

function machineBytes(): number {
  const nowMs = performance.now();
  if (nowMs - machine.askedAtMs >= MACHINE_KNOWN_MS) machine = { bytes: askMachine(), askedAtMs: nowMs };
  return machine.bytes;
}

/** A container's limit, if there is one: a number beyond the machine's memory means none. */
function askMachine(): number {
  const constrained = process.constrainedMemory();
  const total = totalmem();
  return constrained > 0 && constrained < total ? constrained : total;
}
