/** Files generated from the protocol are current, and the examples, links and quotes in docs/ are valid. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { COMMAND_NAMES as CLI_COMMANDS, commandTable } from '../src/cli/argv/command-table.js';
import { parseCommandLine } from '../src/cli/argv/parse.js';
import { ERRORS } from '../src/protocol/errors.js';
import { PUBLISHED_TYPES } from '../src/protocol/events.js';
import { COMMAND_NAMES } from '../src/protocol/registry.js';
import { parseRequest } from '../src/protocol/request.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

function page(name: string): string {
  return readFileSync(`${ROOT}docs/${name}`, 'utf8');
}

test('the generated files match the protocol ("npm run generate" writes them)', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/generate.mjs', '--check'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

describe('docs/protocol.md', () => {
  const text = page('protocol.md');

  test.each(COMMAND_NAMES)('has a section on %s', (name) => {
    expect(text).toContain(`\n### ${name}\n`);
  });

  test('lists every event and every error', () => {
    const missing = [...PUBLISHED_TYPES, ...Object.keys(ERRORS)].filter((word) => !text.includes(`\n| \`${word}\` |`));
    expect(missing).toEqual([]);
  });

  test('shows only requests that the daemon accepts', () => {
    const requests = [...text.matchAll(/^\{"cmd".*\}$/gm)].map(([line]) => JSON.parse(line) as Record<string, unknown>);
    expect(requests.length).toBeGreaterThanOrEqual(COMMAND_NAMES.length);
    for (const request of requests)
      expect(parseRequest(request).request, JSON.stringify(request)).not.toBeInstanceOf(Error);
  });

  test('describes every field of a request', () => {
    const undescribed = [...text.matchAll(/\| Field of the request .*\n(?:\|.*\n)+/g)].flatMap(([table]) =>
      table.split('\n').filter((row) => / \|\s*\|$/.test(row)),
    );
    expect(undescribed).toEqual([]);
  });
});

describe('docs/cli.md', () => {
  const text = page('cli.md');

  test.each(CLI_COMMANDS)('has a section on %s', (name) => {
    expect(text).toContain(`\n### t4a ${name}\n`);
  });

  test('shows examples of every command that the command line accepts', () => {
    for (const { name, examples } of commandTable()) {
      expect(examples.length, name).toBeGreaterThan(0);
      for (const example of examples) {
        const words = [...example.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
          (match) => match[1] ?? match[2] ?? match[3] ?? '',
        );
        const end = words.findIndex((word) => ['|', '<', '>'].includes(word));
        expect(parseCommandLine(words.slice(0, end === -1 ? words.length : end))?.command.name).toBe(name);
      }
    }
  });
});

test('the drawing of the rooms is current ("node scripts/rooms.mjs" writes it)', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/rooms.mjs', '--check'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
});

describe('docs/decisions', () => {
  const index = page('decisions/README.md');
  const pages = readdirSync(`${ROOT}docs/decisions`).filter((name) => name !== 'README.md');
  const linked = [...index.matchAll(/\]\(([^)]+)\)/g)].map(([, name = '']) => name);

  test('lists each page once in its index', () => {
    expect(pages.length).toBeGreaterThan(40);
    expect(linked.toSorted()).toEqual(pages.toSorted());
  });

  test.each(pages)('%s has the sections Why, Alternatives, In the code and Shown by', (name) => {
    expect(page(`decisions/${name}`)).toMatch(
      /^# .+\n\n[^]+\n## Why\n[^]+\n## Alternatives\n[^]+\n## In the code\n[^]+\n## Shown by\n/,
    );
  });

  test.each(pages)('%s begins with its sentence in the index', (name) => {
    const [, title, sentence = ''] = /^# (.+)\n\n([^]+?)\n\n/.exec(page(`decisions/${name}`)) ?? [];
    expect(index).toContain(`\n| [${title}](${name}) | ${sentence.replaceAll('\n', ' ')} |\n`);
  });

  test.each(pages)('%s names existing files and the titles of existing tests', (name) => {
    const text = page(`decisions/${name}`);
    const files = [...text.matchAll(/`((?:src|test|bench|scripts|shell|clients|trials)\/[^`\s]*)`/g)].map(
      ([, file]) => file,
    );
    expect(files.filter((file) => !existsSync(`${ROOT}${file}`))).toEqual([]);
    for (const [, file, title] of text.matchAll(/^- `(test\/[^`]+)`: (.+)$/gm)) {
      expect(readFileSync(`${ROOT}${file}`, 'utf8'), file).toContain(title);
    }
  });

  test('links only to existing pages', () => {
    for (const name of pages) {
      const links = [...page(`decisions/${name}`).matchAll(/\]\(([^)#]+)/g)].map(([, link]) => link ?? '');
      const local = links.filter((link) => !link.startsWith('https://'));
      expect(local.filter((link) => !existsSync(`${ROOT}docs/decisions/${link}`))).toEqual([]);
    }
  });
});
