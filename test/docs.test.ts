/** Files generated from the protocol are current, and the requests and command lines in docs/ are accepted. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { commandTable } from '../src/cli/argv/command-table.js';
import { parseCommandLine } from '../src/cli/argv/parse.js';
import { COMMAND_NAMES } from '../src/protocol/registry.js';
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
