/**
 * Renderers of terminal servers over @xterm/headless, each with its own release of that, as its server calls it and as it is
 * configured when nobody configures it. They bring no fonts: the host's are theirs, and ours lie in a home directory.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Snapshot } from '../src/vt/snapshot.js';
import { ansiOf } from './render-ansi.js';
import type { CellRenderer } from './render-cell-templates.js';
import { type LoadedPeer, type PeerSource, PeerSources } from './render-peer-sources.js';

interface XtermTerminal {
  readonly write: (bytes: string, done: () => void) => void;
}

type Draw = (terminal: XtermTerminal, cols: number, rows: number) => Promise<Buffer> | Buffer;

interface XtermPeerKind extends PeerSource {
  /** Of its pictures, in pixels: of a cell, and of what is left of and above all cells. */
  readonly cell: readonly [width: number, height: number];
  readonly padding: readonly [left: number, top: number];
  readonly foreground: number;
  readonly background: number;
  readonly learnsOnBackground: boolean;
  readonly font: (peer: LoadedPeer) => string;
  readonly drawOf: (peer: LoadedPeer, font: string, fontsDir: string) => Promise<Draw>;
}

interface Resvg {
  readonly Resvg: new (svg: string, options: object) => { readonly render: () => { readonly asPng: () => Buffer } };
}

interface NapiCanvas {
  readonly createCanvas: (width: number, height: number) => { readonly getContext: (kind: '2d') => object };
  readonly GlobalFonts: {
    readonly registerFromPath: (file: string) => unknown;
    readonly families: readonly { readonly family: string }[];
  };
}

const SHELLWRIGHT_FONTS = ['Hack', 'Monaco', 'Courier'];
/** What fontconfig has for `monospace` here and on most systems, then what it falls back to. */
const MONOSPACE = 'DejaVu Sans Mono';
const FALLBACKS = ['DejaVu Sans', 'Twemoji Mozilla', 'Symbols Nerd Font Mono'];
const SCROLLBACK_ROWS = 1000;
/** So many columns and rows of cells are whole pixels: then none of them is squeezed to make the picture so. */
const WHOLE = 5;

const XTERM_PEERS: readonly XtermPeerKind[] = [
  {
    name: 'tui-mcp',
    repository: 'nvms/tui-mcp',
    commit: '0c3504ae88d86bd6b1893af0f7ad099824a20ec7',
    module: 'renderer',
    packages: ['@xterm/headless', 'canvas'],
    cell: [9, 18],
    padding: [8, 8],
    foreground: 0xd4d4d4,
    background: 0x1e1e1e,
    learnsOnBackground: false,
    font: ({ isSubstituted }) => (isSubstituted ? MONOSPACE : 'monospace'),
    drawOf: async (peer, _font, fontsDir) => {
      if (peer.isSubstituted) await findFontsAsCanvasDoes(peer, fontsDir);
      const { renderToPng } = peer.drawing as { readonly renderToPng: (terminal: XtermTerminal) => Promise<Buffer> };
      return renderToPng;
    },
  },
  {
    name: '@ellery/terminal-mcp',
    repository: 'elleryfamilia/terminal-mcp',
    commit: '947412070b92d1d5d6aa2d81ffbecbd22abce9d4',
    module: 'utils/render',
    packages: ['@xterm/headless', '@resvg/resvg-js'],
    cell: [16.8, 34],
    padding: [32, 88],
    foreground: 0xabb2bf,
    background: 0x282c34,
    // Some of its releases leave the ground of blanks out.
    learnsOnBackground: true,
    font: () => 'JetBrains Mono',
    drawOf: async ({ drawing }) => {
      const { renderTerminalToPng } = drawing as { readonly renderTerminalToPng: (terminal: XtermTerminal) => Buffer };
      return (terminal) => renderTerminalToPng(terminal);
    },
  },
  {
    name: '@dwmkerr/shellwright',
    repository: 'dwmkerr/shellwright',
    commit: '36d8490334db1c9f9d9a10c52e8416d07a4fdfe5',
    module: 'lib/buffer-to-svg',
    packages: ['@xterm/headless', '@resvg/resvg-js'],
    cell: [16.8, 33.6],
    padding: [20, 20],
    foreground: 0xabb2bf,
    background: 0x282c34,
    // It takes RGB colours up to 0x0000ff, black among them, for numbers of the palette.
    learnsOnBackground: true,
    font: () => (SHELLWRIGHT_FONTS.some(hostHas) ? SHELLWRIGHT_FONTS.join(', ') : MONOSPACE),
    drawOf: async ({ drawing, load }, fontFamily) => {
      type BufferToSvg = (terminal: XtermTerminal, cols: number, rows: number, options: object) => string;
      const { bufferToSvg } = drawing as { readonly bufferToSvg: BufferToSvg };
      const { Resvg } = (await load('@resvg/resvg-js')) as Resvg;
      const options = { font: { loadSystemFonts: true }, fitTo: { mode: 'zoom', value: 2 } };
      return (terminal, cols, rows) =>
        new Resvg(bufferToSvg(terminal, cols, rows, { fontSize: 14, fontFamily }), options).render().asPng();
    },
  },
];

