/** Report of `debug`, in the form of DEBUG. */
import type { Reply } from '../protocol/registry.js';

type Facts = Reply<'debug'>;

/** @param most length of the list of sequences; older ones count as dropped */
export function debugOf({ unhandled, termios }: Facts, most: number): object {
  const { sequences, dropped } = unhandled;
  const total = sequences.reduce((sum, { count }) => sum + count, 0);
  return {
    unhandled: lastOf(sequences, most).map((hex) => ({ sequence: readable(hex), raw_hex: hex })),
    dropped: dropped + Math.max(0, total - most),
    termios: termios === null ? { error: 'Failed to get termios: Input/output error' } : termiosOf(termios),
  };
}

/** A sequence stands as often as it was repeated. */
function lastOf(sequences: Facts['unhandled']['sequences'], most: number): string[] {
  const last: string[] = [];
  for (const { hex, count } of sequences.toReversed()) {
    last.push(...Array.from({ length: Math.min(count, most - last.length) }, () => hex));
  }
  return last.toReversed();
}

function readable(hex: string): string {
  return Array.from(Buffer.from(hex, 'hex'), (byte) => {
    if (byte === ESCAPE) return String.raw`\e`;
    return byte >= 0x20 && byte < 0x7f
      ? String.fromCharCode(byte)
      : String.raw`\x${byte.toString(16).padStart(2, '0')}`;
  }).join('');
}

const ESCAPE = 0x1b;

/** Flags that interminai reports, in its order. */
const FLAGS = ['ECHO', 'ISIG', 'IEXTEN', 'ICRNL', 'INLCR', 'IGNCR', 'IXON', 'IXOFF', 'OPOST', 'ONLCR'];

const CHARACTERS = { VINTR: 'intr', VEOF: 'eof', VERASE: 'erase', VKILL: 'kill', VSUSP: 'susp', VQUIT: 'quit' };

function termiosOf({ mode, flags, characters, hex }: NonNullable<Facts['termios']>): object {
  return {
    mode: mode === 'canonical' ? 'cooked' : 'raw',
    flags: FLAGS.filter((flag) => flags[flag.toLowerCase()] === true),
    hex: { iflag: word(hex?.iflag), oflag: word(hex?.oflag), lflag: word(hex?.lflag), cflag: word(hex?.cflag) },
    c_cc: Object.fromEntries(
      Object.entries(CHARACTERS).map(([name, own]) => [name, characters[own]?.text ?? '<disabled>']),
    ),
  };
}

function word(text = '0x0'): string {
  return `0x${text.slice(2).padStart(4, '0')}`;
}
