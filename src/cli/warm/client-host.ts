/** Where a command line runs whose process is a native client. */
import { getSystemErrorName } from 'node:util';
import { callersConfigFile } from '../../client/paths.js';
import type { LentConnections } from '../../client/kept-connections.js';
import { T4aError } from '../../protocol/errors.js';
import { OUTER } from '../../mirror/outer-sequences.js';
import type { Host } from '../host.js';
import { sanitize } from '../output/sanitize.js';
import { callersProcess, callersScope } from '../prepare/callers-scope.js';
import type { WarmClient } from './client.js';
import { clientFiles } from './client-files.js';
import { type Handed, handedSize } from './handed.js';
import { LeftToNode } from './left-to-node.js';

export interface ClientEnds {
  /** The process of the caller is to end by it. */
  readonly onSignal: (signal: number) => void;
  /** All is done, but for the end of that process. */
  readonly onEnd: () => void;
}

export function clientHost(
  client: WarmClient,
  handed: Handed,
  kept: LentConnections,
  { onSignal, onEnd }: ClientEnds,
): Host {
  const { env, names, uid } = handed;
  const [stdinIsTerminal, stdoutIsTerminal, stderrIsTerminal] = handed.isTerminal;
  let { size } = handed;
  client.told.set('z', (content) => (size = handedSize(content.readUInt32LE(0))));
  const note = (text: string): void => client.tellAll('e', Buffer.from(text));
  const printed = async (question: 'b' | 'S', status?: Uint8Array): Promise<void> => {
    const { content } = await client.ask(question, status, 'b');
    const error = content.readInt32LE(0);
    // As write-out.ts says it.
    if (error !== 0) throw new T4aError('usage', `What t4a prints cannot be written (${getSystemErrorName(-error)}).`);
  };
  return {
    env,
    scope: () => callersScope(names),
    parent: () => callersProcess(names),
    cwd: () => directoryOf(handed),
    files: clientFiles(client, uid),
    configFile: callersConfigFile,
    kept,
    stdinIsTerminal,
    stdoutIsTerminal,
    columns: () => (stdoutIsTerminal ? size.cols || undefined : undefined),
    rows: () => (stdoutIsTerminal ? size.rows || undefined : undefined),
    stdin: () => stdinOf(client),
    hasUnreadStdin: async () => (await client.ask('u')).content.readInt32LE(0) !== 0,
    keys() {
      throw new LeftToNode();
    },
    interrupted: (onInterrupt) => interrupted(client, onInterrupt, onSignal),
    out: (data) =>
      client.tellAll(
        'o',
        Buffer.from((typeof data === 'string' && stdoutIsTerminal ? sanitize(data) : data) as string),
      ),
    drained: () => printed('b'),
    delivered(status) {
      onEnd();
      return printed('S', Buffer.from([status]));
    },
    note: (text) => note(stderrIsTerminal ? sanitize(text) : text),
    progress(text) {
      if (stderrIsTerminal) note(`\r${OUTER.eraseRow.on}${sanitize(text)}`);
    },
  };
}

/** @throws where it was removed */
export function directoryOf({ cwd }: Handed): string {
  if (cwd === undefined)
    throw Object.assign(new Error('ENOENT: no such file or directory, uv_cwd'), { code: 'ENOENT' });
  return cwd;
}

async function* stdinOf(client: WarmClient): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { letter, content } = await client.ask('i', undefined, 'dD');
    if (letter === 'D') {
      const code = getSystemErrorName(-content.readInt32LE(0));
      // As Node has it.
      if (code === 'EISDIR') return;
      throw Object.assign(new Error(`${code}: read`), { code });
    }
    if (content.length === 0) return;
    yield content;
  }
}

const SIGINT = 2;

function interrupted(
  client: WarmClient,
  onInterrupt: () => Promise<boolean>,
  onSignal: (signal: number) => void,
): () => void {
  const endAtOnce = (): void => onSignal(SIGINT);
  client.told.set('n', () => {
    onInterrupt().then((isTaken) => {
      if (!isTaken) endAtOnce();
    }, endAtOnce);
  });
  client.tell('I', Buffer.from([1]));
  return () => {
    client.told.delete('n');
    client.tell('I', Buffer.from([0]));
  };
}
