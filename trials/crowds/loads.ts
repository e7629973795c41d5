/** What one client sends as fast as it is taken: requests that are refused, and requests that wait. */

import {
  MAX_COMMAND_FIELDS,
  MAX_FIELD_NAME_BYTES,
  MAX_LINE_BYTES,
  MAX_REQUEST_FIELDS,
} from '../../src/protocol/limits.js';

/** Written again and again. */
export interface Refused {
  readonly name: string;
  readonly chunk: string;
  /** Before the first one. */
  readonly first?: string;
  /** It has no line ends of its own: a door of messages has no such thing. */
  readonly isOfLines?: true;
}

/** What a socket reads at once. */
const CHUNK_BYTES = 65_536;

const filled = (line: string): string => line.repeat(Math.max(1, Math.floor(CHUNK_BYTES / line.length)));
const long = 'x'.repeat(60_000);
const MOST_FIELDS = MAX_REQUEST_FIELDS - 10;
const LONGEST = MAX_LINE_BYTES - 100;
const fields = (count: number, name: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => `"${name(i)}":1`).join();
const waits = Array.from(
  { length: 64 },
  (_, i) => `{"cmd":"wait","id":"other","until":{"text":"never"},"timeout_ms":86400000,"req":"w${i}"}\n`,
).join('');

export const REFUSED: readonly Refused[] = [
  { name: 'empty lines', chunk: '\n'.repeat(CHUNK_BYTES), isOfLines: true },
  { name: 'a line without an end', chunk: ' '.repeat(CHUNK_BYTES), isOfLines: true },
  { name: 'half a line, then others', chunk: `{"cmd":"ping"${'\n{"cm'.repeat(10_000)}`, isOfLines: true },
  { name: 'no JSON', chunk: filled('{\n') },
  { name: 'lists in lists', chunk: `${'['.repeat(60_000)}\n` },
  { name: 'bytes that are no UTF-8', chunk: filled('{"cmd":"p\u0000\n') },
  { name: 'unknown commands', chunk: filled('{"cmd":"pong"}\n') },
  { name: 'a command with a long name', chunk: `{"cmd":"${long}"}\n` },
  { name: 'an unknown field in each', chunk: filled('{"cmd":"list","idd":1}\n') },
  { name: 'more fields than there may be', chunk: `{"cmd":"text",${fields(10_000, (i) => `f${i}`)}}\n` },
  {
    name: 'as many unknown fields as a command may have',
    chunk: filled(`{"cmd":"text",${fields(MAX_COMMAND_FIELDS - 10, (i) => `f${i}`)}}\n`),
  },
  {
    name: 'as many unknown fields as there may be',
    chunk: `{"cmd":"wait","id":"other","until":{${fields(MOST_FIELDS, (i) => `f${i}`)}}}\n`,
  },
  {
    name: 'as many with numbers as names',
    chunk: `{"cmd":"wait","id":"other","until":{${fields(MOST_FIELDS, (i) => `${i * 7919}`)}}}\n`,
  },
  {
    name: 'as many with names as long as there may be',
    chunk: `{"cmd":"wait","id":"other","until":{${fields(MOST_FIELDS, (i) => `f${i}`.padEnd(MAX_FIELD_NAME_BYTES, 'x'))}}}\n`,
  },
  {
    name: 'as many variables that are no texts',
    chunk: `{"cmd":"create","env":{${fields(MOST_FIELDS, (i) => `f${i}`)}}}\n`,
  },
  {
    name: 'ids of hosts, as many as a request may have',
    chunk: `{"cmd":"kill","id":[${'"a/b",'.repeat(60_000)}"a/b"]}\n`,
  },
  { name: 'a text that takes the longest line', chunk: `{"cmd":"${'x'.repeat(LONGEST)}"}\n` },
  { name: 'blanks that take the longest line', chunk: `{"cmd":"text"${' '.repeat(LONGEST)}}\n` },
  { name: 'fields of other types', chunk: filled('{"cmd":"wait","id":7,"until":{"text":[]},"timeout_ms":"x"}\n') },
  {
    name: 'a list of thousands of wrong conditions',
    chunk: `{"cmd":"wait","id":"other","until":[${'{"text":1},'.repeat(4000)}{}]}\n`,
  },
  { name: 'a long value', chunk: `{"cmd":"text","id":"${long}"}\n` },
  { name: 'terminals that there are not', chunk: filled('{"cmd":"text","id":"othre"}\n') },
  { name: 'a regular expression that is none', chunk: filled('{"cmd":"grep","id":"other","pattern":"(((("}\n') },
  { name: 'what is above the level', chunk: filled('{"cmd":"shutdown","id":"other","text":"x"}\n{"cmd":"config"}\n') },
  { name: 'more requests than may be unanswered', first: waits, chunk: filled('{"cmd":"ping","req":1}\n') },
  { name: 'signs of life with a number', chunk: filled('{"cmd":"ping","req":1}\n') },
];

