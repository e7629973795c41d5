/** What to do after a delivery that was not submitted. */
import type { DeliveryOutcome } from '../../protocol/delivery.js';

interface Ended {
  readonly id: string;
  readonly outcome: DeliveryOutcome;
  /** Enter was pressed. */
  readonly isEntered: boolean;
  readonly isWritten: boolean;
  readonly entry: string | null | undefined;
  /** Rules say where its box is. */
  readonly knowsBox: boolean;
  /** A shell is in front. */
  readonly isShell: boolean;
  /** The text begins as commands of programs do, and an empty box is the only proof. */
  readonly mayBeCommand: boolean;
}

type Hint = (ended: Ended) => string;

const HINTS: Readonly<Record<Exclude<DeliveryOutcome, 'submitted'>, Hint>> = {
  shown: ({ id }) => `t4a press ${id} Enter`,
  question: (ended) => {
    const { id, entry } = ended;
    const answer = entry === null || entry === undefined ? `t4a text ${id}` : `t4a press ${id} KEY --if-entry ${entry}`;
    const taken = ended.isEntered ? ' Enter was pressed before it: the prompt may have been taken.' : '';
    return `Answer it first: ${answer}.${left(ended)}${taken}`;
  },
  draft: ({ id, knowsBox }) =>
    knowsBox
      ? `There is other text in the box: t4a text ${id}. Send it or remove it. Nothing was written.`
      : `No rule knows this screen, and there is text at its cursor: t4a text ${id}. It may be a question, which Enter would answer. Nothing was written.`,
  not_ready: ({ id, isShell, knowsBox }) => {
    if (isShell) return `A shell is in front: t4a run COMMAND --id ${id}.`;
    return knowsBox
      ? `The box of the program was not found on the screen: t4a text ${id}. Nothing was written.`
      : `No rule knows the box of the program: t4a text ${id}. Give it a rule on "box" (docs/activity.md), or use t4a paste.`;
  },
  no_paste: () => 'The program takes no pastes: give one line.',
  not_seen: (ended) => `The program does not read: t4a text ${ended.id}.${left(ended)}`,
  no_echo: ({ id }) => `The box does not show the text: t4a text ${id}. What was pasted may come later.`,
  others_typed: (ended) => `Another input came: t4a text ${ended.id}.${left(ended)}`,
  not_submitted: ({ id }) =>
    `Enter was pressed, and nothing proves that the prompt was taken: t4a text ${id} before you press it again.`,
  exited: ({ id }) => `t4a text ${id}`,
};

export function hintFor(ended: Ended): string | undefined {
  if (ended.outcome !== 'submitted') return HINTS[ended.outcome](ended);
  if (!ended.mayBeCommand) return undefined;
  return `The program may have taken it for a command of its own, as what begins with "/": t4a text ${ended.id}.`;
}

function left({ isWritten, isEntered }: Ended): string {
  return isWritten && !isEntered ? ' The text stands in the box: look before you send it again.' : '';
}
