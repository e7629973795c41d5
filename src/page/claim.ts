/** Takes the keyboard of a terminal for this page alone. */
import type { ParamsInput, Reply } from '../protocol/registry.js';
import { type DaemonLink, RequestError } from './daemon-link.js';
import type { Control } from './watching.js';

export interface Claimed {
  readonly link: DaemonLink;
  readonly id: string;
  readonly force: boolean;
  /** The hold of another page, or of attach, under the name of this person. */
  readonly elsewhere: Control | undefined;
}

export async function claim({ link, id, force, elsewhere }: Claimed): Promise<Reply<'control'>> {
  const isExclusive = elsewhere?.exclusive === true;
  // To take from the own name would renew the hold of the other page, and both would type.
  if (elsewhere !== undefined && !isExclusive) await link.ask('control', { id, action: 'release' });
  const fields = { id, action: 'take', person: true, connected: true, force: force || isExclusive } as const;
  return askExclusively(link, fields);
}

/** Older daemons give it to all of a name. */
async function askExclusively(link: DaemonLink, fields: ParamsInput<'control'>): Promise<Reply<'control'>> {
  try {
    return await link.ask('control', { ...fields, exclusive: true });
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== 'unknown_field') throw error;
    return link.ask('control', fields);
  }
}
