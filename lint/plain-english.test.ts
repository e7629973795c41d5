/** The sentences of the contract, which models and newcomers read, use plain words. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandTable } from '../src/cli/argv/command-table.js';
import { GLOBAL_FLAGS } from '../src/cli/argv/commands.generated.js';
import { ERRORS } from '../src/protocol/errors.js';
import { protocolSchema } from '../src/protocol/json-schema.js';
import { COMMANDS } from '../src/protocol/registry.js';
import { ROOT } from '../test/support/consumer.js';

/** What a sentence must not say, with what says it plainly. */
const TURNS: readonly (readonly [turn: RegExp, plain: string])[] = [
  [/\b(tells?|told|telling)\b/i, 'returns, reports, lists, includes'],
  [/\b(whoever|whatever|whichever|whomever)\b/i, 'name the thing or the person'],
  // A trial has this name.
  [/(?<!trials -- )\b(nobody|anybody|somebody|everybody)\b/i, 'no client, another client; or "if unknown"'],
  [/\bthat which\b/i, 'a noun'],
  [/\b(null|undefined|absent|empty|false|true) where\b/i, '"if"'],
  [/\bwhere (it|there|nobody|nothing|none|that|the \w+) (is|are|was|were|has|have|did|does|gives?|names?)\b/i, '"if"'],
  [/\b(for|after) so long\b/i, '"for this long"'],
  [/\bso (often|many|much)\b/i, 'times, number of'],
  [/\bbut for\b/i, '"except"'],
  [/\bis so\b/i, '"holds", "is true"'],
  [/\bof its like\b|\bits like\b/i, 'name the others'],
  [/\b(is|are) to (be|have|look|go)\b/i, 'say what it does'],
  [/\bwhat (becomes|came|comes) of\b/i, 'outcome, result'],
  [/\bmend(s|ed|ing)?\b/i, '"correct", "fix"'],
  [/\bmeanwhile\b/i, '"during"'],
];

/** Every description in a JSON Schema, with the path to it. */
function descriptions(node: unknown, path: string): [string, string][] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]): [string, string][] =>
    key === 'description' && typeof value === 'string' ? [[path, value]] : descriptions(value, `${path}.${key}`),
  );
}

function sentences(): [place: string, sentence: string][] {
  return [
    ...descriptions(protocolSchema(), 'schema'),
    ...Object.values(COMMANDS).flatMap(({ name, summary, ...spec }): [string, string][] => [
      [name, summary],
      [`${name} details`, 'details' in spec ? (spec as { details: string }).details : ''],
      [`${name} as a tool`, (spec.traits.tool || undefined)?.brief ?? ''],
    ]),
    ...commandTable().flatMap(({ name, summary, notes = '', flags }): [string, string][] => [
      [`t4a ${name}`, summary],
      [`t4a ${name}, notes`, notes],
      ...flags.flatMap(({ flag, description, off = '' }): [string, string][] => [
        [`t4a ${name} --${flag}`, description],
        [`t4a ${name} --no-${flag}`, off],
      ]),
    ]),
    ...GLOBAL_FLAGS.map(({ flag, description }): [string, string] => [`--${flag}`, description]),
    ...Object.entries(ERRORS).map(([code, { meaning }]): [string, string] => [code, meaning]),
  ];
}

describe('no sentence of the contract', () => {
  const all = sentences();

  test('is missing from the check', () => {
    expect(all.length).toBeGreaterThan(500);
  });

  test.each(TURNS)('contains %s instead of %s', (turn) => {
    expect(all.filter(([, sentence]) => turn.test(sentence))).toEqual([]);
  });
});

/** String literals of the source, each with its place. */
function literals(): [place: string, text: string][] {
  const files = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      readFileSync(path.join(ROOT, 'src', file), 'utf8')
        .split('\n')
        .filter((line) => !/^\s*(\*|\/[/*])/.test(line))
        .flatMap((line): [string, string][] =>
          [...line.matchAll(/'([^']*)'|`([^`]*)`/g)].map(([text]) => [file, text]),
        ),
    );
}

test.each(TURNS.slice(0, 5))('no message, hint or text of the source contains %s instead of %s', (turn) => {
  expect(literals().filter(([, text]) => turn.test(text.replaceAll(/\$\{[^}]*\}/g, '')))).toEqual([]);
});

test('a summary begins with a verb', () => {
  const verbs = commandTable().map(({ summary }) => summary.split(' ')[0]?.replace(/,$/, ''));
  for (const verb of verbs) expect(verb).toMatch(/^[A-Z][a-z]+$/);
  expect(verbs.filter((verb) => ['The', 'A', 'An', 'What', 'Everything', 'All'].includes(verb ?? ''))).toEqual([]);
});

/** Pages by hand, without the titles of tests that they name. */
function pages(): [page: string, text: string][] {
  const inDocs = readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
  return ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...inDocs.map((name) => path.join('docs', name))]
    .filter((name) => name.endsWith('.md'))
    .map((name) => [name, readFileSync(path.join(ROOT, name), 'utf8').replaceAll(/`test\/[^`]+`: .*/g, '')]);
}

test.each(TURNS)('no page of the documentation contains %s instead of %s', (turn) => {
  const wrong = pages().flatMap(([name, text]) =>
    text.split('\n').flatMap((line, i) => (turn.test(line) ? [`${name}:${i + 1}: ${line}`] : [])),
  );
  expect(wrong).toEqual([]);
});

/** Titles of tests, each with its place: the first argument of `test`, `describe` and what they are called with. */
function titles(): [place: string, title: string][] {
  return ['test', 'trials', 'lint'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => path.join(folder, name))
      .flatMap((file) =>
        [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(TITLE)].map((match): [string, string] => [
          file,
          match[2] ?? '',
        ]),
      ),
  );
}

const TITLE = /^\s*(?:(?:test|describe|it\w*)\b[^'"`\n]*|.*\]\))\(\s*(['"`])((?:\\.|(?!\1).)*)\1,/gm;

describe('no name of a test', () => {
  test('is left out', () => {
    expect(titles().length).toBeGreaterThan(2500);
  });

  test.each(TURNS.slice(0, 4))('has %s: plain is %s', (turn) => {
    expect(titles().filter(([, title]) => turn.test(title))).toEqual([]);
  });
});
