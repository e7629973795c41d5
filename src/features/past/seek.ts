import { T4aError } from '../../protocol/errors.js';
import type { Params, Reply } from '../../protocol/registry.js';
import type { Handler } from '../../rpc/service.js';
import type { Snapshot } from '../../vt/snapshot.js';
import type { Core } from '../core.js';
import { placeOf } from './log-of.js';
import { momentOf, oldestOf, pastStates } from './past-states.js';
import { compileSearch, type Pattern } from '../../search/pattern.js';
import { type ScreenMatch, searchViewport } from '../../search/viewport-search.js';
import type { Terminal } from '../../terminal/terminal.js';

export const seek =
  (core: Core): Handler<'seek'> =>
  async (params, call) => {
    const { pattern, isGone } = sought(params);
    const terminal = core.terminals.use(params.id, call);
    await terminal.settle();
    const search = (snapshot: Snapshot): Promise<ScreenMatch[]> =>
      core.work.finish(searchViewport(snapshot, pattern), call.signal);
    return found(terminal, params, { search, isGone }, call.signal);
  };

/** @throws T4aError invalid_field, bad_regex */
function sought({ text, regex, gone, ignore_case: ignoreCase }: Params<'seek'>): {
  pattern: Pattern;
  isGone: boolean;
} {
  if (gone !== undefined && (text ?? regex) !== undefined) {
    throw new T4aError('invalid_field', '"gone" of "seek" goes with neither "text" nor "regex".', { field: 'gone' });
  }
  const given = gone === undefined ? { text, regex } : { text: gone, regex: undefined };
  return { pattern: compileSearch({ text: 'text', regex: 'regex' }, given, ignoreCase), isGone: gone !== undefined };
}

interface Sought {
  readonly search: (snapshot: Snapshot) => Promise<ScreenMatch[]>;
  readonly isGone: boolean;
}

async function found(
  terminal: Terminal,
  { from, to, last }: Params<'seek'>,
  { search, isGone }: Sought,
  signal: AbortSignal,
): Promise<Reply<'seek'>> {
  const range = {
    from: from === undefined ? oldestOf(terminal) : placeOf(terminal, from, 'from'),
    to: placeOf(terminal, to, 'to'),
  };
  let hit: Reply<'seek'> | undefined;
  let before: Snapshot | undefined;
  let wasThere = false;
  let isFirst = true;
  for await (const { place, snapshot, isHeld } of pastStates(terminal, range, signal)) {
    if (isHeld || snapshot === before) continue;
    before = snapshot;
    const [match] = await search(snapshot);
    const isThere = match !== undefined;
    const counts = isGone ? wasThere && !isThere : isThere && (isFirst || !wasThere);
    wasThere = isThere;
    isFirst = false;
    if (!counts) continue;
    hit = { outcome: 'found', total: 1, at: momentOf(terminal, place), ...(match && { match: placed(match) }) };
    if (!last) break;
  }
  return hit ?? { outcome: 'none', total: 0 };
}

function placed({ text, spans: [span] }: ScreenMatch): NonNullable<Reply<'seek'>['match']> {
  return { row: span?.row ?? 0, col: span?.col ?? 0, text };
}
