/** Commands of a person: the keys after the leader. */

export interface LeaderKey {
  readonly key: string;
  /** Label as in the help. */
  readonly label: string;
  readonly act:
    | 'detach'
    | 'create'
    | 'next'
    | 'previous'
    | 'last'
    | 'pick'
    | 'take'
    | 'give'
    | 'answer'
    | 'decline'
    | 'scrollback'
    | 'mouse'
    | 'fit'
    | 'window'
    | 'pane'
    | 'kill'
    | 'help'
    | 'literal';
  readonly help: string;
}

export const LEADER_KEYS: readonly LeaderKey[] = [
  { key: 'd', label: 'd', act: 'detach', help: 'detach: leave, the terminal stays' },
  {
    key: 'c',
    label: 'c',
    act: 'create',
    help: 'create a terminal; asks for its name, and its host if there are several',
  },
  { key: 'n', label: 'n', act: 'next', help: 'next terminal, by name' },
  { key: 'p', label: 'p', act: 'previous', help: 'previous terminal' },
  { key: 'l', label: 'l', act: 'last', help: 'last terminal: the one shown before' },
  { key: 'w', label: 'w', act: 'pick', help: 'pick a terminal from a list' },
  { key: 't', label: 't', act: 'take', help: 'take the keyboard until you give it back; again: give it back' },
  { key: 'g', label: 'g', act: 'give', help: 'give the keyboard back, with a note' },
  { key: 'a', label: 'a', act: 'answer', help: 'answer the question in the status line' },
  { key: 'x', label: 'x', act: 'decline', help: 'decline that question; asks first' },
  { key: '[', label: '[', act: 'scrollback', help: 'read the scrollback: / and ? search, v selects, y copies' },
  { key: 'm', label: 'm', act: 'mouse', help: 'leave the mouse to your own terminal; again: take it back' },
  { key: 'f', label: 'f', act: 'fit', help: 'fit the terminal to this one, until you leave; again: its own size' },
  {
    key: '0',
    label: '0-9',
    act: 'window',
    help: 'window of that number, of a session of tmux; n and p step through them',
  },
  { key: 'o', label: 'o', act: 'pane', help: 'next pane of the window, of a session of tmux' },
  { key: 'k', label: 'k', act: 'kill', help: 'kill this terminal; asks first' },
  { key: '\x02', label: 'Ctrl+B', act: 'literal', help: 'send Ctrl+B to the program' },
  { key: '?', label: '?', act: 'help', help: 'this help' },
];

export function leaderKey(key: string): LeaderKey | undefined {
  const named = /^\d$/.test(key) ? '0' : key;
  return LEADER_KEYS.find((one) => one.key === named);
}
