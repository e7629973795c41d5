/** The signals of one terminal, as they are now. Asks the system only where a program has said something or reads a line. */
import { sanitizeTitle } from '../../events/title.js';
import type { AwaitingInput } from '../../events/awaiting-input.js';
import type { Signal } from '../../events/status/doing.js';
import { isInteractiveShell, isKnownNoShell } from '../../terminal/system/proc/shell-process.js';
import type { WeighedRecord } from '../../terminal/program-status.js';
import type { Terminal } from '../../terminal/terminal.js';

/** Characters of a program's words. */
const SHOWN_LENGTH = 200;

/** A program without records and questions has at most this many signals beside those of rules. */
export function signalsOf(
  terminal: Terminal,
  weighed: readonly WeighedRecord[],
  reader?: AwaitingInput | null,
): Signal[] {
  // What an opened recording shows, no program does.
  if (terminal.recording !== undefined) return [];
  const records = weighed.map((one) => recordSignal(one, '7501'));
  if (!terminal.alive) return [ended(terminal), ...records];
  return [
    ...readerSignal(terminal, reader),
    ...records,
    ...progress(terminal),
    ...shell(terminal),
    ...output(terminal),
  ];
}

export function shownText(text: string): string {
  const points = Array.from(sanitizeTitle(text).replaceAll(/[\u200b-\u200d\u2060\ufeff]/g, ''));
  return points.length <= SHOWN_LENGTH ? points.join('') : `${points.slice(0, SHOWN_LENGTH - 1).join('')}…`;
}

function ended(terminal: Terminal): Signal {
  const { code, signal } = terminal.exit;
  const at = terminal.exitedAtMs ?? terminal.createdAtMs;
  const says = signal === null ? (code === null ? 'the process has ended' : `exit code ${code}`) : `ended by ${signal}`;
  return { source: 'kernel', is: 'exited', kind: null, since: at, at, by: null, says, isProven: true };
}

export function recordSignal({ record, stale }: WeighedRecord, source: '7501' | 'report'): Signal {
  const { state, kind, since, at, by, msg, title, id } = record;
  const words = msg ?? title;
  return {
    source,
    is: state === 'blocked' ? 'waiting' : state,
    kind: kind ?? null,
    since,
    at,
    by: by === undefined ? null : { pid: by.pid, process: by.process },
    says: [state, kind, id === '' ? undefined : id, words === undefined ? undefined : JSON.stringify(shownText(words))]
      .filter((part) => part !== undefined)
      .join(' '),
    isProven: true,
    ...(stale === undefined ? {} : { stale }),
  };
}

function readerSignal(terminal: Terminal, asked: AwaitingInput | null | undefined): Signal[] {
  const { reader } = terminal.detectors;
  if (reader === undefined || asked === null) return [];
  const { found } = reader;
  const { kind, pid, process, certain } = found;
  const question = certain && kind !== 'raw' && !isShell(found) ? kind : undefined;
  const since = wallTime(terminal, reader.sinceMs);
  return [
    {
      source: 'kernel',
      is: question === undefined ? 'idle' : 'waiting',
      kind: question ?? null,
      since,
      at: question !== undefined ? since : wallTime(terminal, terminal.detectors.lastBytesAtMs),
      by: { pid, process },
      says: READS[kind],
      isProven: certain,
    },
  ];
}

/** By what was found: a process that sleeps in a read stays the program that it is. */
const SHELLS = new WeakMap<AwaitingInput, boolean>();

function isShell(found: AwaitingInput): boolean {
  let is = SHELLS.get(found);
  if (is === undefined) SHELLS.set(found, (is = isInteractiveShell(found.pid)));
  return is;
}

const READS = { password: 'reads a password', line: 'reads a line', raw: 'would take a key' } as const;

function progress({ detectors, clock }: Terminal): Signal[] {
  const { taskProgress } = detectors;
  if (taskProgress === undefined || taskProgress.state === 'none') return [];
  const { state, percent } = taskProgress;
  return [
    {
      source: 'progress',
      is: state === 'error' ? 'error' : state === 'paused' ? 'waiting' : 'working',
      kind: state === 'paused' ? 'paused' : null,
      since: null,
      at: clock.wallNow(),
      by: null,
      says: percent === null ? state : `${state} ${percent} %`,
      isProven: true,
    },
  ];
}

function shell(terminal: Terminal): Signal[] {
  const { phase, level, commands } = terminal.detectors.shell;
  if (phase === 'unknown') return [];
  const isRunning = phase === 'running';
  const { last, lastEnded } = commands;
  const since = isRunning
    ? last?.startedAt
    : lastEnded?.startedAt === undefined || lastEnded.durationMs === undefined
      ? undefined
      : lastEnded.startedAt + lastEnded.durationMs;
  const command = last?.command;
  return [
    {
      source: 'shell',
      is: isRunning ? 'working' : 'idle',
      kind: null,
      since: since ?? null,
      at: since ?? terminal.createdAtMs,
      by: null,
      says: isRunning
        ? `runs ${command === undefined ? 'a command' : JSON.stringify(shownText(command))}`
        : 'is at its prompt',
      // Marks of a shell within a command are what anything could print.
      isProven: level === 0,
      ...(isOfNoShell(terminal) ? { stale: 'no shell has printed it' } : {}),
    },
  ];
}

/** An agent may mark what it says as a shell marks commands. */
function isOfNoShell(terminal: Terminal): boolean {
  if (terminal.hasIntegratedShell || !isKnownNoShell(terminal.pid)) return false;
  return !terminal.foregroundPids().some(isInteractiveShell);
}

function output(terminal: Terminal): Signal[] {
  const { outputBytes, lastBytesAtMs } = terminal.detectors;
  if (outputBytes === 0) return [];
  const at = wallTime(terminal, lastBytesAtMs);
  const says = 'has printed';
  return [{ source: 'kernel', is: 'working', kind: null, since: null, at, by: null, says, isProven: false }];
}

function wallTime({ clock }: Terminal, ms: number): number {
  return Math.round(clock.wallNow() - (clock.now() - ms));
}
