/** Pages have their sections, and the files, tests and pages that they name exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMAND_LINE_NAMES as CLI_COMMANDS } from '../src/cli/argv/command-table.js';
import { ERRORS } from '../src/protocol/errors.js';
import { PUBLISHED_TYPES } from '../src/protocol/events.js';
import { COMMAND_NAMES } from '../src/protocol/registry.js';
import { ROOT } from '../test/support/consumer.js';
import { CLAIMS } from '../scripts/mutants/claims-table.mjs';

function page(name: string): string {
  return readFileSync(`${ROOT}docs/${name}`, 'utf8');
}

describe('README.md, its pages and those of the clients', () => {
  const pages = ['README.md', 'clients/python/README.md', ...readdirSync(`${ROOT}docs`).map((name) => `docs/${name}`)]
    .filter((name) => name.endsWith('.md'))
    .map((name) => ({ name, text: readFileSync(`${ROOT}${name}`, 'utf8') }));

  test('install no package of a registry that does not have it', () => {
    expect(pages.length).toBeGreaterThan(20);
    const published = /npm (?:install|i) (?:-g |--global )?t4a\b/;
    expect(pages.filter(({ text }) => published.test(text)).map(({ name }) => name)).toEqual([]);
  });

  test.each(pages)('$name links to files that exist', ({ name, text }) => {
    const links = Array.from(text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g), ([, link = '']) => link);
    const local = links.filter((link) => !/^[a-z]+:/.test(link));
    expect(local.filter((link) => !existsSync(path.join(ROOT, path.dirname(name), link)))).toEqual([]);
  });

  test('docs/README.md links to each page of docs/, and README.md to it', () => {
    const listed = page('README.md');
    const others = new Set(['docs/README.md', 'docs/usage.md']);
    const missing = pages.filter(
      ({ name }) => name.startsWith('docs/') && !others.has(name) && !listed.includes(`](${path.basename(name)})`),
    );
    expect(missing.map(({ name }) => name)).toEqual([]);
    expect(readFileSync(`${ROOT}README.md`, 'utf8')).toContain('](docs/README.md)');
  });
});

describe('CHANGELOG.md', () => {
  const [, ...versions] = readFileSync(`${ROOT}CHANGELOG.md`, 'utf8').split(/^## /m);

  test('has one section a version, of at most 8 KB', () => {
    expect(versions.length).toBeGreaterThan(0);
    for (const version of versions) {
      expect(version).toMatch(/^\d+\.\d+\.\d+ \((unreleased|\d{4}-\d\d-\d\d)\)\n/);
      expect(Buffer.byteLength(version), version.split('\n', 1)[0]).toBeLessThanOrEqual(8192);
    }
  });

  test('names what breaks a user first, and each heading of a version once', () => {
    for (const version of versions) {
      const headings = Array.from(version.matchAll(/^### (.+)$/gm), ([, heading]) => heading);
      expect(new Set(headings).size).toBe(headings.length);
      if (headings.includes('Breaking')) expect(headings[0]).toBe('Breaking');
    }
  });
});

test('docs/protocol.md has a section on every command, and lists every event and every error', () => {
  const text = page('protocol.md');
  expect(COMMAND_NAMES.filter((name) => !text.includes(`\n### ${name}\n`))).toEqual([]);
  const words = [...PUBLISHED_TYPES, ...Object.keys(ERRORS)];
  expect(words.filter((word) => !text.includes(`\n| \`${word}\` |`))).toEqual([]);
});

test('docs/cli.md has a section on every command', () => {
  const text = page('cli.md');
  expect(CLI_COMMANDS.filter((name) => !text.includes(`\n### t4a ${name}\n`))).toEqual([]);
});

test('docs/protocol.md describes every field of a request', () => {
  const undescribed = [...page('protocol.md').matchAll(/\| Field of the request .*\n(?:\|.*\n)+/g)].flatMap(([table]) =>
    table.split('\n').filter((row) => / \|\s*\|$/.test(row)),
  );
  expect(undescribed).toEqual([]);
});

test.each(['## Three walks', '## Rooms'])('paths in the section "%s" of docs/ARCHITECTURE.md exist', (heading) => {
  const text = page('ARCHITECTURE.md');
  const section = text.slice(text.indexOf(heading), text.indexOf('\n## ', text.indexOf(heading) + 3));
  const paths = [...section.matchAll(/`([a-z]+(?:\/[a-z.-]+)*(?:\.ts|\/))`/g)].map(([, named = '']) => named);
  expect(paths.length).toBeGreaterThan(10);
  const missing = paths.filter((named) => !existsSync(`${ROOT}${named.startsWith('test/') ? '' : 'src/'}${named}`));
  // By their names alone: files of several rooms, and loose files that an inner room may import.
  expect(missing.filter((named) => named.includes('/'))).toEqual([]);
});

describe.each([
  ['security.md', 20],
  ['limits.md', 30],
])('docs/%s', (name, least) => {
  const claims = [...page(name).matchAll(/^\|.*\| `(test\/[^`]+)`: (.+?) \|$/gm)];

  test('names existing tests in its tables', () => {
    expect(claims.length).toBeGreaterThan(least);
    const wrong = claims.filter(([, file = '', title = '']) => !titlesIn(file).includes(title));
    expect(wrong.map(([row]) => row)).toEqual([]);
  });
});

describe('docs/security.md', () => {
  const text = page('security.md');
  const [rules = '', others = ''] = text.slice(text.indexOf('\n## Claims')).split('\n## Not claimed\n');
  const lines = rules.split('\n').filter((line) => line !== '');

  test('has a claim, an attack and a test in each row', () => {
    const rows = lines.filter(
      (line) => line.startsWith('|') && !/^\|(?:---\|)+$|^\| claim \| attack \| test \|$/.test(line),
    );
    expect(rows.length).toBeGreaterThan(150);
    const cell = String.raw`(?! )[^|]+(?<! )`;
    const row = new RegExp(String.raw`^\| (${cell}) \| (${cell}) \| \`((?:test|clients)/[^\`]+)\`: (${cell}) \|$`);
    expect(rows.filter((line) => !row.test(line))).toEqual([]);
    const wrong = rows.filter((line) => {
      const [, , , file = '', title = ''] = row.exec(line) ?? [];
      return !titlesIn(file).includes(title);
    });
    expect(wrong).toEqual([]);
    const claims = rows.map((line) => row.exec(line)?.[1]);
    expect(claims.filter((claim, i) => claims.indexOf(claim) !== i)).toEqual([]);
  });

  test('has one claim, and the source one place, for each change of scripts/mutants/claims-table.mjs', () => {
    const claims = Array.from(rules.matchAll(/^\| (.+?) \| /gm), ([, claim = '']) => claim);
    expect(CLAIMS.length).toBeGreaterThan(100);
    const wrong = CLAIMS.filter(({ claim, file, before }) => {
      const places = readFileSync(`${ROOT}${file}`, 'utf8').split(before).length - 1;
      return places !== 1 || claims.filter((text) => text.startsWith(claim)).length !== 1;
    });
    expect(wrong).toEqual([]);
  });

  test('promises nothing outside its tables: there are terms alone, one line before a table', () => {
    const prose = lines.filter((line) => !line.startsWith('|') && !/^###? /.test(line));
    expect(prose.filter((line) => !line.startsWith('Terms: '))).toEqual([]);
    expect(rules).not.toMatch(/^Terms: .*\n+(?![|#])./m);
    expect(rules).not.toMatch(/^(?!\n|\|).+\n\|/m);
    expect(text.match(/^## .*/gm)).toEqual(['## Trust', expect.stringMatching(/^## Claims/), '## Not claimed']);
    expect(others).not.toContain('|');
  });
});

