/** What a caller may do, drawn at random, and what that is good for. Pure. */
import { type AllowedReach, TOOL_PROFILES, type ToolProfile } from '../../src/tools/catalog.js';

export interface Rights {
  readonly allow: AllowedReach;
  readonly profile: ToolProfile;
  readonly tools?: readonly string[];
  /** Whether a person has control of the terminal that the calls are about. */
  readonly isHeld: boolean;
  /** Whether a person lets the preset of the project start there. */
  readonly isTrusted: boolean;
  /** Of MCP. */
  readonly revision: string;
  /** Of requests whose callers say it. */
  readonly scope?: string;
}

/** A number from 0 to 1, the same for the same seed. */
export type Random = () => number;

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const pick = <T>(random: Random, all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;

const LOOKING = ['list', 'text', 'status', 'grep', 'wait'];
const TYPING = [...LOOKING, 'type', 'press', 'paste'];
export const STARTING = [...TYPING, 'create', 'run', 'kill'];
const OF_REACH = { read: LOOKING, use: TYPING, create: STARTING } as const;

export const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;

/**
 * @param n of the draws of a door: each level comes once with all tools, then what is drawn; profiles and revisions come in turn
 * @param hasTools whether a list of tools may be given
 */
export function drawRights(random: Random, n: number, levels: readonly AllowedReach[], hasTools: boolean): Rights {
  const allow = levels[n] ?? pick(random, levels);
  const tools = OF_REACH[allow].filter(() => random() < 0.4);
  return {
    allow,
    profile: TOOL_PROFILES[n % TOOL_PROFILES.length] ?? 'full',
    revision: REVISIONS[n % REVISIONS.length] ?? REVISIONS[0],
    isHeld: allow !== 'read' && random() < 0.3,
    isTrusted: random() < 0.5,
    ...(n % 3 === 0 ? {} : { scope: `scope-${Math.floor(random() * 2 ** 40)}` }),
    ...(hasTools && n >= levels.length && random() < 0.5 && tools.length > 0 ? { tools } : {}),
  };
}

export interface Permitted {
  /** Into the terminal that the calls are about. */
  readonly typed: boolean;
  /** Programs are started, and ended where nobody has control. */
  readonly programs: boolean;
  /** That terminal may be ended. */
  readonly ended: boolean;
}

/** @param isPersons whether the caller counts as a person, who need not wait for others */
export function permits({ allow, tools, isHeld }: Rights, isPersons = false): Permitted {
  const has = (names: readonly string[]): boolean => tools === undefined || tools.some((name) => names.includes(name));
  const programs = allow === 'create' && has(['create', 'run', 'kill']);
  const isFree = !isHeld || isPersons;
  return {
    typed: isFree && allow !== 'read' && has(['type', 'press', 'paste', 'run']),
    programs,
    ended: isFree && programs,
  };
}