export class XtermPeers implements Disposable {
  readonly #sources = new PeerSources();
  readonly #home = process.env['HOME'];
  readonly found: XtermPeer[] = [];
  readonly refused: string[] = [];

  static async load(root: string): Promise<XtermPeers> {
    const peers = new XtermPeers();
    const loaded: { readonly kind: XtermPeerKind; readonly peer: LoadedPeer; readonly font: string }[] = [];
    for (const kind of XTERM_PEERS) {
      const peer = await peers.#sources.load(kind);
      if (peer === undefined) peers.refused.push(kind.name);
      else loaded.push({ kind, peer, font: kind.font(peer) });
    }
    const onHost = new Map(loaded.map(({ font }) => [font, hostHas(font)]));
    // Where resvg and fontconfig look for a user's fonts.
    process.env['HOME'] = join(peers.#sources.directory, 'home');
    mkdirSync(join(process.env['HOME'], '.local/share'), { recursive: true });
    symlinkSync(join(root, 'fonts'), join(process.env['HOME'], '.local/share/fonts'));
    for (const { kind, peer, font } of loaded) {
      const draw = await kind.drawOf(peer, font, join(root, 'fonts'));
      const { Terminal } = await xtermOf(peer);
      const described = `${peer.origin}; draws with ${font}, ${onHost.get(font) === true ? 'which the host has' : "of t4a's fonts"}`;
      peers.found.push(new XtermPeer(kind, described, Terminal, draw, peer.isSubstituted));
    }
    return peers;
  }

  [Symbol.dispose](): void {
    if (this.#home !== undefined) process.env['HOME'] = this.#home;
    this.#sources[Symbol.dispose]();
  }
}

type TerminalClass = new (options: object) => XtermTerminal;

export class XtermPeer {
  readonly #kind: XtermPeerKind;
  readonly described: string;
  readonly #Terminal: TerminalClass;
  readonly #draw: Draw;
  readonly #thins: boolean;

  constructor(kind: XtermPeerKind, described: string, Terminal: TerminalClass, draw: Draw, thins: boolean) {
    this.#kind = kind;
    this.#thins = thins;
    this.described = described;
    this.#Terminal = Terminal;
    this.#draw = draw;
  }

  get name(): string {
    return this.#kind.name;
  }

  async terminalAfter(bytes: string, cols: number, rows: number): Promise<XtermTerminal> {
    const terminal = new this.#Terminal({ cols, rows, scrollback: SCROLLBACK_ROWS, allowProposedApi: true });
    await new Promise<void>((resolve) => {
      terminal.write(bytes, resolve);
    });
    return terminal;
  }

  async picture(terminal: XtermTerminal, cols: number, rows: number): Promise<Buffer> {
    return this.#draw(terminal, cols, rows);
  }

  /** All cells and nothing around them. */
  async screenAfter(bytes: string, cols: number, rows: number): Promise<Buffer> {
    const png = await this.picture(await this.terminalAfter(bytes, cols, rows), cols, rows);
    const [left, top] = this.#kind.padding;
    const [width, height] = this.#kind.cell;
    return sharp(png)
      .extract({ left, top, width: Math.round(cols * width), height: Math.floor(rows * height) })
      .png()
      .toBuffer();
  }

  cells(): CellRenderer {
    const { name, cell, foreground, background, learnsOnBackground } = this.#kind;
    const [cellWidth, cellHeight] = cell;
    const draw = async (snapshot: Snapshot): Promise<Buffer> => {
      const [cols, rows] = [snapshot.cols, snapshot.rows].map((cells) => Math.ceil(cells / WHOLE) * WHOLE);
      return this.screenAfter(ansiOf(snapshot), cols ?? WHOLE, rows ?? WHOLE);
    };
    return { name, cellWidth, cellHeight, foreground, background, learnsOnBackground, thins: this.#thins, draw };
  }
}

async function xtermOf({ load }: LoadedPeer): Promise<{ readonly Terminal: TerminalClass }> {
  return ((await load('@xterm/headless')) as { readonly default: { readonly Terminal: TerminalClass } }).default;
}

/** @napi-rs/canvas asks no fontconfig what `monospace` is, nor what else has a character: its own copy here is told. */
async function findFontsAsCanvasDoes({ load }: LoadedPeer, fontsDir: string): Promise<void> {
  const { GlobalFonts, createCanvas } = (await load('canvas')) as NapiCanvas;
  for (const file of readdirSync(fontsDir).filter((each) => each.endsWith('.ttf'))) {
    GlobalFonts.registerFromPath(join(fontsDir, file));
  }
  const others = GlobalFonts.families.map(({ family }) => family).filter((family) => family.startsWith('Noto'));
  const families = [MONOSPACE, ...FALLBACKS, ...others].map((family) => `"${family}"`).join();
  const prototype = Object.getPrototypeOf(createCanvas(1, 1).getContext('2d')) as object;
  const font = Object.getOwnPropertyDescriptor(prototype, 'font');
  Object.defineProperty(prototype, 'font', {
    ...font,
    set(this: object, value: string) {
      font?.set?.call(this, value.replace('monospace', families));
    },
  });
}

function hostHas(family: string): boolean {
  try {
    return execFileSync('fc-list', [family], { encoding: 'utf8' }).trim() !== '';
  } catch {
    return false;
  }
}
