/**
 * Presence of a host: what it says of itself to those who ask, and every few seconds. Its name is that of the subject, and never of
 * the message.
 */
import { isLevel, type Level } from './fleet-url.js';
import { isToken } from './subjects.js';

export interface HostPresence {
  /** Address of the agent's connection, by which it is asked. */
  readonly address: string;
  /** Instance of the daemon. */
  readonly instance: string;
  readonly version: string;
  /** Most that requests over NATS may do. */
  readonly allow: Level;
  readonly labels: Readonly<Record<string, string>>;
  /** Terminals of the daemon, and how many more it takes. */
  readonly terminals: number;
  readonly room: number;
  /** Since the agent joined. */
  readonly joined_ms: number;
  /** The agent leaves. */
  readonly left?: true;
  /** The agent is about to join, and serves none yet. */
  readonly joining?: true;
}

/** @param host that the subject names */
export interface PresentHost extends HostPresence {
  readonly host: string;
}

export function encodePresence(host: string, presence: HostPresence): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ host, ...presence }));
}

const MAX_BYTES = 16 * 1024;

/** Undefined for anything else: another program of that server may have sent it. */
export function presenceIn(data: Uint8Array): PresentHost | undefined {
  if (data.length > MAX_BYTES) return undefined;
  let given: Readonly<Record<string, unknown>>;
  try {
    given = JSON.parse(Buffer.from(data).toString()) as Record<string, unknown>;
  } catch {
    return undefined;
  }
  const {
    host,
    address,
    instance,
    version,
    allow,
    labels,
    terminals,
    room,
    joined_ms: joinedMs,
    left,
    joining,
  } = given ?? {};
  if (!isText(host) || !isToken(host) || !isText(address) || !isToken(address) || !isText(instance)) return undefined;
  if (!isLevel(allow) || !isText(version) || !isCount(terminals) || !isCount(room) || !isCount(joinedMs))
    return undefined;
  return {
    host,
    address,
    instance,
    version,
    allow,
    labels: labelsIn(labels),
    terminals,
    room,
    joined_ms: joinedMs,
    ...(left === true ? { left } : {}),
    ...(joining === true ? { joining } : {}),
  };
}

/** Two ages are those of different moments, apart by the way of a message. */
const SAME_AGE_MS = 1000;

/**
 * Whether this is the one of two of one name that stays: the younger one leaves; of two of the same age, one of them. Clocks of
 * their own are compared, not the time of day.
 */
export function isOlder(
  other: Pick<HostPresence, 'joined_ms' | 'address'>,
  own: Pick<HostPresence, 'joined_ms' | 'address'>,
): boolean {
  if (Math.abs(other.joined_ms - own.joined_ms) > SAME_AGE_MS) return other.joined_ms > own.joined_ms;
  return other.address < own.address;
}

const MAX_LABELS = 32;

function labelsIn(given: unknown): Record<string, string> {
  if (typeof given !== 'object' || given === null) return {};
  const pairs = Object.entries(given).filter((pair): pair is [string, string] => isLabel(pair));
  return Object.fromEntries(pairs.slice(0, MAX_LABELS));
}

/** A name and a value that others take as they are. */
export function isLabel([name, value]: readonly [string, unknown]): boolean {
  return isText(name) && typeof value === 'string' && /^\P{C}{0,128}$/u.test(value);
}

/** Short, and without controls. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && /^[^\p{C}\p{Z}]{1,128}$/u.test(value);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
