/** The folder of a terminal that was kept, before it is opened: see features/persistence. */
import { constants, promises, type Stats } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../../base/errno.js';
import { LEDGER_FILE } from '../../history/recording/read-recording.js';
import { quote, T4aError } from '../../protocol/errors.js';
import { ACTIVITY_FILE, SESSION_FILE, SESSION_VERSION } from '../past/persisted.js';

/** Of the session alone: a command line may be long. */
const MAX_SESSION_BYTES = 4 * 1024 * 1024;

/**
 * False if the path is no folder. A folder is its owner's alone, since its file of entries may be appended to, and no file in it is a
 * link, a pipe or a device.
 * @throws T4aError recording_invalid
 */
export async function isKeptFolder(path: string): Promise<boolean> {
  const facts = await promises.stat(path).catch(() => undefined);
  if (facts?.isDirectory() !== true) return false;
  assertOwn(path, facts);
  for (const name of [LEDGER_FILE, SESSION_FILE, ACTIVITY_FILE]) {
    const file = join(path, name);
    const found = await promises.lstat(file).catch((error: unknown) => {
      if (errnoOf(error) === 'ENOENT') return undefined;
      throw refused(`${quote(file)} cannot be read: ${errnoOf(error) ?? String(error)}.`);
    });
    if (found === undefined && name === LEDGER_FILE) {
      throw refused(`${quote(path)} is the folder of no terminal: it has no ${LEDGER_FILE}.`);
    }
    if (found === undefined) continue;
    if (!found.isFile()) throw refused(`${quote(file)} is no file.`);
    assertOwn(file, found);
  }
  await assertVersion(join(path, SESSION_FILE));
  return true;
}

function assertOwn(path: string, { uid }: Stats): void {
  if (uid === process.geteuid?.()) return;
  throw refused(`${quote(path)} belongs to another user (uid ${uid}).`, 'Copy the folder, and open the copy.');
}

/** What is no session, or half of one, says nothing: the ledger has all that a terminal needs. */
async function assertVersion(file: string): Promise<void> {
  const version = await versionOf(file).catch(() => undefined);
  if (version === undefined || version <= SESSION_VERSION) return;
  throw refused(
    `${quote(file)} is of version ${version}: this t4a reads ${SESSION_VERSION}.`,
    'A newer t4a may have written it.',
  );
}

async function versionOf(file: string): Promise<number | undefined> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const handle = await promises.open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stat = await handle.stat();
    if (!stat.isFile() || stat.size > MAX_SESSION_BYTES) return undefined;
    const { version } = JSON.parse(await handle.readFile('utf8')) as { readonly version?: unknown };
    return typeof version === 'number' ? version : undefined;
  } finally {
    await handle.close();
  }
}

function refused(message: string, hint?: string): T4aError {
  return new T4aError('recording_invalid', message, { field: 'path', ...(hint === undefined ? {} : { hint }) });
}
