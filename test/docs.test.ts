/** Files generated from the protocol are current, and the requests and command lines in docs/ are accepted. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { commandTable } from '../src/cli/argv/command-table.js';
import { parseCommandLine } from '../src/cli/argv/parse.js';
import { z } from 'zod';
import { DAEMON_EVENTS, EVENT_TYPES } from '../src/protocol/events.js';
import { COMMAND_NAMES, COMMANDS, type CommandName } from '../src/protocol/registry.js';
import { parseRequest } from '../src/protocol/request.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

test('the generated files match the protocol ("npm run generate" writes them)', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/generate.mjs', '--check'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test('docs/protocol.md shows only requests that the daemon accepts', () => {
  const requests = [...readFileSync(`${ROOT}docs/protocol.md`, 'utf8').matchAll(/^\{"cmd".*\}$/gm)].map(
    ([line]) => JSON.parse(line) as Record<string, unknown>,
  );
  expect(requests.length).toBeGreaterThanOrEqual(COMMAND_NAMES.length);
  for (const request of requests)
    expect(parseRequest(request).request, JSON.stringify(request)).not.toBeInstanceOf(Error);
});

test('docs/orbitmesh.md names only requests, fields and events that there are', () => {
  const page = readFileSync(`${ROOT}docs/orbitmesh.md`, 'utf8');
  const requests = [...page.matchAll(/`(\{"cmd".*?\})`/g)].map(([, text]) => JSON.parse(text ?? '') as { cmd: string });
  expect(requests.map(({ cmd }) => cmd)).toEqual([
    'watch',
    'control',
    'entries',
    'events',
    'rules',
    'rules',
    'rules',
    'rules',
  ]);
  for (const request of requests)
    expect(parseRequest(request).request, JSON.stringify(request)).not.toBeInstanceOf(Error);
  const named = [...page.matchAll(/`(\w+)` with `(\w+)`/g)].filter(([, name]) =>
    COMMAND_NAMES.includes(name as CommandName),
  );
  expect(named.length).toBeGreaterThan(3);
  for (const [, name, word = ''] of named) {
    const { params } = COMMANDS[name as CommandName];
    const words = JSON.stringify(z.toJSONSchema(params, { io: 'input', unrepresentable: 'any' }));
    expect(words, `${name} ${word}`).toContain(`"${word}"`);
  }
  const events = [...page.matchAll(/events? `(\w+)`/g)].map(([, name]) => name);
  expect(events).toEqual(expect.arrayContaining(['bell', 'entry', 'warning']));
  expect([...EVENT_TYPES, ...Object.keys(DAEMON_EVENTS)]).toEqual(expect.arrayContaining(events));
});

test('examples of every command are accepted by the command line', () => {
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
