/** What `npm pack` would publish: its size, its files, and what an installation of it takes. Nothing is fetched. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { pack, PACKAGE_LIMITS, sizeOf } from '../bench/support/package.js';
import { readRoot, ROOT } from './support/consumer.js';

interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly inBundle?: boolean;
}

const packed = pack(ROOT, ['--dry-run']);
const names = new Set(packed.files.map((file) => file.path));

describe('the packed package', () => {
  test('has at most 7.4 MB and 300 files', () => {
    expect(packed.size).toBeLessThan(PACKAGE_LIMITS.tarballBytes);
    expect(packed.files.length).toBeLessThan(PACKAGE_LIMITS.files);
  });

  test('has every file that its package.json names', () => {
    const { bin, exports } = JSON.parse(readRoot('package.json')) as { bin: object; exports: object };
    const named = [...stringsOf(bin), ...stringsOf(exports)].map((name) => path.normalize(name));
    expect(named.filter((name) => !names.has(name))).toEqual([]);
  });

  test('has the pages that the programs read', () => {
    expect(names).toContain('docs/usage.md');
    expect(names).toContain('docs/vtr.proto');
  });

  test('has each page that its pages link to, or they say that it is in a checkout', () => {
    const pages = [...names].filter((name) => /^(docs\/)?[^/]+\.md$/.test(name));
    expect(pages).toContain('README.md');
    const unsaid = pages.flatMap((page) =>
      readRoot(page)
        .split('\n')
        .filter((line) => !/\bcheckout\b|\\\*/.test(line))
        .flatMap((line) => [...line.matchAll(/\]\((?![a-z]+:)([\w./-]+)/g)].map(([, link = '']) => link))
        .filter((link) => !link.endsWith('.png') && !link.endsWith('.gif'))
        .filter((link) => ![...names].some((name) => isBelow(name, path.join(path.dirname(page), link))))
        .map((link) => `${page}: ${link}`),
    );
    expect(unsaid).toEqual([]);
  });

  test('has each module that another one of it imports', () => {
    const missing = [...names]
      .filter((name) => /^dist\/[\w-]+\.js$/.test(name))
      .flatMap((name) => [...readRoot(name).matchAll(/from\s*"\.\/([\w-]+\.js)"/g)].map((match) => `dist/${match[1]}`))
      .filter((name) => !names.has(name));
    expect(missing).toEqual([]);
  });

  test('has node-pty for Linux and macOS alone, with the sources for a build', () => {
    const builds = [...names].filter((name) => name.startsWith('node_modules/node-pty/prebuilds/'));
    expect(new Set(builds.map((name) => name.split('/')[3]))).toEqual(
      new Set(['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64']),
    );
    expect(names).toContain('node_modules/node-pty/binding.gyp');
    expect(names).toContain('node_modules/node-pty/src/unix/pty.cc');
    expect(names).toContain('node_modules/node-addon-api/napi.h');
    expect([...names].filter((name) => /win32|conpty\.|\.pdb$|third_party|\.map$|\.test\.\w+$/.test(name))).toEqual([]);
  });

  test('installs into at most 90 MB, and 70 MB without optional packages', () => {
    expect(packed.unpackedSize + bytesOf(closure(true))).toBeLessThan(PACKAGE_LIMITS.installedBytes);
    expect(packed.unpackedSize + bytesOf(closure(false))).toBeLessThan(PACKAGE_LIMITS.installedWithoutOptionalBytes);
  });
});

function isBelow(name: string, place: string): boolean {
  return name === place || name.startsWith(place.endsWith('/') ? place : `${place}/`);
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}

/** Packages that an installation adds beside t4a on this machine: those of other platforms are not installed here either. */
function closure(withOptional: boolean): string[] {
  const { packages } = JSON.parse(readRoot('package-lock.json')) as { packages: Record<string, Locked> };
  const found = new Set<string>();
  const waiting = [''];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const { dependencies, optionalDependencies } = packages[name] ?? {};
    const next = Object.keys({ ...dependencies, ...(withOptional ? optionalDependencies : {}) });
    for (const each of next.map((dependency) => `node_modules/${dependency}`)) {
      if (found.has(each) || packages[each]?.inBundle === true || !existsSync(path.join(ROOT, each))) continue;
      found.add(each);
      waiting.push(each);
    }
  }
  return [...found];
}

function bytesOf(folders: readonly string[]): number {
  return folders.reduce((sum, folder) => sum + sizeOf(path.join(ROOT, folder)), 0);
}
