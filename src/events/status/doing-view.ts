/** View of what a terminal is doing, for other parts of the daemon. Absent for what has no feature that watches it. */
import { type HasParts, PartKey } from '../../base/parts.js';
import type { AwaitingInput } from '../awaiting-input.js';
import type { Decision, Doing } from './doing.js';
import type { StatusRecord } from './records.js';

export interface DoingView {
  /** @param reader who waits for input, if the system was just asked: null for none */
  now(reader?: AwaitingInput | null): Decision;
  /** State that the last event gave; undefined until a program, a rule or a question has said something. Costs nothing. */
  readonly shown: Doing | undefined;
  /** Report of hooks, the most urgent of them. */
  readonly hookReport: HookRecord | undefined;
}

export interface HookRecord {
  readonly record: StatusRecord;
  /** Wall time. */
  readonly endsAt: number;
}

export const DOING = new PartKey<DoingView | undefined>(() => undefined);

export function doingOf(terminal: HasParts): DoingView | undefined {
  return terminal.part(DOING).value;
}

export type ShownDoing = Pick<Doing, 'is' | 'kind' | 'source' | 'since' | 'needs_you'>;

export function shownDoing({ is, kind, source, since, needs_you: needs }: Doing): ShownDoing {
  return { is, kind, source, since, needs_you: needs };
}
