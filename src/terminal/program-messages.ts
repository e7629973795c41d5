/** What the programs of one terminal say by OSC messages: marks of shells, the working directory, progress, notes. Each becomes an event. */
import type { Clock } from '../base/clock.js';
import { type Disposable, DisposableScope } from '../base/lifetime.js';
import { type OscNotice, OscNotices } from '../events/osc-notices.js';
import type { EventBody, EventType } from '../protocol/events.js';
import type { OscMessage } from '../vt/screen-effects.js';
import { type MarkSeen, commandEvent } from './shell/command-log.js';
import { ReportedDirectory } from './shell/reported-directory.js';
import type { TypedStart } from './shell/typed-commands.js';
import type { ShellWatch } from './shell-watch.js';

/** Each event of the union, without the terminal's id. */
export type BodyOfTerminal = EventBody extends infer One
  ? One extends EventBody
    ? Omit<One, 'terminal'>
    : never
  : never;

type Progress = Extract<OscNotice, { notice: 'progress' }>;

export interface FrozenMessages {
  readonly cwd: string | undefined;
  readonly taskProgress: Progress | undefined;
}

export class ProgramMessages implements Disposable {
  /** Working directory that the shell reported last. */
  cwd: string | undefined;
  /** Of its task; undefined if none is under way. */
  progress: Progress | undefined;
  readonly #shell: ShellWatch;
  readonly #publish: (body: BodyOfTerminal) => void;
  readonly #notices = new OscNotices();
  readonly #directory: ReportedDirectory<Extract<OscNotice, { notice: 'cwd' }>>;
  readonly #scope = new DisposableScope();

  constructor(shell: ShellWatch, clock: Clock, publish: (body: BodyOfTerminal) => void) {
    this.#shell = shell;
    this.#publish = publish;
    this.#directory = this.#scope.add(new ReportedDirectory(clock, (notice) => this.#publishNotice(notice)));
    this.#scope.add(shell.onUnsaid.on((message) => this.onOsc(message)));
    this.#scope.add(shell.onOff.on((off) => this.#publishMarks(shell.turnOff(off, this.cwd))));
  }

  freeze(): FrozenMessages {
    return { cwd: this.cwd, taskProgress: this.progress };
  }

  restore({ cwd, taskProgress }: FrozenMessages): void {
    this.cwd = cwd;
    this.progress = taskProgress;
  }

  onOsc(message: OscMessage | TypedStart): void {
    this.#publishMarks(this.#shell.onOsc(message, this.cwd));
    const notice = this.#notices.feed(message);
    if (notice?.notice === 'cwd') this.#directory.onNotice(notice, { isRunning: this.#shell.phase === 'running' });
    else if (notice !== undefined) this.#publishNotice(notice);
  }

  /** A directory that is held back is published. */
  flush(): void {
    this.#directory.flush();
  }

  dispose(): void {
    this.#scope.dispose();
  }

  #publishMarks(seen: readonly MarkSeen[]): void {
    for (const event of seen.map(commandEvent)) {
      if (event !== undefined) this.#publish(event);
      if (event?.event === 'command_done') this.flush();
    }
  }

  #publishNotice(notice: OscNotice): void {
    const { notice: event, ...fields } = notice;
    if (notice.notice === 'cwd') {
      if (notice.cwd === this.cwd) return;
      this.cwd = notice.cwd;
    }
    if (notice.notice === 'progress') this.progress = notice.state === 'none' ? undefined : notice;
    this.#publish({ event: event satisfies EventType, ...fields } as BodyOfTerminal);
  }
}
