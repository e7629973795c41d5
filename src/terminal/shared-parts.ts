/**
 * The parts of a daemon that its terminals share. Each daemon creates its own, so that two daemons in one process share
 * nothing.
 */
import type { Clock } from '../base/clock.js';
import type { Disposable } from '../base/lifetime.js';
import { type Log, silentLog } from '../base/log.js';
import { EventBus } from '../events/bus.js';
import { WorkSchedule } from '../search/work-schedule.js';
import { ParseSchedule } from '../vt/parsing/schedule.js';
import { PtyReaders } from './pty/readers.js';
import { SessionTable } from './system/session-table.js';
import { Stty } from './system/stty.js';

export class SharedParts implements Disposable {
  readonly clock: Clock;
  readonly bus: EventBus;
  readonly log: Log;
  /** Schedules the parsing of all screens. */
  readonly parsing = new ParseSchedule();
  /** Schedules all long searches. */
  readonly work = new WorkSchedule();
  readonly readers = new PtyReaders();
  readonly stty = new Stty();
  readonly sessions = new SessionTable();

  constructor(clock: Clock, log: Log = silentLog, bus = new EventBus({ clock, log })) {
    this.clock = clock;
    this.log = log;
    this.bus = bus;
  }

  /** The same parts, with a bus that nothing subscribes to. */
  apart(): SharedParts {
    const { clock, log } = this;
    const copy = Object.create(SharedParts.prototype) as SharedParts;
    return Object.assign(copy, this, { bus: new EventBus({ clock, log }) });
  }

  /** Ends the reader thread and the process that runs `stty`. Call it once all terminals have ended. */
  dispose(): void {
    this.readers.dispose();
    this.stty.dispose();
  }
}
