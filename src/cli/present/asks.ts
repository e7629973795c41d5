/** Questions to persons, and their answers. */
import type { Host } from '../host.js';
import { printable } from '../output/printable.js';
import type { Present } from './presenter.js';
import { formatSpan } from '../../base/span.js';
import { presentTurn } from './turn.js';

/** The answer alone; what is no answer is a note. */
export const presentAsk: Present<'ask'> = (answer, host) => {
  const { ask, outcome, answer: given, note, by, watchers } = answer.reply;
  if (given !== undefined) host.out(`${WORDS[String(given)] ?? printable(String(given))}\n`);
  const who = by === null ? '' : ` by ${printable(by)}`;
  if (outcome === 'open') {
    const seen = watchers === 0 ? ' No client watches the terminal.' : '';
    host.note(`t4a: Question ${ask} is open:${seen} t4a ask --resume ${ask}\n`);
  } else if (given === undefined) host.note(`t4a: Question ${ask} was ${OUTCOMES[outcome]}${who}.\n`);
  if (note !== undefined) host.note(`t4a: Note${who}: ${printable(note)}\n`);
  presentTurn(answer, host);
};

const WORDS: Readonly<Record<string, string>> = { true: 'yes', false: 'no' };

const OUTCOMES = {
  answered: 'answered',
  declined: 'declined',
  withdrawn: 'withdrawn',
  expired: 'dropped at its deadline',
  exited: 'dropped with its terminal',
} as const;

/** t4a's own words first; those of the asker are indented below. */
export const presentAsks: Present<'asks'> = ({ reply: { asks } }, host: Host) => {
  if (asks.length === 0) return host.note('No open questions.\n');
  for (const {
    ask,
    kind,
    as,
    id,
    foreground,
    question,
    choices = [],
    expires_in_ms: leftMs,
    accepted_by: by,
  } of asks) {
    const place = id === null ? '' : `, terminal ${id}${foreground === null ? '' : ` (${printable(foreground)})`}`;
    const taken = by === undefined ? '' : `, taken by ${printable(by)}`;
    host.out(`${ask}  ${kind} for ${printable(as)}${place}, ${formatSpan(leftMs)} left${taken}\n`);
    host.out(
      question
        .split('\n')
        .map((line) => `    ${printable(line)}\n`)
        .join(''),
    );
    host.out(choices.map((choice, i) => `    ${i + 1}: ${printable(choice)}\n`).join(''));
  }
};