const PRINTS = `
const words = 'a line of some words, with numbers '.repeat(8);
let n = 0;
setInterval(() => process.stdout.write(words.slice(0, 250) + ++n + '\\r\\n'), 20);
process.stdin.resume();`;

/** The terminal that requests which wait look at. */
export const SHOWN = {
  name: 'shown',
  cols: 300,
  rows: 100,
  rules: 'claude',
  cmd_args: [process.execPath, '-e', PRINTS],
};

/** Asked once, as many as there may be; they wait while the terminal `shown` prints. */
export interface Waiting {
  readonly name: string;
  readonly requests: readonly object[];
  /** Written again and again afterwards. */
  readonly chunk?: string;
}

const DAY_MS = 86_400_000;
const many = (count: number, request: (i: number) => object): object[] =>
  Array.from({ length: count }, (_, i) => ({ ...request(i), req: i }));
const regex = (i: number): string => `(?:[a-z]{1,20}|\\p{L}{1,10} )x*never${i}$`;

export const WAITING: readonly Waiting[] = [
  {
    name: '64 deliver to a terminal that never takes one',
    requests: many(64, (i) => ({ cmd: 'deliver', id: 'shown', text: `prompt ${i}`, timeout_ms: DAY_MS })),
  },
  {
    name: '64 wait for an expression each',
    requests: many(64, (i) => ({ cmd: 'wait', id: 'shown', until: { regex: regex(i) }, timeout_ms: DAY_MS })),
  },
  {
    name: '64 wait for 32 conditions each',
    requests: many(64, (i) => ({
      cmd: 'wait',
      id: 'shown',
      until: Array.from({ length: 32 }, (_, n) => (n % 2 === 0 ? { text: `never ${i} ${n}` } : { regex: regex(n) })),
      timeout_ms: DAY_MS,
    })),
  },
  {
    name: '16 ask about it',
    requests: many(16, (i) => ({
      cmd: 'ask',
      id: 'shown',
      as: `asker${i % 4}`,
      question: 'x'.repeat(4096),
      timeout_ms: DAY_MS,
    })),
  },
  {
    name: '64 triggers for an expression each',
    requests: many(64, (i) => ({ cmd: 'trigger', id: 'shown', when: { regex: regex(i) }, do: { notify: 'x' } })),
  },
  {
    name: '64 triggers that fire at each line',
    requests: many(64, (i) => ({
      cmd: 'trigger',
      id: 'shown',
      when: { output_since: 0 },
      do: { publish: { name: `n${i}` } },
    })),
  },
  {
    name: 'report of all parts, again and again',
    requests: [],
    chunk: Array.from(
      { length: 64 },
      (_, i) =>
        `{"cmd":"report","id":"shown","state":"working","path":"a/b/c/d/e/f/g/p${i}","msg":"${'x'.repeat(1000)}"}\n`,
    ).join(''),
  },
];

/** What a client makes others hold. */
export interface Held {
  readonly name: string;
  readonly chunk: string;
  /** Of each client. */
  readonly times: number;
  readonly isUnread: boolean;
}

export const UNFINISHED: Held = {
  name: 'lines without an end',
  chunk: ' '.repeat(CHUNK_BYTES),
  times: Math.floor(MAX_LINE_BYTES / CHUNK_BYTES) - 1,
  isUnread: false,
};

export const UNREAD: Held = {
  name: 'replies that are not read',
  chunk: Array.from({ length: 64 }, (_, i) => `{"cmd":"text","id":"mine","region":"all","req":"r${i}"}\n`).join(''),
  times: 8,
  isUnread: true,
};

const named = (i: number): string => `"req":"${`r${i}`.padEnd(200, 'x')}"`;

/** By the door itself, by the daemon, and by what is between them. */
export const UNREAD_REFUSALS: Held = {
  name: 'refusals that are not read',
  chunk: Array.from({ length: 64 }, (_, i) =>
    [
      `{"cmd":"type","id":"mine","text":"x","secret":true,${named(i)}}`,
      `{"cmd":"open","path":"/x",${named(i)}}`,
      `{"cmd":"text","id":"nowhere/mine",${named(i)}}`,
      `{"cmd":"text","idd":1,${named(i)}}\n`,
    ].join('\n'),
  ).join(''),
  times: 16,
  isUnread: true,
};
