/**
 * The condition `done`: the shell has run what it was sent. After an act only an end counts that came after it: where the
 * shell is seen at its prompt without one, or has refused every line since, nothing ran, and the wait is in vain. A refused line
 * has no status, and not that of the command before.
 */
import { DisposableScope } from '../../base/lifetime.js';
import type { ArmedCondition, Evidence } from './armed-condition.js';
import { commandEnd } from './ends.js';
import type { WaitContext } from './subject.js';

const NOT_ENTERED = 'The text is on the command line, and was not entered: "submit" does that, or the key Enter.';
const RAN_NOTHING = 'The shell is at its prompt again, and ran nothing.';
const REFUSED = 'The shell has refused the line, and ran nothing.';
const REFUSED_LAST = 'The shell has refused the last line, which has no status.';
const NOT_ALL = 'The shell asks for the rest of the line.';
const NO_MARKS = 'This shell reports no commands: wait for its prompt, as a text.';

export function commandDone(
  { subject, fresh, acts = false, echo }: Pick<WaitContext, 'subject' | 'fresh' | 'acts' | 'echo'>,
  recheck: () => void,
): ArmedCondition {
  const scope = new DisposableScope();
  const endsBefore = subject.commandEnds;
  const marksBefore = subject.commandMarks;
  const linesBefore = subject.linesEntered;
  const levelBefore = subject.inner?.level ?? 0;
  // Else the act was for what reads within: a question of a start-up file. The prompt behind it is an end that no mark tells.
  const wasAtPrompt = subject.commandsDone;
  // The lines before the last one have run by the time that Enter follows, and are not counted.
  const isOneLine = !/[\r\n]+[^\r\n]/.test(echo);
  let seen: Evidence | undefined;
  let vain: string | undefined;
  // What is printed ends no command: a shell within it counts if it is known to be one, and has no exit code for it.
  const isWithin = (): boolean => (subject.inner?.level ?? 0) > levelBefore;
  const within = (): Evidence | undefined =>
    subject.inner?.isKnown === true ? commandEnd({ code: null, command: null }) : undefined;
  const hasEnded = (): boolean =>
    !fresh || (subject.marksCommands === 'all' ? subject.commandEnds > endsBefore : subject.commandMarks > marksBefore);
  const onRefused = (): Evidence | undefined => {
    const isAll = isOneLine && subject.commandEnds - endsBefore <= subject.refusedSince;
    if (!acts || !isAll) return { ...commandEnd({ code: null, command: null }), warning: REFUSED_LAST };
    // A shell whose status says that a line was refused says so of a comment behind it, too.
    if (isBlank(echo)) return commandEnd({ code: null, command: null, isNone: true });
    vain = REFUSED;
    return undefined;
  };
  const onWaiting = (code: number | null): void => {
    if (isWithin()) seen = within();
    else if (hasEnded() && subject.commandsDone && subject.refusedSince > 0) seen = onRefused();
    // By its marks it is at no prompt: another shell reads, which has none.
    else if (hasEnded() || subject.marksCommands !== 'all' || !subject.commandsDone)
      seen = commandEnd({ code, command: null });
    else if (!acts) seen = undefined;
    else if (!wasAtPrompt)
      seen = commandEnd({ code: null, command: null, isNone: subject.linesEntered === linesBefore });
    else if (subject.linesEntered === linesBefore) vain = NOT_ENTERED;
    else if (!isOneLine) seen = commandEnd({ code: null, command: null });
    else if (subject.holdsText || !isBlank(echo)) vain = RAN_NOTHING;
    else seen = commandEnd({ code: null, command: null, isNone: true });
    recheck();
  };
  let isUnfinished = false;
  const onUnfinished = (isRefused: boolean): void => {
    isUnfinished = true;
    if (acts && isRefused && !isWithin()) vain = REFUSED;
    recheck();
  };
  scope.add(subject.onShellWaiting(onWaiting, { now: !fresh }));
  scope.add(subject.onUnfinished(onUnfinished));
  return {
    check() {
      if (!subject.commandsDone || !hasEnded()) return seen;
      if (isWithin()) return within();
      return subject.refusedSince > 0 ? onRefused() : commandEnd(subject.lastCommand, subject.inner?.level);
    },
    inVain: () => vain,
    lack: () => (subject.marksCommands === 'none' ? NO_MARKS : isUnfinished ? NOT_ALL : undefined),
    dispose: () => scope.dispose(),
  };
}

/** Whether a line runs nothing: an empty line, a comment, a Ctrl+C. */
function isBlank(line: string): boolean {
  const left = line.slice(line.lastIndexOf('\x03') + 1);
  return left.split(/[\r\n]/).every((each) => /^\s*(?:#.*)?$/.test(each));
}
