/** The files of the page, from the package. No path of a request reaches the file system: the table has all there are. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

export interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  readonly zipped: Buffer;
}

interface Source {
  readonly type: string;
  /** In the package. */
  readonly file: string;
}

const TTF = 'font/ttf';

const SOURCES: Readonly<Record<string, Source>> = {
  '/': { type: 'text/html; charset=utf-8', file: 'dist/page/index.html' },
  '/page.js': { type: 'text/javascript; charset=utf-8', file: 'dist/page/page.js' },
  '/page.css': { type: 'text/css; charset=utf-8', file: 'dist/page/page.css' },
  '/icon.svg': { type: 'image/svg+xml', file: 'dist/page/icon.svg' },
  '/manifest.webmanifest': { type: 'application/manifest+json', file: 'dist/page/manifest.webmanifest' },
  '/regular.ttf': { type: TTF, file: 'fonts/jetbrains-mono-regular.ttf' },
  '/bold.ttf': { type: TTF, file: 'fonts/jetbrains-mono-bold.ttf' },
  '/italic.ttf': { type: TTF, file: 'fonts/jetbrains-mono-italic.ttf' },
  '/bold-italic.ttf': { type: TTF, file: 'fonts/jetbrains-mono-bold-italic.ttf' },
  '/emoji.ttf': { type: TTF, file: 'fonts/twemoji.ttf' },
  '/symbols.ttf': { type: TTF, file: 'fonts/dejavu-sans-mono.ttf' },
};

export class Assets {
  readonly #root: URL;
  readonly #read = new Map<string, Asset>();

  /** @param root of the package */
  constructor(root: URL) {
    this.#root = root;
  }

  /** Undefined for another path. */
  at(path: string): Asset | undefined {
    const source = Object.hasOwn(SOURCES, path) ? SOURCES[path] : undefined;
    if (source === undefined) return undefined;
    let asset = this.#read.get(path);
    if (asset === undefined) {
      const bytes = readFileSync(new URL(source.file, this.#root));
      asset = { type: source.type, bytes, zipped: gzipSync(bytes, { level: 9 }) };
      this.#read.set(path, asset);
    }
    return asset;
  }
}

/** Sizes of what the first view loads. */
export const FIRST_VIEW = ['/', '/page.js', '/page.css', '/icon.svg', '/regular.ttf'] as const;
