import type { Reply } from '../../protocol/registry.js';
import type { Present } from './presenter.js';

/** Sections for people; the line discipline as `stty -a` has it. Everything in them was made readable by the daemon. */
export const presentDebug: Present<'debug'> = ({ reply: facts }, host) => {
  const sections = [
    section('unhandled sequences', [...facts.unhandled.sequences.map(sequence), ...dropped(facts.unhandled.dropped)]),
    section('queries', [
      ...facts.queries.seen.map((query) => `${sequence(query)}  ${query.answer ?? 'NOT ANSWERED'}`),
      ...dropped(facts.queries.dropped),
    ]),
    ...(facts.inputs === undefined ? [] : [section('inputs', inputLines(facts.inputs))]),
    section('termios', termiosLines(facts.termios)),
    section('shell integration', shellLines(facts.shell)),
    section('foreground', foregroundLines(facts.foreground)),
    section(`output, last of ${facts.output.bytes} bytes`, facts.output.text === '' ? [] : [facts.output.text]),
    section('pending', [`output ${facts.pending_output_bytes} bytes, input ${facts.pending_input_bytes} bytes`]),
  ];
  host.out(sections.join(''));
};

function section(title: string, lines: readonly string[]): string {
  const body = lines.length === 0 ? ['none'] : lines;
  return `${title}\n${body.map((line) => `  ${line}\n`).join('')}`;
}

function sequence({ text, hex, count }: { text: string; hex: string; count: number }): string {
  return `${text}${count === 1 ? '' : ` x${count}`}  ${hex}`;
}

function dropped(count: number): string[] {
  return count === 0 ? [] : [`… and ${count} before`];
}

function inputLines({ seen, dropped: before }: NonNullable<Reply<'debug'>['inputs']>): string[] {
  const lines = seen.map(({ as, cmd, ts, bytes }) => {
    const length = bytes === null ? 'a secret' : `${bytes} bytes`;
    return `${new Date(ts).toISOString()}  ${cmd}  ${length}${as === null ? '' : `  ${as}`}`;
  });
  return [...lines, ...dropped(before)];
}

function termiosLines(termios: Reply<'debug'>['termios']): string[] {
  if (termios === null) return ['unknown'];
  const flags = Object.entries(termios.flags).map(([name, on]) => (on ? name : `-${name}`));
  const characters = Object.entries(termios.characters).map(([name, value]) => `${name} = ${value?.text ?? '<undef>'}`);
  const words = Object.entries(termios.hex ?? {}).map(([name, value]) => `${name} ${value}`);
  return [
    `mode ${termios.mode}`,
    flags.join(' '),
    characters.join('; '),
    ...(words.length === 0 ? [] : [words.join(' ')]),
  ];
}

function shellLines(shell: Reply<'debug'>['shell']): string[] {
  if (shell === null) return ['unknown'];
  return [`${shell.name}: ${shell.integration}${shell.reason === undefined ? '' : `, since ${shell.reason}`}`];
}

function foregroundLines(foreground: Reply<'debug'>['foreground']): string[] {
  if (foreground === null) return ['unknown'];
  return foreground.threads.map(({ pid, process, blocked_in: blockedIn, terminal, wait_channel: channel }) => {
    const where = terminal === undefined ? '' : terminal ? ' of this terminal' : ' of something else';
    return `${pid} ${process}: ${blockedIn}${where}${channel === undefined ? '' : ` (${channel})`}`;
  });
}
