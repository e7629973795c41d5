/** The table of changes to the library, compared with a terminal of the unchanged library. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import xterm from '@xterm/headless';
import { describe, expect, test } from 'vitest';
import type { Internals } from '../../../src/vt/xterm/internals.js';
import type { Patch } from '../../../src/vt/xterm/patches.js';
import { ROOT } from '../../support/consumer.js';

type Part = Readonly<Record<string, unknown>>;

const SIZE = { cols: 10, rows: 2 };
const pristine = (new xterm.Terminal({ ...SIZE, allowProposedApi: true }) as unknown as { _core: Internals })._core;

/** All terminals share them: they have to be looked at before the first of ours is made. */
const SHARED = [
  ['BufferLine', Object.getPrototypeOf(pristine.buffers.active.lines.get(0)) as object],
  ['ExtendedAttrs', Object.getPrototypeOf(pristine._inputHandler._curAttrData.extended) as object],
] as const;
const before = SHARED.map(([, prototype]) => Object.getOwnPropertyDescriptors(prototype));
const transitionsBefore = JSON.stringify(pristine._inputHandler._parser._transitions);

const { Emulator } = await import('../../../src/vt/xterm/emulator.js');
const { PATCHES } = await import('../../../src/vt/xterm/patches.js');
const ours = new Emulator({ ...SIZE, scrollback: 5 }).internals;

/** Names of what differs, as the table has them. */
function changed(): string[] {
  return [...sharedMethods(), ...ownMethods(), ...transitions(), ...handlers()];
}

function sharedMethods(): string[] {
  return SHARED.flatMap(([name, prototype], i) =>
    Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([key, now]) => {
      const then: PropertyDescriptor | undefined = before[i]?.[key as keyof object];
      return then?.value === now.value && then?.get === now.get && then?.set === now.set ? [] : [`${name}.${key}`];
    }),
  );
}

function ownMethods(): string[] {
  const parts = (core: Internals): [string, object][] => [
    ['Terminal', core],
    ['InputHandler', core._inputHandler],
    ['EscapeSequenceParser', core._inputHandler._parser],
    ['OscParser', core._inputHandler._parser._oscParser],
    ['DcsParser', core._inputHandler._parser._dcsParser],
    ['CoreService', core.coreService],
    ['BufferSet', core.buffers],
    ['Buffer', core.buffers.active],
    ['CircularList', core.buffers.active.lines],
    ['WriteBuffer', core._writeBuffer],
  ];
  const theirs = new Map(parts(pristine));
  return parts(ours).flatMap(([name, part]) =>
    Object.getOwnPropertyNames(part)
      .filter((key) => isOtherMethod((part as Part)[key], (theirs.get(name) as Part)[key]))
      .map((key) => `${name}.${key}`),
  );
}

function isOtherMethod(own: unknown, library: unknown): boolean {
  return typeof own === 'function' && (typeof library !== 'function' || own.toString() !== library.toString());
}

function transitions(): string[] {
  const now = JSON.stringify(ours._inputHandler._parser._transitions);
  return now === transitionsBefore ? [] : ['EscapeSequenceParser._transitions'];
}

/** Sequences that have more handlers than in the library. */
function handlers(): string[] {
  type Registry = Readonly<Record<string, readonly unknown[] | undefined>>;
  const registries = (core: Internals) => core._inputHandler._parser as unknown as Record<string, Registry>;
  return ['_csiHandlers', '_escHandlers'].flatMap((registry) =>
    Object.entries(registries(ours)[registry] ?? {})
      .filter(([identifier, list]) => list?.length !== registries(pristine)[registry]?.[identifier]?.length)
      .map(([identifier]) => {
        const final = ours._inputHandler._parser.identToString(Number(identifier)).replace(' ', 'SP');
        return `${registry === '_csiHandlers' ? 'CSI' : 'ESC'} ${final}`;
      }),
  );
}

test('the table has every change of the library and nothing else', () => {
  // Two patches may change one part.
  const listed = new Set(PATCHES.flatMap(({ changes }) => changes));
  expect(changed().toSorted()).toEqual([...listed].toSorted());
});

describe.each(PATCHES)('the patch $id', ({ id, test: file, upstream }: Patch) => {
  test('is a file, has a test, and names its source', () => {
    expect(existsSync(path.join(ROOT, 'src/vt/xterm', `${id}.ts`))).toBe(true);
    expect(existsSync(path.join(ROOT, 'test/vt/xterm', file))).toBe(true);
    expect(upstream).toMatch(/^https:\/\/github\.com\//);
  });
});

test('docs/decisions/xterm-fork.md shows the table', () => {
  const page = readFileSync(path.join(ROOT, 'docs/decisions/xterm-fork.md'), 'utf8');
  const rows = PATCHES.map(rowOf);
  expect(page.split('\n').filter((line) => line.startsWith('| `'))).toEqual(rows);
});

function rowOf({ id, changes, why, upstream, test: file, goesWhen }: Patch): string {
  const parts = changes.map((change) => `\`${change}\``).join(', ');
  return `| \`${id}\` | ${parts} | ${why} | [upstream](${upstream}) | \`${file}\` | ${goesWhen} |`;
}
