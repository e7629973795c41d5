/** The file by which a NATS server knows this user: the seed of an nkey, or credentials (a JWT and a seed). */
import { lstatSync } from 'node:fs';
import { type Authenticator, credsAuthenticator, nkeyAuthenticator, nkeys } from '@nats-io/transport-node';
import { errnoOf } from '../base/errno.js';
import { claimDraft, replaceBy } from '../base/private-file.js';
import { openSettingsFile } from '../base/settings-file.js';
import { T4aError } from '../protocol/errors.js';

export interface Credentials {
  readonly authenticator: Authenticator;
  /** Public key of the user, which names its inbox. */
  readonly user: string;
}

const OTHERS = 0o077;
const MAX_BYTES = 64 * 1024;
const SEED = /\bSU[A-Z2-7]{56}\b/;

/** @throws T4aError `usage` */
export function readCredentials(path: string): Credentials {
  const text = readOwn(path);
  const [seed] = SEED.exec(text) ?? [];
  if (seed === undefined) throw refused(path, 'holds no seed of an nkey of a user ("SU…")');
  const bytes = new TextEncoder().encode(seed);
  const user = publicKeyOf(bytes, path);
  const isJwt = text.includes('NATS USER JWT');
  const authenticator = isJwt ? credsAuthenticator(new TextEncoder().encode(text)) : nkeyAuthenticator(bytes);
  return { authenticator, user };
}

/** A new nkey of a user: its seed into a file that was not there. @returns its public key @throws T4aError `usage` */
export function makeKey(path: string): string {
  const pair = nkeys.createUser();
  try {
    const draft = claimDraft(`${path}.new`);
    if (draft === undefined) throw refused(path, `cannot be made: ${JSON.stringify(`${path}.new`)} is there`);
    replaceBy(draft, path, () => {
      if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) throw refused(path, 'cannot be made (EEXIST)');
      return `${new TextDecoder().decode(pair.getSeed())}\n`;
    });
  } catch (error) {
    if (error instanceof T4aError) throw error;
    throw refused(path, `cannot be made (${errnoOf(error) ?? (error as Error).message})`);
  }
  return pair.getPublicKey();
}

function publicKeyOf(seed: Uint8Array, path: string): string {
  try {
    return nkeys.fromSeed(seed).getPublicKey();
  } catch {
    throw refused(path, 'holds a seed with a typing error');
  }
}

function readOwn(path: string): string {
  let mode: number;
  let text: string;
  try {
    ({
      text,
      stat: { mode },
    } = openSettingsFile(path, MAX_BYTES));
  } catch (error) {
    throw refused(path, `cannot be read (${errnoOf(error) ?? (error as Error).message})`);
  }
  if ((mode & OTHERS) !== 0)
    throw refused(path, 'can be read or written by others', `chmod 600 ${JSON.stringify(path)}`);
  return text;
}

function refused(path: string, why: string, hint?: string): T4aError {
  return new T4aError(
    'usage',
    `The file of credentials ${JSON.stringify(path)} ${why}.`,
    hint === undefined ? {} : { hint },
  );
}
