/** The terminals of crews, from the daemon's list: what they are is in their labels, and their tree in the parents of all terminals. */
import type { DoingState, Need } from '../protocol/doing.js';
import { endWord } from '../protocol/end-words.js';
import { needOf } from '../protocol/needs-person.js';
import type { Reply } from '../protocol/registry.js';

export const MEMBER_KINDS = ['agent', 'terminal', 'command'] as const;

export type MemberKind = (typeof MEMBER_KINDS)[number];

export type Status = 'starting' | 'running' | 'stopped' | 'exited' | 'errored';

export type ListedTerminal = Reply<'list'>['terminals'][number];

export const LABEL = {
  /** Id of the root. */
  session: 'crew.session',
  kind: 'crew.kind',
  preset: 'crew.preset',
  name: 'crew.name',
  project: 'crew.project',
  /** It was ended on purpose. */
  stopped: 'crew.stopped',
  /** Of a root: when it has started others lately, in seconds of the clock. */
  starts: 'crew.starts',
} as const;

export interface Member {
  readonly id: string;
  readonly session: string;
  readonly kind: MemberKind;
  readonly name: string;
  readonly preset: string | undefined;
  readonly project: string | undefined;
  /** The nearest member above it; null of a root. */
  readonly parent: string | null;
  /** Agents above it. */
  readonly depth: number;
  /** Of its process. */
  readonly status: Status;
  /** What it is doing: the answer of the daemon. */
  readonly state: DoingState;
  /** Why a person should look at it. */
  readonly need: Need | null;
  readonly terminal: ListedTerminal;
}

/** A program that has printed nothing for longer is just silent. */
const STARTING_MS = 3000;

export class Members {
  readonly #byId: ReadonlyMap<string, Member>;
  readonly #terminals: ReadonlyMap<string, ListedTerminal>;

  /** @param nowMs of the clock of the daemon, whose `created_at` are compared with it */
  constructor(terminals: readonly ListedTerminal[], nowMs: number) {
    this.#terminals = new Map(terminals.map((one) => [one.id, one]));
    const members = terminals.flatMap((terminal): Member[] => {
      const { labels } = terminal;
      const [session, kind] = [labels[LABEL.session], MEMBER_KINDS.find((one) => one === labels[LABEL.kind])];
      if (session === undefined || kind === undefined) return [];
      const above = this.#above(terminal);
      return [
        {
          id: terminal.id,
          session,
          kind,
          name: labels[LABEL.name] ?? terminal.id,
          preset: labels[LABEL.preset],
          project: labels[LABEL.project],
          parent: above[0]?.id ?? null,
          depth: above.filter((one) => one.labels[LABEL.kind] === 'agent').length,
          status: statusOf(terminal, nowMs),
          state: terminal.doing?.is ?? 'unknown',
          need: needOf(terminal),
          terminal,
        },
      ];
    });
    this.#byId = new Map(members.map((one) => [one.id, one]));
  }

  get all(): readonly Member[] {
    return [...this.#byId.values()];
  }

  member(id: string): Member | undefined {
    return this.#byId.get(id);
  }

  hasTerminal(id: string): boolean {
    return this.#terminals.has(id);
  }

  /** Others name it as their parent or session, also once it was closed: a new terminal of that id would take them over. */
  isNamed(id: string): boolean {
    return [...this.#terminals.values()].some(({ parent, labels }) => parent === id || labels[LABEL.session] === id);
  }

  /** The member that the terminal is, or is within. */
  nearest(id: string): Member | undefined {
    const terminal = this.#terminals.get(id);
    if (terminal === undefined) return undefined;
    return this.#byId.get(id) ?? this.#byId.get(this.#above(terminal)[0]?.id ?? '');
  }

  /** Its root first, and the children of each below it, in the order of their creation. */
  session(id: string): readonly Member[] {
    return this.all.filter(({ session }) => session === id);
  }

  /** Whether `id` is below `ancestor`, at any depth. */
  isBelow(id: string, ancestor: string): boolean {
    const terminal = this.#terminals.get(id);
    return terminal !== undefined && this.#above(terminal).some((one) => one.id === ancestor);
  }

  /** Members above it, the nearest first; a terminal without labels between them is passed by. */
  #above(terminal: ListedTerminal): ListedTerminal[] {
    const above: ListedTerminal[] = [];
    const seen = new Set([terminal.id]);
    for (let id = terminal.parent; id !== null && !seen.has(id);) {
      seen.add(id);
      const one = this.#terminals.get(id);
      if (one === undefined) break;
      if (one.labels[LABEL.session] !== undefined) above.push(one);
      id = one.parent;
    }
    return above;
  }
}

function statusOf(terminal: ListedTerminal, nowMs: number): Status {
  const { alive, labels, exit_code: code, signal, output_bytes: bytes, created_at: createdMs, generation } = terminal;
  if (!alive) {
    if (labels[LABEL.stopped] !== undefined) return 'stopped';
    return code === 0 || (code === null && signal === null) ? 'exited' : 'errored';
  }
  return bytes === 0 && generation === 1 && nowMs - createdMs < STARTING_MS ? 'starting' : 'running';
}

/** How a member has ended, in a word: a person or a parent has stopped it, or it ended by itself. */
export function endedWord({ status, terminal }: Member): string {
  return status === 'stopped' ? status : endWord(terminal);
}
