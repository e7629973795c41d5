/** What goes wrong at a switch. Each is a program in the place of the new daemon, or something that happens beside the right one. */
import { cpSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Random } from '../support/random.js';

/**
 * `none`: the new daemon has taken over. `refused`: the old one goes on. `either`: one of both. `over`: no terminal need be left, and
 * nothing of them may be.
 */
export type Outcome = 'none' | 'refused' | 'either' | 'over';

export interface Switch {
  readonly entry: string;
  readonly withinMs: number;
  /** Most that the old daemon may have open, from the request on. */
  readonly descriptors?: number;
  /** How many requests to replace it come at once. */
  readonly times: number;
  /** What happens to the old daemon or its successor beside it. */
  readonly beside?: {
    readonly afterMs: number;
    readonly signal?: NodeJS.Signals;
    readonly cmd?: 'shutdown';
    /** To files. */
    readonly happens?: () => void;
  };
  /** Largest file that the old daemon and the new one may write, in bytes, from the request until it is answered. */
  readonly fileBytes?: number;
}

interface Place {
  readonly dir: string;
  readonly entry: string;
  readonly socketPath: string;
}

export interface Fault {
  readonly outcome: Outcome;
  readonly draw: (random: Random, place: Place) => Switch;
}

const WITHIN_MS = 2000;

/** Speaks as the new daemon does, up to a step. */
const FAKE = `
const { Socket } = require('node:net');
const socket = new Socket({ fd: 3 });
const send = (value) => {
  const text = Buffer.from(JSON.stringify(value));
  const head = Buffer.alloc(8);
  head.writeUInt32LE(text.length, 0);
  socket.write(head);
  socket.write(text);
};
const hello = () => send({ kind: 'hello', version: '9.9.9', pid: process.pid, accepts: [1, 2, 3, 4, 5, 6, 7, 8, 9] });
let got = 0;
socket.on('data', (bytes) => {
  const before = got;
  got += bytes.length;
  if (before < AFTER && got >= AFTER) act();
});
socket.on('close', () => process.exit(0));
`;

const fake =
  (source: string, bytes = (random: Random): number => 1 + random.below(30_000)): Fault['draw'] =>
  (random, { dir }) => {
    const entry = path.join(dir, 'fake.cjs');
    writeFileSync(entry, FAKE.replaceAll('AFTER', String(bytes(random))) + source, { mode: 0o600 });
    return { entry, withinMs: WITHIN_MS, times: 1 };
  };

const right = ({ entry }: Place, more: Partial<Switch> = {}): Switch => ({
  entry,
  withinMs: 20_000,
  times: 1,
  ...more,
});

const LATER_MS = 1500;

/** A copy of the package. @returns its entry */
function copied({ entry, dir }: Place, name: string): string {
  const root = path.dirname(path.dirname(entry));
  const copy = path.join(dir, name);
  cpSync(path.join(root, 'dist'), path.join(copy, 'dist'), { recursive: true });
  cpSync(path.join(root, 'package.json'), path.join(copy, 'package.json'));
  for (const other of ['fonts', 'shell', 'node_modules']) symlinkSync(path.join(root, other), path.join(copy, other));
  return path.join(copy, 'dist', path.basename(entry));
}

/** Something happens to the package of the new daemon at an instant from before its start until after the switch. */
const ofPackage =
  (happens: (copy: string) => void): Fault['draw'] =>
  (random, place) => {
    const entry = copied(place, 'package');
    const copy = path.join(place.dir, 'package');
    return right({ ...place, entry }, { beside: { afterMs: random.below(LATER_MS), happens: () => happens(copy) } });
  };

/** The new daemon limits its own memory, then starts. */
const limitedMemory =
  (most: (random: Random) => number): Fault['draw'] =>
  (random, place) => {
    const entry = path.join(place.dir, 'killed.cjs');
    const limit = `require('node:child_process').spawnSync('prlimit', ['--pid', String(process.pid), '--data=${most(random)}']);`;
    writeFileSync(entry, `${limit} require(${JSON.stringify(place.entry)});`, { mode: 0o600 });
    return right({ ...place, entry });
  };

