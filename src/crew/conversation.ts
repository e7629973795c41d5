/**
 * The conversation of an agent across its starts: arguments by which it begins one under an id of ours, or goes on with one. What an agent
 * keeps of its conversations is its own affair: whether there is one to go on with, t4a does not know.
 */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type { AgentPreset, Preset } from './preset.js';
import { CONVERSATION } from './template.js';

/** `its`: that of before, by its id. `newest`: the agent's newest of the directory. `new`: none of before. `chosen`: as its arguments say. */
export type Continues = 'its' | 'newest' | 'new' | 'chosen';

export interface Conversation {
  /** After those of the preset. */
  readonly args: readonly string[];
  /** By which it can be continued. */
  readonly id: string | undefined;
}

/** What is known of an agent that is started again. */
export interface Past {
  readonly conversation?: string | undefined;
  /** Another agent of its program was started in its directory: the newest conversation there may be that one's. */
  readonly shared?: boolean | undefined;
}

export function begunConversation(preset: AgentPreset): Conversation {
  const { begin } = preset.conversation ?? {};
  if (begin === undefined || choosesItself(preset)) return { args: [], id: undefined };
  const id = randomUUID();
  return { args: named(begin, id), id };
}

export function continuedConversation(preset: AgentPreset, past: Past): Conversation {
  const continues = whatContinues(preset, past);
  const { resume = [] } = preset.conversation ?? {};
  if (continues === 'newest') return { args: resume, id: undefined };
  if (continues !== 'its') return begunConversation(preset);
  const id = past.conversation ?? '';
  return { args: named(resume, id), id };
}

/** Undefined: its preset does not say how. */
export function whatContinues(preset: AgentPreset, past: Past): Continues | undefined {
  if (preset.conversation === undefined) return undefined;
  if (choosesItself(preset)) return 'chosen';
  if (preset.conversation.begin !== undefined) return past.conversation === undefined ? 'new' : 'its';
  return past.shared === true ? 'new' : 'newest';
}

/** Agents of one such place continue by their newest conversation there, and cannot be told apart; undefined: by an id, or not at all. */
export function sharedPlace(preset: Preset, project: string): string | undefined {
  if (!('approve' in preset) || preset.conversation === undefined || preset.conversation.begin !== undefined)
    return undefined;
  return JSON.stringify([preset.argv[0], resolve(project, preset.working_dir ?? '.')]);
}

function choosesItself({ argv, conversation }: AgentPreset): boolean {
  const { unless = [] } = conversation ?? {};
  return argv.slice(1).some((word) => unless.some((one) => word === one || word.startsWith(`${one}=`)));
}

function named(words: readonly string[], id: string): string[] {
  return words.map((word) => word.replaceAll(CONVERSATION, id));
}
