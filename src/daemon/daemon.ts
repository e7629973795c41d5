/** The daemon: everything that the handlers use, created once and disposed once. */
import type { Feature } from '../features/feature.js';
import type { Clock } from '../base/clock.js';
import { type Core, SECRET_VARIABLES } from '../features/core.js';
import { NO_VARIABLES, redactorOf } from '../redaction/redactor-of.js';
import type { Log } from '../base/log.js';
import { collectGarbage } from '../terminal/system/collect-garbage.js';
import type { Config } from '../protocol/commands/config.js';
import { T4aError } from '../protocol/errors.js';
import type { Reply } from '../protocol/registry.js';
import { endTerminals } from './end-terminals.js';
import { EndedTerminals } from './ended-terminals.js';
import { LoopLag } from '../terminal/system/loop-lag.js';
import { memoryFigures, type MemoryFigures, youngRoom } from '../terminal/system/memory.js';
import { MemoryGovernor } from '../terminal/system/memory-governor.js';
import { LeftConnections } from '../rpc/left-connections.js';
import { ProgramEnds } from './replacing/program-ends.js';
import type { Replaced } from './replacing/replaced.js';
import { Resumption } from './replacing/resumption.js';
import { Settings } from './settings.js';
import { SharedParts } from '../terminal/shared-parts.js';
import { Terminals } from '../terminal/terminals.js';
import type { LookingCore } from '../features/pictures/looking-core.js';
import { makeLooks } from '../features/pictures/feature.js';
import type { Terminal } from '../terminal/terminal.js';

export interface DaemonSetup {
  readonly socketPath: string;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Environment that programs inherit. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Soft limit of open files of programs. Absent: that of the daemon. */
  readonly openFiles?: number | undefined;
  /** Working directory of programs whose request names none. */
  readonly cwd: string;
  readonly fontsDir: string;
  /** Configuration file of the owner. */
  readonly configFile: string;
  /** Scripts that make shells mark their prompts and commands. */
  readonly shellDir: string;
  /** Called by `shutdown` once all terminals have ended. */
  readonly stop: () => void;
  readonly connectionCounts: () => Reply<'stats'>['connections'];
  /** Absent: no other daemon can take its place. */
  readonly replacing?: Replaced;
  /** Differs for each start; undefined until the daemon serves. */
  readonly instance?: () => string | undefined;
  /** Problem with character widths, if there is one. */
  readonly widthProblem: () => string | undefined;
}

/** Resources that the daemon takes of the machine. */
export interface Resources {
  readonly lag: LoopLag;
  readonly governor: MemoryGovernor;
  readonly memory: () => MemoryFigures;
}

/** Facts of the daemon, for `ping` and `stats`. */
interface DaemonFacts {
  startedAtMs: number;
  /** Count of daemons that have taken the place of the one before, with its terminals. */
  replaced: number;
  /** Previous daemon on this socket, if it did not shut down: found when the socket was taken over. */
  predecessor: Reply<'stats'>['predecessor'] | undefined;
  /** Parsed output of terminals that have been removed. */
  parsedBytesOfRemoved: number;
}

export class Daemon {
  readonly options: DaemonSetup;
  /** Core that all features use; they get nothing else of the daemon. */
  readonly core: LookingCore;
  readonly settings: Settings;
  readonly parts: SharedParts;
  /** Features by name, in the order in which they observe terminals and go on with what they had in the daemon before. */
  readonly features = new Map<string, Feature>();
  readonly ended: EndedTerminals;
  readonly resources: Resources;
  readonly resumption = new Resumption();
  readonly ends = new ProgramEnds();
  readonly facts: DaemonFacts;
  #shutdown: Promise<number[]> | undefined;
  #isReplaced = false;

