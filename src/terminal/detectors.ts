/**
 * The detectors of one terminal, wired: bytes, parses, OSC messages and input in, events out. Also the subject of waits.
 * Decides nothing itself: each detector is a part of events/.
 */
import type { Clock } from '../base/clock.js';
import type { HasParts } from '../base/parts.js';
import { type Disposable, DisposableScope } from '../base/lifetime.js';
import type { AwaitingInput } from '../events/awaiting-input.js';
import type { CommandRecord } from './shell/command-log.js';
import { type FrozenIdle, IdleDetector } from '../events/idle.js';
import { type FrozenInputWatch, InputWatch } from './input/input-watch.js';
import type { WorkSchedule } from '../search/work-schedule.js';
import { type Settled, SettledDetector } from '../events/settled.js';
import { SETTLED_EVENT_MS, SettledReports } from '../events/settled-reports.js';
import { sanitizeTitle } from '../events/title.js';
import type { WaitSubject } from '../events/waits/subject.js';
import type { TerminalEvent } from '../protocol/events.js';
import type { Screen } from '../vt/screen.js';
import type { ParsedEvent, ShownEffect } from '../vt/screen-events.js';
import { ProgressSinceInput } from './system/proc/progress-since-input.js';
import { ProcessorUse } from './system/proc/processor-use.js';
import { canProbeInput, probeAwaitingInput, type ProbedTerminal } from './system/proc/input-probe.js';
import type { Feed } from './feed.js';
import { onLastingRead } from './lasting-read.js';
import { type BodyOfTerminal, type FrozenMessages, ProgramMessages } from './program-messages.js';
import { frameOf } from './screen-frame.js';
import { type FrozenShell, ShellWatch } from './shell-watch.js';
import type { TerminalSetup } from './setup.js';
import { readTerminalFlags } from './system/termios.js';
import { typedScreen } from './typed-screen.js';

export interface DetectorsOptions {
  readonly screen: Screen;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly idleTimeoutMs: number;
  readonly process: ProbedTerminal;
  readonly features?: HasParts | undefined;
  readonly work: WorkSchedule;
  readonly catchUp: () => Promise<void>;
  /** Folder of the scripts that are injected into shells. */
  readonly shellScripts: string;
  readonly markSeed?: TerminalSetup['markSeed'] | undefined;
  readonly publish: (body: BodyOfTerminal) => void;
  readonly exit: () => WaitSubject['exit'];
  /** Output of earlier programs of the terminal. */
  readonly outputBytes?: number;
}

/** Times are ages. */
export interface FrozenDetectors extends FrozenMessages {
  readonly shell: FrozenShell;
  readonly idle: FrozenIdle;
  readonly input: FrozenInputWatch;
  readonly parses: number;
  readonly outputBytes: number;
  readonly silentMs: number;
  /** The screen has changed since the last `settled`. */
  readonly isUnsettled: boolean;
}

export class Detectors implements WaitSubject, Disposable {
  readonly screen: Screen;
  readonly work: WorkSchedule;
  readonly features: WaitSubject['features'];
  readonly idle: IdleDetector;
  readonly shell: ShellWatch;
  readonly tellsAwaitingInput = canProbeInput;
  /** Given once: it watches the terminal by itself. */
  typed: WaitSubject['typed'];
  readonly #feed: Feed;
  readonly #clock: Clock;
  readonly #process: ProbedTerminal;
  readonly #catchUp: () => Promise<void>;
  readonly #publish: (body: BodyOfTerminal) => void;
  readonly #exit: () => WaitSubject['exit'];
  readonly #scope = new DisposableScope();
  readonly #messages: ProgramMessages;
  readonly #progress: ProgressSinceInput;
  readonly #processor: ProcessorUse;
  #isComputing = false;
  #mayTurn = false;
  readonly #settled: SettledDetector;
  readonly #settledReports: SettledReports;
  readonly #input: InputWatch;
  #inputWanted = 0;
  #ended = false;
  #parses = 0;
  outputBytes: number;
  #lastBytesAtMs: number;

