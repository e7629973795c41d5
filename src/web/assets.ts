/** The files of the page, from the package. No path of a request reaches the file system: the table has all there are. */
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

export interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  readonly zipped: Buffer;
}

interface Source {
  readonly type: string;
  /** File in the package. */
  readonly file: string;
}

const TTF = 'font/ttf';
const SCRIPT = 'text/javascript; charset=utf-8';
const PAGE = 'dist/page/';

const SOURCES: Readonly<Record<string, Source>> = {
  '/': { type: 'text/html; charset=utf-8', file: `${PAGE}index.html` },
  '/page.css': { type: 'text/css; charset=utf-8', file: `${PAGE}page.css` },
  '/parts.css': { type: 'text/css; charset=utf-8', file: `${PAGE}parts.css` },
  '/icon.svg': { type: 'image/svg+xml', file: `${PAGE}icon.svg` },
  '/manifest.webmanifest': { type: 'application/manifest+json', file: `${PAGE}manifest.webmanifest` },
  '/regular.ttf': { type: TTF, file: 'fonts/jetbrains-mono-regular.ttf' },
  '/bold.ttf': { type: TTF, file: 'fonts/jetbrains-mono-bold.ttf' },
  '/italic.ttf': { type: TTF, file: 'fonts/jetbrains-mono-italic.ttf' },
  '/bold-italic.ttf': { type: TTF, file: 'fonts/jetbrains-mono-bold-italic.ttf' },
  '/emoji.ttf': { type: TTF, file: 'fonts/twemoji.ttf' },
  '/symbols.ttf': { type: TTF, file: 'fonts/dejavu-sans-mono.ttf' },
  '/more-symbols.ttf': { type: TTF, file: 'fonts/noto-sans-symbols-2.ttf' },
  '/brackets.ttf': { type: TTF, file: 'fonts/noto-sans-symbols.ttf' },
  '/icons.ttf': { type: TTF, file: 'fonts/symbols-nerd-font-mono.ttf' },
};

export class Assets {
  readonly #root: URL;
  readonly #sources: ReadonlyMap<string, Source>;
  readonly #read = new Map<string, Asset>();

  /** @param root of the package */
  constructor(root: URL) {
    this.#root = root;
    // Parts of the program are named by their contents.
    const scripts = readdirSync(new URL(PAGE, root)).filter((name) => name.endsWith('.js'));
    this.#sources = new Map([
      ...Object.entries(SOURCES),
      ...scripts.map((name): [string, Source] => [`/${name}`, { type: SCRIPT, file: `${PAGE}${name}` }]),
    ]);
  }

  /** Undefined for another path. */
  at(path: string): Asset | undefined {
    const source = this.#sources.get(path);
    if (source === undefined) return undefined;
    let asset = this.#read.get(path);
    if (asset === undefined) {
      const bytes = readFileSync(new URL(source.file, this.#root));
      asset = { type: source.type, bytes, zipped: gzipSync(bytes, { level: 9 }) };
      this.#read.set(path, asset);
    }
    return asset;
  }

  /** Paths of what the first view loads: the page, and what it names. */
  firstView(): string[] {
    const html = this.at('/')?.bytes.toString() ?? '';
    const named = [...html.matchAll(/ (?:href|src)="\.(\/[^"]+)"/g)].map(([, path = '']) => path);
    return ['/', ...new Set(named)];
  }
}
