/** Keys of the player: one table, for what they do and for the help that `?` shows. */

export type PlaybackAction =
  | 'pause'
  | 'step_on'
  | 'step_back'
  | 'on'
  | 'back'
  | 'start'
  | 'end'
  | 'next_marker'
  | 'previous_marker'
  | 'faster'
  | 'slower'
  | 'normal_speed'
  | 'help'
  | 'close'
  | 'leave';

interface KeyRow {
  readonly action: PlaybackAction;
  /** Names of keys in the help. */
  readonly names: string;
  readonly keys: readonly string[];
  readonly help: string;
}

export const KEYS: readonly KeyRow[] = [
  { action: 'pause', names: 'Space', keys: [' '], help: 'pause, go on' },
  { action: 'step_on', names: '.', keys: ['.'], help: 'one step on' },
  { action: 'step_back', names: ',', keys: [','], help: 'one step back' },
  { action: 'on', names: 'Right', keys: ['\x1b[C', '\x1bOC', 'l'], help: '5 s on' },
  { action: 'back', names: 'Left', keys: ['\x1b[D', '\x1bOD', 'h'], help: '5 s back' },
  { action: 'next_marker', names: ']', keys: [']'], help: 'next marker or command' },
  { action: 'previous_marker', names: '[', keys: ['['], help: 'previous marker or command' },
  { action: 'start', names: 'Home, 0', keys: ['\x1b[H', '\x1bOH', '\x1b[1~', '0'], help: 'to the start' },
  { action: 'end', names: 'End, G', keys: ['\x1b[F', '\x1bOF', '\x1b[4~', 'G'], help: 'to the end' },
  { action: 'faster', names: '+', keys: ['+'], help: 'twice the speed' },
  { action: 'slower', names: '-', keys: ['-'], help: 'half the speed' },
  { action: 'normal_speed', names: '=', keys: ['='], help: 'speed 1' },
  { action: 'help', names: '?', keys: ['?'], help: 'show or hide this' },
  { action: 'close', names: 'Esc', keys: ['\x1b'], help: 'hide this, else leave' },
  { action: 'leave', names: 'q', keys: ['q', '\x03'], help: 'leave' },
];

const BY_KEY = new Map(KEYS.flatMap(({ action, keys }) => keys.map((key) => [key, action] as const)));

/** An escape sequence, or one character. */
// oxlint-disable-next-line no-control-regex -- Keys are control sequences.
const ONE_KEY = /\x1b(?:\[[\d;]*[A-Za-z~]|O[A-Za-z])|[^]/g;

/** @param bytes what the terminal sent, as latin1; unknown keys do nothing */
export function actionsOf(bytes: string): PlaybackAction[] {
  return Array.from(bytes.matchAll(ONE_KEY), ([key]) => BY_KEY.get(key)).filter((action) => action !== undefined);
}

/** Lines of the help. */
export function helpLines(): string[] {
  const width = Math.max(...KEYS.map(({ names }) => names.length));
  return KEYS.map(({ names, help }) => ` ${names.padEnd(width)}  ${help} `);
}
