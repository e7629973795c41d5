/** The parts of a daemon that its terminals share. Each daemon makes its own, so that two in one process have nothing in common. */
import type { Clock } from '../../base/clock.js';
import type { Disposable } from '../../base/lifetime.js';
import { EventBus } from '../../events/bus.js';
import { WorkSchedule } from '../../events/search/work-schedule.js';
import { ParseSchedule } from '../../vt/parsing/schedule.js';
import { PtyReaders } from '../pty/readers.js';
import { SessionTable } from '../system/session-table.js';
import { Stty } from '../system/stty.js';

export class SharedParts implements Disposable {
  readonly clock: Clock;
  readonly bus: EventBus;
  /** Turns of all screens at parsing. */
  readonly parsing = new ParseSchedule();
  /** Turns of all searches that take long. */
  readonly work = new WorkSchedule();
  readonly readers = new PtyReaders();
  readonly stty = new Stty();
  readonly sessions = new SessionTable();

  constructor(clock: Clock, bus = new EventBus({ clock })) {
    this.clock = clock;
    this.bus = bus;
  }

  /** Ends the reader thread and the process that runs `stty`; to be called once all terminals have ended. */
  dispose(): void {
    this.readers.dispose();
    this.stty.dispose();
  }
}
