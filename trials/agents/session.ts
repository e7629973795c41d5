/** One program in a terminal of a trial's daemon, with a home and a project of its own. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync, existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { PROGRAMS } from '../../scripts/agents/programs.mjs';
import type { CallResult, Client } from '../../src/client/index.js';
import type { Settings } from './draw.js';
import type { AgentModel } from './model.js';

const READY_MS = 60_000;
const POLL_MS = 60;
const SHOWN_ROWS = 14;

export interface Sample {
  readonly atMs: number;
  readonly is: string;
  readonly needs: string | null;
  readonly source: string | null;
}

export interface SessionOptions {
  readonly name: string;
  readonly program: string;
  readonly client: Client;
  readonly model: AgentModel;
  /** The programs are heavy, and others may work on the same machine. What starves is late with all that it shows. */
  readonly niceness: number;
}

export class AgentSession {
  readonly settings: Settings;
  readonly project: string;
  /** Each change of `doing`, as a poll has found it. */
  readonly samples: Sample[] = [];
  readonly #options: SessionOptions;
  readonly #dir = mkdtempSync('/tmp/t4a-agent-');
  readonly #home: string;
  #id = '';
  #pid = 0;
  #polling: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(options: SessionOptions, settings: Settings) {
    this.#options = options;
    this.settings = settings;
    this.#home = path.join(this.#dir, 'home');
    this.project = path.join(this.#dir, 'project');
  }

  get id(): string {
    return this.#id;
  }

  /** Without a wait for the program. */
  async create(): Promise<void> {
    const { name, program, client, model } = this.#options;
    for (const folder of [this.#home, this.project]) mkdirSync(folder);
    for (const file of ['a.txt', 'b.txt']) writeFileSync(path.join(this.project, file), 'text\n');
    model.reset();
    const where = { home: this.#home, project: this.project, url: model.url };
    const prepared = PROGRAMS[name]?.(where);
    if (prepared === undefined) throw new Error(`nothing is known of "${name}"`);
    set(name, this.#home, this.settings);
    const { cols, rows } = this.settings;
    const { id } = await client.call('create', {
      name: `${name}-${path.basename(this.#dir).slice(-6).toLowerCase()}`,
      cmd_args: [program, ...prepared.args],
      cols,
      rows,
      cwd: this.project,
      env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', HOME: this.#home, ...prepared.variables },
    });
    this.#id = id;
    const { pid } = await client.call('status', { id });
    if (pid === null) throw new Error(`${name} has not started`);
    this.#pid = pid;
    setPriority(pid, this.#options.niceness);
    this.#polling = this.#poll();
  }

  /** A prompt has arrived, so that the program is ready. @throws Error if it does not */
  async ready(): Promise<void> {
    const receipt = await this.deliver('Are you there?', READY_MS);
    if (receipt.outcome !== 'submitted') {
      throw new Error(`the first prompt: ${receipt.outcome}\n${receipt.tail.join('\n')}`);
    }
    const isThere = await this.until(() => this.#options.model.count('Are you there?') > 0, READY_MS);
    if (!isThere) throw new Error(`the first prompt did not arrive\n${await this.text()}`);
    await this.rest();
  }

  async deliver(text: string, timeoutMs: number): Promise<CallResult<'deliver'>> {
    return this.#options.client.call('deliver', { id: this.#id, text, timeout_ms: timeoutMs });
  }

  async type(text: string): Promise<void> {
    await this.#options.client.call('type', { id: this.#id, text });
  }

  /** @returns the code of a refusal, or undefined */
  async press(key: string, entry?: string): Promise<string | undefined> {
    const { client } = this.#options;
    try {
      await client.call('press', { id: this.#id, keys: [key], ...(entry === undefined ? {} : { if_entry: entry }) });
      return undefined;
    } catch (error) {
      return (error as { code?: string }).code ?? String(error);
    }
  }

  /** The open request for permission, `id@version`. */
  async asked(): Promise<string | undefined> {
    const { entries } = await this.#options.client.call('entries', { id: this.#id, open: true });
    const found = entries.find(({ kind }) => kind === 'permission_request');
    return found === undefined ? undefined : `${found.id}@${found.version}`;
  }

  /** The last rows of the screen with text, for a report. */
  async text(): Promise<string> {
    const { lines } = await this.#options.client.call('text', { id: this.#id });
    const shown = lines.map((line) => line.trimEnd()).filter((line) => line !== '');
    return shown
      .slice(-SHOWN_ROWS)
      .map((line) => `        ${line}`)
      .join('\n');
  }

  has(file: string): boolean {
    return existsSync(path.join(this.project, file));
  }

  /** Stopped by a signal, and let go on. */
  async stopFor(ms: number): Promise<void> {
    signal(this.#pid, 'SIGSTOP');
    await delay(ms);
    signal(this.#pid, 'SIGCONT');
  }

  /** Until the model has nothing to do for a while. */
  async rest(ms = 700): Promise<void> {
    const { model } = this.#options;
    let sinceMs = performance.now();
    await this.until(() => {
      if (model.isBusy) sinceMs = performance.now();
      const lastMs = model.moments.at(-1)?.atMs ?? 0;
      return performance.now() - Math.max(sinceMs, lastMs) >= ms;
    }, READY_MS);
  }

  async until(isTrue: () => boolean, timeoutMs: number): Promise<boolean> {
    for (const end = performance.now() + timeoutMs; !isTrue(); await delay(20)) {
      if (performance.now() > end) return false;
    }
    return true;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#polling;
    if (this.#id !== '') await this.#options.client.call('kill', { id: this.#id }).catch(() => {});
    rmSync(this.#dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  async #poll(): Promise<void> {
    for (; !this.#isOver; await delay(POLL_MS)) {
      const status = await this.#options.client.call('status', { id: this.#id }).catch(() => undefined);
      if (status?.doing === undefined) return;
      const { is, needs_you: needs, source } = status.doing;
      const last = this.samples.at(-1);
      if (last === undefined || last.is !== is || last.needs !== needs)
        this.samples.push({ atMs: performance.now(), is, needs, source });
    }
  }
}

/** The group: some programs are a script that starts another one. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch {
    // ESRCH: it has ended.
  }
}

/** Settings that a person has chosen. opencode has none of these. */
function set(name: string, home: string, { isVim, isLight }: Settings): void {
  const change = (file: string, of: (content: string) => string): void => {
    const full = path.join(home, file);
    writeFileSync(full, of(readFileSync(full, 'utf8')));
  };
  const merged = (more: object) => (content: string) => JSON.stringify({ ...(JSON.parse(content) as object), ...more });
  if (name === 'claude') {
    change('.claude.json', merged({ ...(isVim ? { editorMode: 'vim' } : {}), ...(isLight ? { theme: 'light' } : {}) }));
  }
  if (name === 'codex' && isVim) change('.codex/config.toml', (all) => `${all}[tui]\nvim_mode_default = true\n`);
  if (name === 'gemini') {
    change('.gemini/settings.json', (content) => {
      const all = JSON.parse(content) as { general: object };
      const ui = isLight ? { ui: { theme: 'Default Light' } } : {};
      return JSON.stringify({ ...all, general: { ...all.general, vimMode: isVim }, ...ui });
    });
  }
}
