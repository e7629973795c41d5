/** The rules of a daemon, and which terminals are read by them. The rules file is read again when it changes. */
import { watch, type FSWatcher } from 'node:fs';
import path from 'node:path';
import { CLAUDE } from '../../activity/profiles/claude.js';
import { CODEX } from '../../activity/profiles/codex.js';
import { COPILOT } from '../../activity/profiles/copilot.js';
import { GEMINI } from '../../activity/profiles/gemini.js';
import { GENERIC } from '../../activity/profiles/generic.js';
import { OPENCODE } from '../../activity/profiles/opencode.js';
import { PI } from '../../activity/profiles/pi.js';
import { QWEN } from '../../activity/profiles/qwen.js';
import { type Profile, profileFor, type RuleSet } from '../../activity/rule.js';
import { parseRules, parsingRules } from '../../activity/rules-file.js';
import type { Clock } from '../../base/clock.js';
import { errnoOf } from '../../base/errno.js';
import type { Disposable } from '../../base/lifetime.js';
import { homeDirectory } from '../../base/home-directory.js';
import { readSettingsFile, RefusedFile } from '../../base/settings-file.js';
import { nearestWords } from '../../base/nearest.js';
import type { WorkSchedule } from '../../search/work-schedule.js';
import { isT4aError, quote, T4aError } from '../../protocol/errors.js';
import { ACTIVITY_FILE, PERSISTED, RESTORED } from '../past/persisted.js';
import { ActivityFile } from './activity-file.js';
import { ActivityWatch, type FrozenWatch, type WatchedTerminal } from './activity-watch.js';
import type { ReplayOptions } from './replay-rules.js';
import { EntryLog } from './entry-log.js';
import { readRestored, writingDaemon } from './restored-entries.js';
import { Budget } from './budget.js';
import { type Checked, checkRules } from './check-rules.js';
import { type FrozenTally, type RuleTally, Tally } from './tally.js';

export interface ActivityOptions {
  readonly file: string;
  readonly clock: Clock;
  readonly work: WorkSchedule;
  /** Folder for files of entries; made with the first. */
  readonly folder: string;
  /** Whether terminals have such a file if they do not say. */
  readonly keepsFiles: () => boolean;
  readonly terminals: () => readonly WatchedTerminal[];
  /** For the operator. */
  readonly warn: (message: string, code?: 'rules' | 'activity') => void;
}

export type Past = Pick<ReplayOptions, 'log' | 'fromRev'>;

const SHIPPED = [GENERIC, CLAUDE, CODEX, OPENCODE, GEMINI, PI, QWEN, COPILOT];

const SHIPPED_TEXT = JSON.stringify(SHIPPED);

/** Turns rules off for a terminal. */
export const NO_PROFILE = 'none';

/** A program that saves a file writes it in several steps. */
const SAVED_MS = 100;

interface Watched {
  readonly watch: ActivityWatch;
  /** Chosen by name; else by the program. */
  readonly profile: string | undefined;
}

export interface FrozenActivity {
  /** Rules of this product: with others all is read again. */
  readonly shipped: string;
  readonly source: string | undefined;
  readonly text: string | undefined;
  readonly version: number;
  readonly files: number;
  readonly tally: FrozenTally;
  /** By the id of the terminal. */
  readonly watched: ReadonlyMap<string, { readonly profile: string | undefined; readonly watch: FrozenWatch }>;
}

export class Activity {
  readonly #options: ActivityOptions;
  readonly #budget: Budget;
  readonly #tally = new Tally();
  readonly #shipped: readonly Profile[];
  readonly #watched = new Map<WatchedTerminal, Watched>();
  #rules: RuleSet = { profiles: [] };
  #version = 0;
  readonly #closing = new Set<Promise<void>>();
  #watcher: FSWatcher | undefined;
  #saved: Disposable | undefined;
  #text: string | undefined;
  /** Text of the rules in use. */
  #source: string | undefined;
  #files = 0;

  constructor(options: ActivityOptions) {
    this.#options = options;
    this.#budget = new Budget(options.clock);
    this.#shipped = SHIPPED.flatMap((rules) => parseRules('shipped', JSON.stringify(rules)).profiles);
    this.#follow();
  }

  get version(): number {
    return this.#version;
  }

  get source(): string | undefined {
    return this.#source;
  }

