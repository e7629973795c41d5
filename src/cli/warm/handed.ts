/** What the native client hands over of its process, in the order of `hand_over` in native/t4a.c. */
import type { ProcessNames } from '../prepare/callers-scope.js';

export interface Handed {
  /** Path of the daemon's socket by which the host was found. */
  readonly place: string;
  /** Undefined if the directory was removed. */
  readonly cwd: string | undefined;
  /** Of standard input, output and error. */
  readonly isTerminal: readonly [boolean, boolean, boolean];
  readonly size: TerminalSize;
  /** Tells whether files have the same names for the host. */
  readonly files: string;
  readonly uid: number;
  readonly names: ProcessNames;
  /** With the name of the program. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface TerminalSize {
  readonly cols: number;
  readonly rows: number;
}

export function handedSize(packed: number): TerminalSize {
  return { cols: packed & 0xffff, rows: packed >>> 16 };
}

const TERMINALS = [1, 2, 4] as const;

/** @throws RangeError if it is cut */
export function readHanded(content: Buffer): Handed {
  const texts = textsOf(content);
  const text = (): string => {
    const { value, done } = texts.next();
    if (done === true) throw new RangeError('The frame of the client is cut.');
    return value;
  };
  const number = (): number => Number(text());
  const [place, cwd, _umask, terminals, size] = [text(), text(), number(), number(), number()];
  const [mounts, device, inode, namespace] = [text(), text(), text(), text()];
  const [uid, pid, ppid] = [number(), number(), number()];
  const [self, session, parent] = [text(), text(), text()];
  const argv = Array.from({ length: number() }, text);
  const [stdin, stdout, stderr] = TERMINALS.map((bit) => (terminals & bit) !== 0) as [boolean, boolean, boolean];
  return {
    place,
    cwd: cwd === '' ? undefined : cwd,
    isTerminal: [stdin, stdout, stderr],
    size: handedSize(size),
    files: mounts === '' ? '' : `${mounts} ${device} ${inode}`,
    uid,
    names: namesOf({ pid, ppid, self, session, parent, namespace }),
    argv,
    env: environmentOf(texts),
  };
}

function* textsOf(content: Buffer): Generator<string, undefined> {
  for (let at = 0; at < content.length;) {
    const end = content.indexOf(0, at);
    if (end === -1) return undefined;
    yield content.toString('utf8', at, end);
    at = end + 1;
  }
  return undefined;
}

/** As Node makes `process.env`: the first of a name counts. */
function environmentOf(texts: Iterable<string>): Record<string, string> {
  const env = Object.create(null) as Record<string, string>;
  for (const text of texts) {
    const equals = text.indexOf('=');
    if (equals !== -1) env[text.slice(0, equals)] ??= text.slice(equals + 1);
  }
  return env;
}

interface Stats {
  readonly pid: number;
  readonly ppid: number;
  readonly self: string;
  readonly session: string;
  readonly parent: string;
  readonly namespace: string;
}

function namesOf({ pid, ppid, self, session, parent, namespace }: Stats): ProcessNames {
  return {
    pid,
    ppid,
    stat(of) {
      const found = of === 'self' ? self : of === String(ppid) ? parent : session;
      if (found === '') throw new Error(`no process ${of}`);
      return found;
    },
    namespace() {
      if (namespace === '') throw new Error('no namespace');
      return namespace;
    },
  };
}
