/** Settings of a person for their shell, as the shell meets it: keys are bytes. */
import type { CrewSettings, NAMED_KEYS } from '../../crew/settings.js';
import { ctrl, type Leader } from './leader.js';

export interface ShellSettings {
  readonly leader: Leader;
  /** 0 for no rail; undefined for a quarter of the columns. */
  readonly railCols: number | undefined;
  /** Lines of the palette by the bytes of a key after the leader. */
  readonly bindings: ReadonlyMap<string, string>;
}

/** Bytes of named keys as terminals send them, in the normal mode and in that of applications. */
const NAMED: Readonly<Record<(typeof NAMED_KEYS)[number], readonly string[]>> = {
  tab: ['\t'],
  up: ['\x1b[A', '\x1bOA'],
  down: ['\x1b[B', '\x1bOB'],
  right: ['\x1b[C', '\x1bOC'],
  left: ['\x1b[D', '\x1bOD'],
  home: ['\x1b[H', '\x1bOH', '\x1b[1~'],
  end: ['\x1b[F', '\x1bOF', '\x1b[4~'],
  f1: ['\x1bOP', '\x1b[11~', '\x1b[P'],
  f2: ['\x1bOQ', '\x1b[12~', '\x1b[Q'],
  f3: ['\x1bOR', '\x1b[13~'],
  f4: ['\x1bOS', '\x1b[14~', '\x1b[S'],
  f5: ['\x1b[15~'],
  f6: ['\x1b[17~'],
  f7: ['\x1b[18~'],
  f8: ['\x1b[19~'],
  f9: ['\x1b[20~'],
  f10: ['\x1b[21~'],
  f11: ['\x1b[23~'],
  f12: ['\x1b[24~'],
};

export function shellSettings({ leader, railCols, bindings }: CrewSettings): ShellSettings {
  const byBytes = Object.entries(bindings).flatMap(([key, line]) =>
    bytesOf(key).map((bytes) => [bytes, line] as const),
  );
  return { leader: ctrl(leader.slice('ctrl-'.length)), railCols, bindings: new Map(byBytes) };
}

function bytesOf(key: string): readonly string[] {
  if (key.startsWith('ctrl-')) return [ctrl(key.slice('ctrl-'.length)).byte];
  return (NAMED as Readonly<Record<string, readonly string[]>>)[key] ?? [key];
}