function titlesIn(file: string): string[] {
  const text = readFileSync(`${ROOT}${file}`, 'utf8');
  if (file.endsWith('.py')) return Array.from(text.matchAll(/^ *def (test_\w+)\(/gm), ([, title]) => title ?? '');
  const titles = text.matchAll(/[([]\s*(['"`])((?:(?!\1).)+)\1,\s+(?:\{|async|\()/g);
  return Array.from(titles, ([, , title]) => title ?? '');
}

describe('docs/decisions', () => {
  const index = page('decisions/README.md');
  const pages = readdirSync(`${ROOT}docs/decisions`).filter((name) => name !== 'README.md');
  const linked = [...index.matchAll(/\]\(([^)]+)\)/g)].map(([, name = '']) => name);

  test('lists each page once in its index', () => {
    expect(pages.length).toBeGreaterThan(40);
    expect(linked.toSorted()).toEqual(pages.toSorted());
  });

  test.each(pages)('%s has its sections and begins with its sentence in the index', (name) => {
    const text = page(`decisions/${name}`);
    expect(text).toMatch(/^# .+\n\n[^]+\n## Why\n[^]+\n## Alternatives\n[^]+\n## In the code\n[^]+\n## Shown by\n/);
    const [, title, sentence = ''] = /^# (.+)\n\n([^]+?)\n\n/.exec(text) ?? [];
    expect(index).toContain(`\n| [${title}](${name}) | ${sentence.replaceAll('\n', ' ')} |\n`);
  });

  test.each(pages)('%s names existing files, pages and titles of tests', (name) => {
    const text = page(`decisions/${name}`);
    const files = text.matchAll(/`((?:src|test|lint|bench|scripts|shell|clients|trials)\/[^`\s]*)`/g);
    expect(Array.from(files, ([, file]) => file).filter((file) => !existsSync(`${ROOT}${file}`))).toEqual([]);
    for (const [, file, title] of text.matchAll(/^- `((?:test|lint|trials)\/[^`]+)`: (.+)$/gm)) {
      expect(readFileSync(`${ROOT}${file}`, 'utf8'), file).toContain(title);
    }
    const links = Array.from(text.matchAll(/\]\(([^)#]+)/g), ([, link]) => link ?? '');
    const local = links.filter((link) => !link.startsWith('https://'));
    expect(local.filter((link) => !existsSync(`${ROOT}docs/decisions/${link}`))).toEqual([]);
  });
});

describe('the tables of docs/limits.md', () => {
  const tables = [...page('limits.md').matchAll(/^\| what .*\n\|[-|]+\n((?:\|.*\n)+)/gm)].map(([, rows = '']) => rows);
  const rows = tables.flatMap((table) => table.trimEnd().split('\n'));
  const cellsOf = (row: string): string[] => row.replace(/^\| ?| ?\|$/g, '').split(' | ');

  test('have all their cells in every row', () => {
    expect(rows.length).toBeGreaterThan(150);
    const widths = new Set(tables.map((table) => cellsOf(table.split('\n')[0] ?? '').length));
    expect(widths).toEqual(new Set([3, 4]));
    const wrong = tables.flatMap((table) => {
      const [first = '', ...others] = table.trimEnd().split('\n');
      const width = cellsOf(first).length;
      return [first, ...others].filter((row) => {
        const cells = cellsOf(row);
        return cells.length !== width || cells.some((cell) => cell.trim() === '');
      });
    });
    expect(wrong).toEqual([]);
  });

  test('name an existing test in every row', () => {
    const wrong = rows.filter((row) => {
      const [, file = '', title = ''] = /^`(test\/[^`]+)`: (.+)$/.exec(cellsOf(row).at(-1) ?? '') ?? [];
      return !existsSync(`${ROOT}${file}`) || file === '' || !titlesIn(file).includes(title);
    });
    expect(wrong).toEqual([]);
  });

  test('have no row twice', () => {
    const subjects = rows.map((row) => cellsOf(row)[0]);
    expect(subjects).toEqual([...new Set(subjects)]);
  });
});
