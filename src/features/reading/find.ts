import type { Handler } from '../../rpc/service.js';
import type { LookingCore } from '../pictures/looking-core.js';
import { compileSearch } from '../../search/pattern.js';
import { readInTurn } from './read-turn.js';
import { rowsOver } from '../pictures/capture.js';
import type { ReadableTerminal } from '../../terminal/readable-terminal.js';
import { pictureSize } from '../pictures/size.js';
import { boxOf, searchViewport } from '../../search/viewport-search.js';

export const find =
  (core: LookingCore): Handler<'find'> =>
  async (params, call) => {
    const pattern = compileSearch(
      { text: 'text', regex: 'regex' },
      { text: params.text, regex: params.regex },
      params.ignore_case,
    );
    const terminal = core.terminals.use(params.id, call);
    const see = (seen: ReadableTerminal) => ({ terminal, snapshot: seen.snapshot(), over: rowsOver(seen.screen) });
    const { value, turn } = await readInTurn(core, terminal, params, see, call);
    const snapshot = await core.looks.shown(value, call);
    const size = pictureSize(params, snapshot, core.config.max_image_side);
    const matches = await core.work.finish(searchViewport(snapshot, pattern), call.signal);
    const { reply, bytes } = await turn();
    const found = {
      matches: matches.slice(0, params.max).map(({ text, spans }) => ({
        row: spans[0]?.row ?? 0,
        col: spans[0]?.col ?? 0,
        text,
        spans: spans.map((span) => ({ ...span, box: boxOf(span, size) })),
      })),
      total: matches.length,
      cell_width: size.cellWidth,
      cell_height: size.cellHeight,
      rev: snapshot.rev,
    };
    return { reply: { ...reply, ...found }, ...(bytes === undefined ? {} : { bytes }) };
  };
