/** Commands of a person: the keys after the leader. */

export interface LeaderKey {
  readonly key: string;
  /** As in the help. */
  readonly label: string;
  readonly act: 'detach' | 'create' | 'next' | 'previous' | 'kill' | 'help' | 'literal';
  readonly help: string;
}

export const LEADER_KEYS: readonly LeaderKey[] = [
  { key: 'd', label: 'd', act: 'detach', help: 'detach: leave, the terminal stays' },
  { key: 'c', label: 'c', act: 'create', help: 'create a terminal; asks for its name' },
  { key: 'n', label: 'n', act: 'next', help: 'next terminal, by name' },
  { key: 'p', label: 'p', act: 'previous', help: 'previous terminal' },
  { key: 'k', label: 'k', act: 'kill', help: 'kill this terminal; asks first' },
  { key: '\x02', label: 'Ctrl+B', act: 'literal', help: 'send Ctrl+B to the program' },
  { key: '?', label: '?', act: 'help', help: 'this help' },
];

export function leaderKey(key: string): LeaderKey | undefined {
  return LEADER_KEYS.find((one) => one.key === key);
}

/** Lines of the help, without a frame. */
export function helpLines(): string[] {
  const width = Math.max(...LEADER_KEYS.map(({ label }) => label.length));
  return LEADER_KEYS.map(({ label, help }) => ` Ctrl+B ${label.padEnd(width)}  ${help}`);
}
