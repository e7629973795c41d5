/**
 * The condition `done`: the shell has run what it was sent. After an act only an end counts that came after it: where the
 * shell is seen at its prompt without one, nothing ran, and the wait is in vain.
 */
import { DisposableScope } from '../../base/lifetime.js';
import type { ArmedCondition, Evidence } from './armed-condition.js';
import { commandEnd } from './ends.js';
import type { WaitContext } from './subject.js';

const NOT_ENTERED = 'The text is on the command line, and was not entered: "submit" does that, or the key Enter.';
const RAN_NOTHING = 'The shell is at its prompt again, and ran nothing.';
const REFUSED = 'The shell has refused the line, and ran nothing.';
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
  let seen: Evidence | undefined;
  let vain: string | undefined;
  // What is printed ends no command: a shell within it counts if it is known to be one, and has no exit code for it.
  const isWithin = (): boolean => (subject.inner?.level ?? 0) > levelBefore;
  const within = (): Evidence | undefined =>
    subject.inner?.isKnown === true ? commandEnd({ code: null, command: null }) : undefined;
  const hasEnded = (): boolean =>
    !fresh || (subject.marksCommands === 'all' ? subject.commandEnds > endsBefore : subject.commandMarks > marksBefore);
  const onWaiting = (code: number | null): void => {
    if (isWithin()) seen = within();
    // By its marks it is at no prompt: another shell reads, which has none.
    else if (hasEnded() || subject.marksCommands !== 'all' || !subject.commandsDone)
      seen = commandEnd({ code, command: null });
    else if (!acts) seen = undefined;
    else if (!wasAtPrompt)
      seen = commandEnd({ code: null, command: null, isNone: subject.linesEntered === linesBefore });
    else if (subject.linesEntered === linesBefore) vain = NOT_ENTERED;
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
      return isWithin() ? within() : commandEnd(subject.lastCommand, subject.inner?.level);
    },
    inVain: () => vain,
    lack: () => (subject.marksCommands === 'none' ? NO_MARKS : isUnfinished ? NOT_ALL : undefined),
    dispose: () => scope.dispose(),
  };
}

/** It runs nothing: an empty line, a comment, a Ctrl+C. */
function isBlank(line: string): boolean {
  const left = line.slice(line.lastIndexOf('\x03') + 1);
  return left.split(/[\r\n]/).every((each) => /^\s*(?:#.*)?$/.test(each));
}
