/** The data that `npm run trials -- debian` reads and writes; only a run shows that it builds and tests a system. */
import { createCanvas } from '@napi-rs/canvas';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { mirrorOf } from '../debian/apt-sources.js';
import { drivingTests, resultOf } from '../debian/driving-tests.js';
import { compare } from '../debian/pictures.js';
import { programsOfTests, upstream, versionCells } from '../debian/programs.js';
import { tempDir } from '../../test/support/temp-dir.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

describe("the machine's own mirror", () => {
  test('is read from paragraphs, but not from comments, other archives or disabled entries', () => {
    const text = `Types: deb
URIs: http://other.example/node
Suites: trixie

Enabled: no
Types: deb
URIs: http://off.example/debian
Suites: trixie

Types: deb-src
URIs: http://sources.example/debian
Suites: trixie

Types: deb
# URIs: http://comment.example/debian
URIs:
 http://mirror.example/debian
Suites: trixie
 trixie-updates
Components: main
`;
    expect(mirrorOf([{ name: 'debian.sources', text }])).toBe('http://mirror.example/debian');
  });

  test('is read from lines with or without options, but not from the archive of security updates', () => {
    const text = `# deb http://comment.example/debian trixie main
deb-src http://sources.example/debian trixie main
deb http://mirror.example/debian-security trixie-security main
deb [arch=amd64 signed-by=/k.gpg] http://mirror.example/debian/ trixie main
`;
    expect(mirrorOf([{ name: '/etc/apt/sources.list', text }])).toBe('http://mirror.example/debian/');
  });

  test('is unknown if apt names no archive of Debian', () => {
    expect(mirrorOf([{ name: 'sources.list', text: 'deb http://other.example/tools stable main\n' }])).toBeUndefined();
    expect(mirrorOf([])).toBeUndefined();
  });
});

describe('the tests that drive programs', () => {
  const files = drivingTests(ROOT);

  test('are those that need a program, directly or through an import', () => {
    expect(files).toContain('test/e2e/vim.test.ts');
    expect(files).toContain('test/e2e/truth-table.test.ts');
    expect(files.every((file) => existsSync(path.join(ROOT, file)))).toBe(true);
  });

  test('exclude tests that need no program', () => {
    expect(files).not.toContain('test/protocol/framing.test.ts');
    expect(files).not.toContain('test/trials/fuzz.test.ts');
  });

  test('have their programs in the list of .ci/run', () => {
    expect(programsOfTests(ROOT)).toEqual(expect.arrayContaining(['vim', 'zsh', 'fish', 'tmux']));
  });
});

test('results name each test that failed, and each file that could not be run', () => {
  const json = JSON.stringify({
    numPassedTests: 7,
    numFailedTests: 1,
    numPendingTests: 2,
    testResults: [
      {
        name: '/home/dev/t4a/test/e2e/vim.test.ts',
        status: 'failed',
        message: '',
        assertionResults: [
          { fullName: 'vim writes', status: 'failed' },
          { fullName: 'vim reads', status: 'passed' },
        ],
      },
      { name: '/home/dev/t4a/test/e2e/keys.test.ts', status: 'failed', message: 'no module', assertionResults: [] },
    ],
  });
  expect(resultOf(json)).toEqual({
    passed: 7,
    failed: 1,
    leftOut: 2,
    failures: ['test/e2e/vim.test.ts: vim writes', 'test/e2e/keys.test.ts: no module'],
  });
});

describe('versions', () => {
  test.each([
    ['5.2.37-2+b5', '5.2.37'],
    ['2:9.1.1230-2', '9.1.1230'],
    ['1:1.37.0-6', '1.37.0'],
    ['1.0.10+git20240412-1', '1.0.10+git20240412'],
    ['3.2.2+dfsg1-2', '3.2.2'],
    ['59c', '59c'],
  ])('of the package %s are shortened to %s of the program', (version, expected) => {
    expect(upstream(version)).toBe(expected);
  });

  test('are those of the first installed package, or an empty cell if none is installed', () => {
    expect(versionCells([['a', 'b'], ['c']], { b: '2.0-1' })).toEqual(['2.0', '']);
  });
});

describe('pictures of two machines', () => {
  test('are compared by the number of differing samples and the largest difference', async () => {
    const into = tempDir().path;
    const { differing, most, samples } = await compare('dots', picture('#101010'), picture('#101311'), into);
    expect({ differing, most, samples }).toEqual({ differing: 2, most: 3, samples: 8 * 4 * 3 });
    expect(existsSync(path.join(into, 'dots-difference.png'))).toBe(true);
  });

  test('with the same content do not differ', async () => {
    const into = tempDir().path;
    expect(await compare('dots', picture('#101010'), picture('#101010'), into)).toMatchObject({
      differing: 0,
      most: 0,
    });
    expect(existsSync(path.join(into, 'dots-difference.png'))).toBe(false);
  });
});

function picture(dot: string): Buffer {
  const canvas = createCanvas(8, 4);
  const context = canvas.getContext('2d');
  context.fillStyle = '#000';
  context.fillRect(0, 0, 8, 4);
  context.fillStyle = dot;
  context.fillRect(3, 2, 1, 1);
  return canvas.toBuffer('image/png');
}
