import type { Params, Reply } from '../../protocol/registry.js';
import type { Handler } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';
import { LineReader } from '../line-reader.js';
import { compilePattern, type Pattern } from '../pattern.js';
import { regionRange } from '../region.js';
import type { Terminal } from '../terminal.js';

export const grep =
  (daemon: Daemon): Handler<'grep'> =>
  async (params, call) => {
    const { pattern: source, fixed, ignore_case: ignoreCase } = params;
    const pattern = compilePattern({ text: source, fixed, ignoreCase, field: 'pattern' });
    const terminal = daemon.terminals.use(params.id);
    await terminal.settle();
    return search(terminal, pattern, params, call.signal);
  };

type Match = Reply<'grep'>['matches'][number];
type GrepLine = Match['before'][number];

/** Of one line; more are neither printed nor needed. */
const MAX_SPANS = 100;

async function search(
  terminal: Terminal,
  pattern: Pattern,
  params: Params<'grep'>,
  signal: AbortSignal,
): Promise<Reply<'grep'>> {
  const { screen } = terminal;
  const { before = params.context, after = params.context } = params;
  const { rev } = screen;
  const reader = new LineReader(screen, regionRange(screen, params.region));
  let matches: Match[] = [];
  let total = 0;
  const recent: GrepLine[] = [];
  let open: { readonly match: Match; missing: number } | undefined;
  await reader.each(signal, (text, number) => {
    const line = { line: 0, number, text };
    if (pattern.test(text)) {
      total++;
      if (params.last || matches.length < params.max) {
        const match = { ...line, spans: pattern.matches(text, MAX_SPANS), before: recent.splice(0), after: [] };
        matches.push(match);
        open = { match, missing: after };
        // Cut now and then, not for each of a million matches.
        if (matches.length >= params.max * 2) matches = matches.slice(-params.max);
        return;
      }
    }
    if (open !== undefined && open.missing > 0) {
      open.match.after.push(line);
      open.missing--;
    } else if (before > 0) {
      recent.push(line);
      if (recent.length > before) recent.shift();
    }
  });
  // Counted from what is the oldest line now: the scrollback may have been cut since the search began.
  const first = screen.firstShownNumber;
  const indexed = (line: GrepLine): GrepLine => ({ ...line, line: line.number - first });
  return {
    matches: (params.last ? matches.slice(-params.max) : matches).map((match) => ({
      ...match,
      ...indexed(match),
      before: match.before.map(indexed),
      after: match.after.map(indexed),
    })),
    total,
    lines: reader.rowsRead,
    first_line: first,
    rev,
  };
}
