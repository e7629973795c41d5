/** Where this machine's own apt takes Debian from: another system is built from the same place. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Source {
  readonly uri: string;
  readonly suites: readonly string[];
}

/** @returns the first place of Debian's own packages, undefined where none is named */
export function mirrorOf(files: readonly { readonly name: string; readonly text: string }[]): string | undefined {
  const sources = files.flatMap(({ name, text }) => (name.endsWith('.sources') ? inParagraphs(text) : inLines(text)));
  return sources.find(({ uri, suites }) => isArchive(uri) && suites.some((suite) => /^[a-z]+$/.test(suite)))?.uri;
}

export function machinesMirror(): string | undefined {
  const folder = '/etc/apt/sources.list.d';
  const names = ['/etc/apt/sources.list', ...listed(folder).map((name) => path.join(folder, name))];
  return mirrorOf(names.map((name) => ({ name, text: contentOf(name) })));
}

/** An archive of Debian is at a path of that name; other packages' archives are not. */
function isArchive(uri: string): boolean {
  return /^[a-z+]+:\/\/.*\/debian\/?$/.test(uri);
}

/** https://manpages.debian.org/sources.list: paragraphs of fields, where a line that begins with a space goes on. */
function inParagraphs(text: string): Source[] {
  return text
    .replaceAll(/^#.*\n/gm, '')
    .split(/\n\s*\n/)
    .flatMap((paragraph) => {
      const field = (name: string): string[] =>
        (new RegExp(`^${name}:((?:.*)(?:\\n[ \\t].*)*)`, 'im').exec(paragraph)?.[1] ?? '').split(/\s+/).filter(Boolean);
      if (!field('Types').includes('deb') || field('Enabled').includes('no')) return [];
      return field('URIs').map((uri) => ({ uri, suites: field('Suites') }));
    });
}

function inLines(text: string): Source[] {
  return [...text.matchAll(/^\s*deb\s+(?:\[[^\]]*\]\s*)?(\S+)\s+(\S+)/gm)].map(([, uri = '', suite = '']) => ({
    uri,
    suites: [suite],
  }));
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return []; // ENOENT: no Debian.
  }
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // ENOENT: newer systems have the folder alone.
  }
}
