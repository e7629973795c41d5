/**
 * The renderers of other terminal servers for agents, installed from npm into a directory of the run's own. ghostty-opentui
 * is a renderer; tuistory is a server that draws with it, through a PTY and a session of its own.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Snapshot } from '../src/vt/snapshot.js';
import { ansiOf } from './render-ansi.js';
import type { CellRenderer } from './render-cell-templates.js';
import { benchOptions } from './bench-renderer.js';

const GHOSTTY_OPENTUI = 'ghostty-opentui@1.5.0';
const TUISTORY = 'tuistory@0.10.1';
const INSTALL_TIMEOUT_MS = 120_000;
const IDLE_TIMEOUT_MS = 2000;

/** How large a peer draws: of its font, and of a row over that. */
export interface PeerSize {
  readonly fontSize: number;
  readonly lineHeight: number;
}

interface GhosttyOpentui {
  readonly ptyToJson: (input: string, options: { readonly cols: number; readonly rows: number }) => unknown;
  readonly renderTerminalToImage: (data: unknown, options: object) => Promise<Buffer>;
}

interface TuistorySession {
  readonly waitIdle: (options: object) => Promise<unknown>;
  readonly getTerminalData: () => unknown;
  readonly close: () => unknown;
}

export class PeerPackages implements Disposable {
  readonly #directory = mkdtempSync(join(tmpdir(), 't4a-peers-'));
  /** Packages that the registry did not give. */
  readonly refused: readonly string[];
  readonly #hasRenderer: boolean;
  readonly #hasServer: boolean;

  constructor() {
    writeFileSync(join(this.#directory, 'package.json'), '{"private":true}');
    this.#hasRenderer = this.#install(GHOSTTY_OPENTUI);
    this.#hasServer = this.#install(TUISTORY);
    this.refused = [...(this.#hasRenderer ? [] : [GHOSTTY_OPENTUI]), ...(this.#hasServer ? [] : [TUISTORY])];
  }

  /** Undefined if it could not be installed. */
  async renderer(): Promise<PeerRenderer | undefined> {
    if (!this.#hasRenderer) return undefined;
    const { ptyToJson } = await this.#load<GhosttyOpentui>('ghostty-opentui');
    const { renderTerminalToImage } = await this.#load<GhosttyOpentui>('ghostty-opentui/image');
    return new PeerRenderer(ptyToJson, renderTerminalToImage);
  }

  /** Undefined if it could not be installed. */
  async server(): Promise<PeerServer | undefined> {
    if (!this.#hasServer) return undefined;
    return new PeerServer(await this.#load<{ readonly launchTerminal: LaunchTerminal }>('tuistory'), this.#directory);
  }

  [Symbol.dispose](): void {
    rmSync(this.#directory, { recursive: true, force: true, maxRetries: 5 });
  }

  #install(name: string): boolean {
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
    const options = { cwd: this.#directory, stdio: 'ignore', timeout: INSTALL_TIMEOUT_MS } as const;
    try {
      execFileSync('npm', ['install', ...flags, name], options);
      return true;
    } catch {
      return false;
    }
  }

  async #load<T>(name: string): Promise<T> {
    const { resolve } = createRequire(join(this.#directory, 'package.json'));
    return (await import(pathToFileURL(resolve(name)).href)) as T;
  }
}

/** ghostty-opentui, in the default colours of our default theme. */
export class PeerRenderer {
  readonly #ptyToJson: GhosttyOpentui['ptyToJson'];
  readonly #toImage: GhosttyOpentui['renderTerminalToImage'];

  constructor(ptyToJson: GhosttyOpentui['ptyToJson'], toImage: GhosttyOpentui['renderTerminalToImage']) {
    this.#ptyToJson = ptyToJson;
    this.#toImage = toImage;
  }

  parse(snapshot: Snapshot): unknown {
    return this.#ptyToJson(ansiOf(snapshot), { cols: snapshot.cols, rows: snapshot.rows });
  }

  picture(data: unknown, size: PeerSize): Promise<Buffer> {
    const { background, foreground } = benchOptions(8).theme;
    return this.#toImage(data, { ...size, theme: { background: css(background), text: css(foreground) } });
  }

  cells({ fontSize, lineHeight }: PeerSize): CellRenderer {
    const { background, foreground } = benchOptions(8).theme;
    return {
      name: GHOSTTY_OPENTUI,
      cellWidth: fontSize * 0.6,
      cellHeight: Math.round(fontSize * lineHeight),
      background,
      foreground,
      draw: (snapshot) => this.picture(this.parse(snapshot), { fontSize, lineHeight }),
    };
  }
}

type LaunchTerminal = (options: object) => Promise<TuistorySession>;

/** tuistory: bytes go through a program in a PTY of its session. */
export class PeerServer {
  readonly #launchTerminal: LaunchTerminal;
  readonly #file: string;

  constructor({ launchTerminal }: { readonly launchTerminal: LaunchTerminal }, directory: string) {
    this.#launchTerminal = launchTerminal;
    this.#file = join(directory, 'bytes');
  }

  /** What the session's terminal holds after the bytes, for the renderer. */
  async dataAfter(bytes: string, cols: number, rows: number): Promise<unknown> {
    writeFileSync(this.#file, bytes);
    const args = ['-c', `cat ${this.#file}; exec sleep 60`];
    const session = await this.#launchTerminal({ command: 'sh', args, cols, rows });
    await session.waitIdle({ timeout: IDLE_TIMEOUT_MS });
    const data = session.getTerminalData();
    session.close();
    return data;
  }
}

function css(rgb: number): string {
  return `#${rgb.toString(16).padStart(6, '0')}`;
}