  /** Those of the file first. */
  get profiles(): readonly Profile[] {
    const own = new Set(this.#rules.profiles.map(({ id }) => id));
    return [...this.#rules.profiles, ...this.#shipped.filter(({ id }) => !own.has(id))];
  }

  of(terminal: WatchedTerminal): ActivityWatch | undefined {
    return this.#watched.get(terminal)?.watch;
  }

  /** @throws T4aError profile_not_found */
  assertProfile(name: string): void {
    if (name === NO_PROFILE || this.profiles.some(({ id }) => id === name)) return;
    const closest = nearestWords(
      name,
      this.profiles.map(({ id }) => id),
    )[0];
    throw new T4aError('profile_not_found', `There is no profile ${quote(name)}.`, {
      hint: 't4a rules',
      ...(closest === undefined ? {} : { closest }),
    });
  }

  /**
   * @param profile undefined: that of its program, if one matches
   * @param keepsFile undefined: as the configuration says
   */
  watch(terminal: WatchedTerminal, profile?: string, keepsFile = this.#options.keepsFiles()): void {
    if (this.#watcher === undefined) this.#follow();
    const chosen = this.#chosen(terminal, profile);
    if (chosen === undefined && !this.#watched.has(terminal)) return;
    if (chosen !== undefined) this.#tally.use(chosen.id);
    this.#follows(terminal, profile, keepsFile).use(chosen);
  }

  /**
   * The entries of a terminal that was opened from a folder in which it had been kept; its rules may go on from there. Corrections are
   * appended to its file, unless somebody else may do so.
   * @throws T4aError recording_invalid
   */
  async restore(terminal: WatchedTerminal): Promise<void> {
    const from = terminal.part(RESTORED).value;
    if (from === undefined) return;
    const file = path.join(from.folder, ACTIVITY_FILE);
    const found = await readRestored(file);
    if (found === undefined) return;
    const { clock, work, warn, terminals } = this.#options;
    const isOurs = terminals().some((one) => one.part(PERSISTED).value?.folder === from.folder);
    const isOpen = [...this.#watched.values()].some(
      ({ watch: { file: other } }) => other?.path === file && other.alive,
    );
    const isFree = !isOurs && !isOpen && writingDaemon(from.folder) === undefined;
    const own = isFree
      ? new ActivityFile(file, (message) => warn(message, 'activity'), { before: found.before })
      : undefined;
    const log = new EntryLog();
    log.restore(found.changes);
    const watch = new ActivityWatch(terminal, { clock, work, budget: this.#budget }, own, log);
    this.#add(terminal, { watch, profile: found.before.profile });
  }

  /**
   * Runs the rules of the terminal through its past. @returns how many corrections have followed; 0 without rules
   * @throws the signal's reason
   */
  async replay(terminal: WatchedTerminal, name: string | undefined, past: Past, signal: AbortSignal): Promise<number> {
    const profile = this.#chosen(terminal, name ?? this.#watched.get(terminal)?.profile);
    if (profile === undefined) return 0;
    this.#tally.use(profile.id);
    const { replayRules } = await import('./replay-rules.js');
    const watch = this.#follows(terminal, name ?? this.#watched.get(terminal)?.profile, this.#options.keepsFiles());
    return replayRules(watch, terminal, profile, { ...past, work: this.#options.work, signal });
  }

  /** Reads all lines of the terminal again. */
  apply(terminal: WatchedTerminal): void {
    const present = this.#watched.get(terminal);
    this.watch(terminal, present?.profile);
  }

  /** @throws T4aError rules_invalid; the signal's reason */
  parse(name: string, text: string, signal: AbortSignal): Promise<RuleSet> {
    return this.#options.work.finish(parsingRules(name, text, this.#shipped), signal);
  }

  /** @param text that the rules were read from */
  set(rules: RuleSet, text: string): void {
    this.#rules = rules;
    this.#source = text;
    this.#version++;
    this.#tally.of(this.profiles);
    for (const terminal of this.#options.terminals()) this.watch(terminal, this.#watched.get(terminal)?.profile);
  }

  /** What the rules would find on a terminal, or with a past in that. @param name undefined: the profile of its program, else the first */
  async check(
    rules: RuleSet,
    terminal: WatchedTerminal,
    name: string | undefined,
    signal: AbortSignal,
    past?: Past,
  ): Promise<Checked | undefined> {
    const profile =
      name === undefined
        ? (profileFor(rules, terminal.command) ?? rules.profiles[0])
        : rules.profiles.find(({ id }) => id === name);
    if (profile === undefined) return undefined;
    const { clock, work } = this.#options;
    const present = this.of(terminal)?.log.all() ?? [];
    const checking = checkRules(profile, terminal, present, () => clock.wallNow());
    const checked = await work.finish(this.#budget.spend(checking), signal);
    if (past === undefined) return checked;
    const { checkPast } = await import('./replay-rules.js');
    return work.finish(checkPast(checked, present, { profile, terminal, ...past }), signal);
  }

  /** What each rule of the profiles in use has found. */
  tally(): RuleTally[] {
    return this.#tally.of(this.profiles);
  }

  /** Why it cannot be frozen now, in words for people; undefined if it can. */
  get hindrance(): string | undefined {
    const isEnding = [...this.#watched.values()].some(({ watch: own }) => own.isEnding);
    return isEnding ? 'rules that read the last output of a program' : undefined;
  }

  endLooks(): void {
    for (const { watch: own } of this.#watched.values()) own.endLook();
  }

  freeze(): FrozenActivity {
    return {
      shipped: SHIPPED_TEXT,
      source: this.#source,
      text: this.#text,
      version: this.#version,
      files: this.#files,
      tally: this.#tally.freeze(),
      watched: new Map(
        Array.from(
          this.#watched,
          ([{ id }, { watch: own, profile }]) => [id, { profile, watch: own.freeze() }] as const,
        ),
      ),
    };
  }

  /** All that was to be kept is in its file. */
  async written(): Promise<void> {
    for (const { watch: own } of this.#watched.values()) await own.file?.written();
  }

  /** To be called before rules are used. */
  resume({ shipped, source, text, version, files, tally, watched }: FrozenActivity): void {
    const { file: name, clock, work, warn, terminals } = this.#options;
    this.#text = text;
    this.#source = source;
    this.#version = version;
    this.#files = files;
    if (source !== undefined) this.#rules = parseRules(name, source, this.#shipped);
    this.#tally.restore(tally);
    for (const terminal of terminals()) {
      const frozen = watched.get(terminal.id);
      if (frozen === undefined) continue;
      const { file, log, profile } = frozen.watch;
      const own = file && new ActivityFile(file.path, (message) => warn(message, 'activity'), { before: file.before });
      const watch = new ActivityWatch(terminal, { clock, work, budget: this.#budget }, own, EntryLog.thaw(log));
      watch.restore(
        frozen.watch,
        profile === undefined ? undefined : this.#chosen(terminal, profile),
        shipped === SHIPPED_TEXT,
      );
      this.#add(terminal, { watch, profile: frozen.profile });
    }
  }

  /** Resolves once all files are complete. */
  async close(): Promise<void> {
    this.#watcher?.close();
    this.#saved?.dispose();
    for (const { watch: own } of this.#watched.values()) own.dispose();
    await Promise.all(this.#closing);
    for (const { watch: own } of this.#watched.values()) await own.file?.close();
  }

  #follows(terminal: WatchedTerminal, profile: string | undefined, keepsFile: boolean): ActivityWatch {
    const present = this.#watched.get(terminal);
    const watch = present?.watch ?? this.#newWatch(terminal, keepsFile);
    if (present === undefined) this.#add(terminal, { watch, profile });
    else this.#watched.set(terminal, { watch, profile });
    return watch;
  }

  #add(terminal: WatchedTerminal, watched: Watched): void {
    const { watch } = watched;
    this.#watched.set(terminal, watched);
    terminal.feed.add({
      onEvent: (event) => {
        if (event.event === 'removed') this.#forget(terminal);
        if (event.event === 'entry') this.#tally.add(watch.profile?.id ?? '', event);
      },
    });
  }

  #newWatch(terminal: WatchedTerminal, keepsFile: boolean): ActivityWatch {
    const { clock, work, folder, warn } = this.#options;
    const kept = terminal.part(PERSISTED).value;
    // By number: a name may be anything.
    const name =
      kept === undefined ? path.join(folder, `${++this.#files}.jsonl`) : path.join(kept.folder, ACTIVITY_FILE);
    const options = kept === undefined ? {} : { prepared: kept.prepared };
    const hasFile = keepsFile || kept !== undefined;
    const file = hasFile ? new ActivityFile(name, (message) => warn(message, 'activity'), options) : undefined;
    return new ActivityWatch(terminal, { clock, work, budget: this.#budget }, file);
  }

  #chosen(terminal: WatchedTerminal, name: string | undefined): Profile | undefined {
    if (name === NO_PROFILE) return undefined;
    if (name === undefined) return profileFor({ profiles: this.profiles }, terminal.command);
    return this.profiles.find(({ id }) => id === name);
  }

  #forget(terminal: WatchedTerminal): void {
    const own = this.#watched.get(terminal)?.watch;
    own?.dispose();
    this.#watched.delete(terminal);
    const closing = own?.file?.close();
    if (closing === undefined) return;
    this.#closing.add(closing);
    void closing.finally(() => this.#closing.delete(closing));
  }

  /** Broken rules leave those of before as they are. */
  #reload(): void {
    const { file, warn } = this.#options;
    try {
      const text = readSettingsFile(file);
      if (text === this.#text) return;
      this.#text = text;
      this.set(parseRules(file, text, this.#shipped), text);
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return;
      const says = isT4aError(error)
        ? error.message
        : error instanceof RefusedFile
          ? `${quote(file)} ${error.message}: it is not read.`
          : `${quote(file)} cannot be read: ${errnoOf(error) ?? String(error)}.`;
      warn(`${says} The last good rules stay.`);
    }
  }

  /** The folder, since programs save by putting a new file in the place of the old one. */
  #follow(): void {
    const { file, clock } = this.#options;
    try {
      this.#watcher = watch(path.dirname(file), { persistent: false }, (_, name) => {
        if (name !== null && name !== path.basename(file)) return;
        this.#saved ??= clock.after(SAVED_MS, () => {
          this.#saved = undefined;
          this.#reload();
        });
      });
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      // Without the folder there is no file; the next terminal looks for it again.
      return;
    }
    this.#reload();
  }
}

/** Of one run of the daemon. */
export function activityFolder(env: Readonly<Record<string, string | undefined>>, startedAtMs: number): string {
  const state = env['XDG_STATE_HOME'];
  const base = state?.startsWith('/') === true ? state : path.join(homeDirectory(env), '.local/state');
  const time = new Date(startedAtMs).toISOString().replaceAll(/[:.]/g, '-');
  return path.join(base, 't4a/activity', `${time}-${process.pid}`);
}
