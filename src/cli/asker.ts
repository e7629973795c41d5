/** Person or program for whom the command line asks. */
import type { Asker } from '../client/envelope.js';
import { T4aError } from '../protocol/errors.js';
import type { Fields } from './argv/invocation.js';
import type { Host } from './host.js';

/** An empty variable is as if it were absent. */
export function askerOf(options: Fields, host: Host): Asker {
  const { env } = host;
  return {
    scope: env['T4A_SCOPE'] || host.scope(),
    as: (options['as'] as string | undefined) ?? (env['T4A_AS'] || undefined),
  };
}

/** `list --mine`: the terminals that the caller's own name has made. @throws T4aError usage */
export function meantByMine(params: Fields, options: Fields, host: Host): Fields {
  if (options['mine'] !== true) return params;
  const { as } = askerOf(options, host);
  if (as === undefined) {
    throw new T4aError('usage', '"--mine" needs a name, and this call has none.', {
      hint: 'Give the name under which the terminals were made: --as NAME, or T4A_AS.',
    });
  }
  if (params['owner'] !== undefined && params['owner'] !== as)
    throw new T4aError('usage', '"--mine" and "--owner" name different authors.', {
      hint: 'Leave one of the two out.',
    });
  return { ...params, owner: as };
}
