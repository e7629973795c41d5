/** What is found in the past of a terminal, and what it gives for files: `seek`, `export`. Loaded with the first of them. */
import type { Core } from '../core.js';
import type { Feature } from '../feature.js';
import { seek } from './seek.js';
import type { Handler } from '../../rpc/service.js';
import { pastCast } from './past-cast.js';
import { MadeBytes } from '../../rpc/made-bytes.js';
import { OneAtATime } from '../../rpc/one-at-a-time.js';

export const pastSearchFeature = (core: Core): Feature<'seek' | 'export'> => ({
  handlers: { seek: seek(core), export: exportPast(core) },
});

export const exportPast = (core: Core): Handler<'export'> => {
  const exports = new OneAtATime();
  return async ({ id, from, to, format, title }, call) => {
    const terminal = core.terminals.use(id, call);
    const version = format === 'asciicast-v2' ? 2 : 3;
    const made = new MadeBytes(call);
    const exported = await exports.run(call, () =>
      pastCast(terminal, { from, to, version, title, redactor: core.redactor(terminal), made }, call.signal),
    );
    const { chunks, cols, rows, durationMs, first, last, masked } = exported;
    const reply = { format, cols, rows, duration_ms: Math.round(durationMs), first, last, masked };
    return { reply, bytes: chunks };
  };
};