  constructor(options: DetectorsOptions) {
    const { screen, feed, clock, idleTimeoutMs, process, work, catchUp, shellScripts, publish, exit } = options;
    this.screen = screen;
    this.#feed = feed;
    this.work = work;
    this.#clock = clock;
    this.#process = process;
    this.#catchUp = catchUp;
    this.#progress = new ProgressSinceInput(process.pid, clock);
    this.#processor = new ProcessorUse(clock);
    this.#publish = publish;
    this.#exit = exit;
    this.outputBytes = options.outputBytes ?? 0;
    this.#lastBytesAtMs = clock.now();
    this.features = options.features;
    this.shell = new ShellWatch({
      ...options,
      ...process,
      scripts: shellScripts,
      screen: typedScreen(screen),
      isEditing: () => screen.modes.bracketedPaste,
      isCanonical: async () => (await readTerminalFlags(process.stty, process.device))?.canonical,
    });
    this.#messages = this.#scope.add(new ProgramMessages(this.shell, clock, publish));
    this.idle = this.#scope.add(
      new IdleDetector({
        clock,
        timeoutMs: idleTimeoutMs,
        onIdle: (afterMs) => publish({ event: 'idle', after_ms: afterMs }),
        onActivity: () => publish({ event: 'activity' }),
      }),
    );
    this.#settled = this.#scope.add(
      new SettledDetector({
        clock,
        takeFrame: () => frameOf(screen),
        synchronizedOutput: () => screen.modes.synchronizedOutput,
      }),
    );
    this.#settledReports = new SettledReports(this.#settled, clock, ({ ignored }) =>
      publish({ event: 'settled', after_ms: SETTLED_EVENT_MS, ignored: [...ignored] }),
    );
    this.#input = this.#scope.add(
      new InputWatch({
        clock,
        probe: () => this.probeInput(),
        wanted: () => this.#inputWanted > 0,
        mayBeLate: () => this.#inputWanted === 0 && !this.shell.onWaiting.hasListeners,
        mayTurn: () => this.#mayTurn,
        cursor: () => cursorPlace(screen),
      }),
    );
    this.#wire();
  }

  freeze(): FrozenDetectors {
    return {
      shell: this.shell.freeze(),
      idle: this.idle.freeze(),
      input: this.#input.freeze(),
      ...this.#messages.freeze(),
      parses: this.#parses,
      outputBytes: this.outputBytes,
      silentMs: this.#clock.now() - this.#lastBytesAtMs,
      isUnsettled: this.#settledReports.isWatching,
    };
  }

  restore(frozen: FrozenDetectors): void {
    const { shell, idle, input, parses, outputBytes, silentMs, isUnsettled } = frozen;
    this.shell.restore(shell);
    this.idle.restore(idle);
    this.#input.restore(input);
    this.#messages.restore(frozen);
    this.#parses = parses;
    this.outputBytes = outputBytes;
    this.#lastBytesAtMs = this.#clock.now() - silentMs;
    if (isUnsettled) this.#settledReports.onScreenChanged();
  }

  /** Working directory that the shell reported last. */
  get cwd(): string | undefined {
    return this.#messages.cwd;
  }

  get taskProgress(): ProgramMessages['progress'] {
    return this.#messages.progress;
  }

  get parses(): number {
    return this.#parses;
  }

  get lastBytesAtMs(): number {
    return this.#lastBytesAtMs;
  }

  get ended(): boolean {
    return this.#ended;
  }

  get commandMarks(): number {
    return this.shell.marksSeen;
  }

  get commandEnds(): number {
    return this.shell.endsSeen;
  }

  get refusedSince(): number {
    return this.shell.refusedSince;
  }

  get holdsText(): boolean {
    return this.shell.leftovers.holdsText;
  }

  get linesEntered(): number {
    return this.shell.linesEntered;
  }

  get marksCommands(): WaitSubject['marksCommands'] {
    return this.shell.marksCommands;
  }

  get commandsDone(): boolean {
    return this.shell.isDone;
  }

  get inner(): WaitSubject['inner'] {
    return this.shell.inner;
  }

  get lastCommand(): WaitSubject['lastCommand'] {
    const { lastCode: code, commands } = this.shell;
    return { code, command: commands.lastEnded?.command ?? null, isNone: code === null && !commands.lastEnded };
  }

  /** By the last look at the system, since when; undefined as soon as there is output or input. */
  get reader(): { readonly found: AwaitingInput; readonly sinceMs: number } | undefined {
    const { current: found, currentSinceMs: sinceMs } = this.#input;
    return found === undefined ? undefined : { found, sinceMs };
  }

  /** Called with what looks find that are taken anyway. */
  onReading(listener: (found: AwaitingInput) => void): Disposable {
    return this.#input.onConfirmed.on(listener);
  }

  get exit(): WaitSubject['exit'] {
    return this.#exit();
  }

  /** Asks the system now. A program whose last output is not on the screen yet does not count as waiting. */
  async probeInput(): Promise<AwaitingInput | undefined> {
    if (this.#ended) return undefined;
    const found = await probeAwaitingInput(this.#process, {
      atShellPrompt: () => this.shell.atPrompt,
      hasRun: (pid) => this.#progress.hasRun(pid),
      isComputing: (processes) => (this.#isComputing = this.#processor.isUsed(processes)),
      onReader: (mayTurn) => (this.#mayTurn = mayTurn),
    });
    // Output from before it slept may not be parsed, or even read yet: a mark, or a query whose answer it waits for.
    if (found === undefined || this.screen.pendingBytes > 0) return undefined;
    const bytes = this.outputBytes;
    await this.#catchUp();
    if (this.outputBytes !== bytes) return undefined;
    if (this.shell.isAheadOfMarks(found, this.#lastBytesAtMs)) return undefined;
    this.#progress.onFound(found.pid);
    return found;
  }

  /** By the last look. @param fromNow what was used before counts no more */
  isComputing({ fromNow }: { readonly fromNow: boolean }): boolean {
    if (fromNow) this.#processor.restartAtLastLook();
    return this.#isComputing;
  }

  catchUp(): Promise<void> {
    return this.#catchUp();
  }

  #onBytes(count: number): void {
    this.outputBytes += count;
    this.#lastBytesAtMs = this.#clock.now();
    this.#processor.restart();
    this.shell.onBytes();
    this.idle.onBytes();
    this.#input.onBytes();
  }

  #onInput(bytes: Uint8Array): void {
    this.shell.onInput(Buffer.from(bytes).toString('latin1'));
    this.#settled.onInput();
    this.#processor.restart();
    if (canProbeInput) this.#progress.onInput();
    this.#input.onInput();
  }

  /** To be called before answers to queries are written. */
  onAnswers(bytes: Uint8Array): void {
    if (canProbeInput) this.#progress.onAnswers(bytes.length);
  }

  /** To be called before the screen's size changes; the returned function afterwards. */
  beforeResize(endsWithin: (record: CommandRecord) => boolean): () => void {
    const followed = this.shell.followPlaces((line) => this.screen.anchorLine(line), endsWithin);
    return () => {
      followed();
      this.#settled.onInput();
    };
  }

  #onExit(): void {
    this.#messages.flush();
    this.dispose();
  }

  onParsed(listener: () => void): Disposable {
    return this.#feed.add({ onParsed: listener });
  }

  onEvent(listener: (event: TerminalEvent) => void): Disposable {
    return this.#feed.add({ onEvent: listener });
  }

  onAwaitingInput(listener: (found: AwaitingInput) => void, { now }: { now: boolean }): Disposable {
    this.#inputWanted++;
    const scope = new DisposableScope();
    scope.add(this.#input.onConfirmed.on(listener));
    if (now) this.#input.probeNow();
    else this.#input.hurry();
    scope.defer(() => this.#inputWanted--);
    return scope;
  }

  onShellWaiting(listener: (code: number | null) => void, { now }: { now: boolean }): Disposable {
    const listening = this.shell.onWaiting.on(listener);
    if (now && canProbeInput) this.#input.probeNow();
    else this.#input.hurry();
    return listening;
  }

  onUnfinished(listener: (isRefused: boolean) => void): Disposable {
    return this.shell.onUnfinished.on(listener);
  }

  /** See {@link onLastingRead}. */
  onLastingRead(listener: (found: AwaitingInput) => void): Disposable {
    const { pid, device } = this.#process;
    const read = { pid, device, screen: this.screen, feed: this.#feed, detectors: this };
    return onLastingRead(read, this.#clock, listener);
  }

  onQuestion(listener: (found: AwaitingInput) => void): Disposable {
    const scope = new DisposableScope();
    scope.add(this.onLastingRead((found) => void (this.shell.isHeldBy(found) && listener(found))));
    scope.add(this.shell.onAsks.on(listener));
    return scope;
  }

  watchSettled(settledMs: number, sinceMs: number, onSettled: (settled: Settled) => void): Disposable {
    return this.#settled.watch(settledMs, sinceMs, onSettled);
  }

  dispose(): void {
    this.#ended = true;
    this.#scope.dispose();
  }

  #wire(): void {
    this.#scope.add(this.shell);
    this.#scope.add(
      this.#feed.add(
        {
          onBytes: ({ length }) => this.#onBytes(length),
          onInput: (bytes) => this.#onInput(bytes),
          onEffect: (effect) => this.#onEffect(effect),
          onParsed: (slice) => this.#onParsed(slice),
          onExit: () => this.#onExit(),
        },
        true,
      ),
    );
    this.#scope.add(this.#input.onAwaiting.on((found) => this.#publish({ event: 'awaiting_input', ...found })));
    this.#scope.add(this.#input.onConfirmed.on((found) => this.shell.onSomebodyWaiting(found)));
  }

  #onEffect(effect: ShownEffect): void {
    if (effect.kind === 'bell') this.#publish({ event: 'bell', count: effect.count });
    else if (effect.kind === 'title') this.#publish({ event: 'title', title: sanitizeTitle(effect.title) });
    else if (effect.kind === 'alt-screen') this.#publish({ event: 'alt_screen', on: effect.on });
    else if (effect.kind === 'rows') this.shell.commands.onRows(effect.change);
    else if (effect.kind === 'osc') this.#messages.onOsc(effect.message);
  }

  #onParsed({ changed }: ParsedEvent): void {
    this.#parses++;
    this.shell.onParsed();
    this.#input.onParsed();
    if (changed) this.#settledReports.onScreenChanged();
  }
}

/** More columns than a grid has. */
const LINE_FACTOR = 0x1_0000;

function cursorPlace({ facts: { cursor }, firstLineNumber, scrollbackLines }: Screen): number {
  return (firstLineNumber + scrollbackLines + cursor.row) * LINE_FACTOR + cursor.col;
}