const MIB = 1024 * 1024;

export const FAULTS: Readonly<Record<string, Fault>> = {
  nothing: { outcome: 'none', draw: (_random, place) => right(place) },
  'several at once': { outcome: 'none', draw: (random, place) => right(place, { times: 2 + random.below(2) }) },
  'few descriptors': {
    outcome: 'either',
    draw: (random, place) => right(place, { descriptors: 20 + random.below(40) }),
  },
  'ends at once': { outcome: 'refused', draw: fake('process.exit(1);') },
  'rubbish for a greeting': { outcome: 'refused', draw: fake("socket.write('x'.repeat(100));") },
  'ends within the state': { outcome: 'refused', draw: fake('const act = () => process.exit(1); hello();') },
  'hangs within the state': {
    outcome: 'refused',
    draw: fake('const act = () => socket.pause(); hello();'),
  },
  'rubbish within the state': {
    outcome: 'refused',
    draw: fake("const act = () => socket.write('x'.repeat(100)); hello();"),
  },
  'sums that differ': {
    outcome: 'refused',
    draw: fake("const act = () => send({ kind: 'ready', sums: [{ id: 'no' }] }); hello();"),
  },
  'says that it failed': {
    outcome: 'refused',
    draw: fake("const act = () => send({ kind: 'failed', message: 'on purpose' }); hello();"),
  },
  'the new one killed at any instant': {
    outcome: 'over',
    draw: (random, place) => {
      const entry = path.join(place.dir, 'killed.cjs');
      const kill = `setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${50 + random.below(900)});`;
      writeFileSync(entry, `${kill} require(${JSON.stringify(place.entry)});`, { mode: 0o600 });
      return right({ ...place, entry });
    },
  },
  'the old one killed at any instant': {
    outcome: 'over',
    draw: (random, place) => right(place, { beside: { afterMs: random.below(1200), signal: 'SIGKILL' } }),
  },
  'SIGTERM at any instant': {
    outcome: 'over',
    draw: (random, place) => right(place, { beside: { afterMs: random.below(1200), signal: 'SIGTERM' } }),
  },
  'shutdown at any instant': {
    outcome: 'over',
    draw: (random, place) => right(place, { beside: { afterMs: random.below(1200), cmd: 'shutdown' } }),
  },
  'the package is gone': {
    outcome: 'refused',
    draw: (_random, place) => {
      const entry = copied(place, 'package');
      rmSync(path.join(place.dir, 'package'), { recursive: true });
      return right({ ...place, entry });
    },
  },
  'the package removed at any instant': {
    outcome: 'either',
    draw: ofPackage((copy) => rmSync(copy, { recursive: true })),
  },
  'the package moved at any instant': {
    outcome: 'either',
    draw: ofPackage((copy) => renameSync(copy, `${copy}-moved`)),
  },
  'the package replaced at any instant': {
    outcome: 'either',
    draw: (random, place) => {
      const other = path.dirname(path.dirname(copied(place, 'other')));
      return ofPackage((copy) => {
        renameSync(copy, `${copy}-moved`);
        renameSync(other, copy);
      })(random, place);
    },
  },
  'the socket deleted at any instant': {
    outcome: 'none',
    draw: (random, place) =>
      right(place, {
        beside: { afterMs: random.below(LATER_MS), happens: () => rmSync(place.socketPath, { force: true }) },
      }),
  },
  'a full disk': { outcome: 'either', draw: (_random, place) => right(place, { fileBytes: 0 }) },
  'no memory for its start': { outcome: 'refused', draw: limitedMemory(() => 20 * MIB) },
  'too little memory': { outcome: 'over', draw: limitedMemory((random) => (60 + random.below(240)) * MIB) },
};
