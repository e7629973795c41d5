/** For whom the command line asks. */
import type { Asker } from '../client/envelope.js';
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