  constructor(options: DaemonSetup) {
    const { clock, log } = options;
    this.options = options;
    this.facts = { startedAtMs: clock.now(), replaced: 0, predecessor: undefined, parsedBytesOfRemoved: 0 };
    this.settings = new Settings((config, changes) => this.#apply(config, changes));
    this.parts = new SharedParts(clock, log);
    this.core = this.#makeCore();
    this.ended = new EndedTerminals({
      clock,
      config: () => this.settings.values,
      remove: (terminal) => this.remove(terminal),
    });
    this.parts.readers.onFault.on((error) => this.#readerFault(error));
    const memory = (): MemoryFigures => memoryFigures(this.settings.values.max_memory_bytes);
    const governor = new MemoryGovernor({
      clock,
      log,
      figures: memory,
      youngRoom,
      holders: () => this.core.terminals.all().map(({ memory }) => memory),
      dropCaches: () => this.#dropCaches(),
      collectGarbage,
      announce: (body) => this.core.bus.announce(body),
      remove: ({ id }) => void this.#removeHeavy(this.core.terminals.peek(id)),
    });
    this.resources = { lag: new LoopLag(clock), governor, memory };
  }

  #makeCore(): LookingCore {
    const { clock, log } = this.options;
    const { bus, work } = this.parts;
    const settings = this.settings;
    const { env } = this.options;
    const core: Core = {
      terminals: new Terminals(),
      bus,
      clock,
      log,
      work,
      left: new LeftConnections(clock),
      redactor: (terminal) => redactorOf(settings.values.redact, terminal.part(SECRET_VARIABLES).value, env),
      get config() {
        return settings.values;
      },
      assertOpen: () => this.#assertOpen(),
    };
    return Object.assign(core, { looks: makeLooks(core, this.options.fontsDir) });
  }

  /** The themes are first: they refuse a name that they do not know. */
  #apply(config: Config, changes: Partial<Config>): void {
    this.core.looks.themes.configure(config);
    if (changes.redact !== undefined) redactorOf(changes.redact, NO_VARIABLES, this.options.env);
    this.options.log.level = config.log_level;
    if (changes.idle_timeout_ms === undefined) return;
    for (const terminal of this.core.terminals.all()) terminal.setDefaultIdleTimeout(changes.idle_timeout_ms);
  }

  #assertOpen(): void {
    if (this.#shutdown !== undefined)
      throw new T4aError('shutting_down', 'The daemon is shutting down.', {
        hint: 'Try again: the next command starts a new one.',
      });
  }

  /**
   * Ends a terminal's processes and removes it.
   * @param graceMs see `kill`
   * @returns pids of processes that could not be ended
   */
  async remove(
    terminal: Terminal,
    graceMs = this.settings.values.kill_grace_ms,
    sparesNohup = false,
  ): Promise<number[]> {
    // What a broken-off request has made is the other daemon's.
    if (this.#isReplaced) return [];
    const orphans = await terminal.end({ graceMs, sparesNohup });
    if (!this.core.terminals.delete(terminal)) return orphans;
    this.ended.delete(terminal);
    this.facts.parsedBytesOfRemoved += terminal.screen.parsedBytes;
    terminal.remove();
    this.options.log.debug(`terminal ${terminal.id} (pid ${terminal.pid}) is removed`);
    if (orphans.length > 0) {
      this.options.log.warn(`terminal ${terminal.id}: processes ${orphans.join(', ')} could not be ended`);
    }
    return orphans;
  }

  #dropCaches(): void {
    for (const feature of this.features.values()) feature.dropCaches?.();
  }

  async #removeHeavy(terminal: Terminal | undefined): Promise<void> {
    if (terminal === undefined) return;
    try {
      await this.remove(terminal);
    } catch (error) {
      this.options.log.error(`removing terminal ${terminal.id}`, error);
    }
  }

  #readerFault(error: Error): void {
    this.options.log.error('reading output', error);
    this.core.bus.announce({ event: 'warning', code: 'fault', message: error.message });
  }

  /**
   * Ends all terminals at once; a second call waits for the first. @returns pids of processes that could not be ended
   */
  shutdown(): Promise<number[]> {
    this.#shutdown ??= this.#endAll();
    return this.#shutdown;
  }

  get isShuttingDown(): boolean {
    return this.#shutdown !== undefined;
  }

  get isReplaced(): boolean {
    return this.#isReplaced;
  }

  /** Another daemon has its terminals: nothing is done here any more. */
  becomeIdle(): void {
    this.#isReplaced = true;
    this.#shutdown = Promise.resolve([]);
    for (const feature of this.features.values()) feature.leave?.();
    this.#stopLooks();
    this.parts.stty.dispose();
  }

  /** Lets go of all that the other daemon has; nothing is asked here any more. */
  forget(): void {
    this.options.replacing?.clock.end();
    this.core.terminals.forget();
    this.features.clear();
  }

  #stopLooks(): void {
    this.resources.lag.dispose();
    this.ended.dispose();
    this.resources.governor.dispose();
  }

  async #endAll(): Promise<number[]> {
    this.#stopLooks();
    const orphans = await endTerminals(this.core, this.settings.values.kill_grace_ms, (terminal) =>
      this.remove(terminal),
    );
    for (const feature of this.features.values()) await feature.dispose?.();
    this.parts.dispose();
    this.ends.wakeStubs();
    return orphans;
  }
}
