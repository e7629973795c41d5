/** RE2JS, loaded by the first pattern: evaluating its tables is a sixth of what the daemon does before it listens. */
import { createRequire } from 'node:module';
import type * as Re2 from 're2js';

const UNBUNDLED = 're2js';

export function re2(): (typeof Re2)['RE2JS'] {
  // The bundler replaces the plain call; sources that run directly have no `require` of their own.
  const loaded: unknown = typeof require === 'function' ? require('re2js') : createRequire(import.meta.url)(UNBUNDLED);
  return (loaded as typeof Re2).RE2JS;
}
