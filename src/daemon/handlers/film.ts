import type { Params, Reply } from '../../protocol/registry.js';
import { defaultPicture, type PictureParams } from '../../protocol/picture.js';
import type { Call, Handler, HandlerResult } from '../../rpc/service.js';
import type { Snapshot } from '../../vt/snapshot.js';
import type { Daemon } from '../daemon.js';
import type { Film, FilmFrame } from '../history/film.js';
import type { PictureReply } from '../pictures/pictures.js';

type Frame = Reply<'film'>['frames'][number];

export const film =
  (daemon: Daemon): Handler<'film'> =>
  async (params, call) => {
    const terminal = daemon.terminals.use(params.id, call);
    const { film: makeFilm } = await import('../history/film.js');
    const { from, to, max_frames: maxFrames } = params;
    const made = (count: number): Promise<Film> => makeFilm(terminal, { from, to, maxFrames: count }, call.signal);
    const film_ = await made(maxFrames);
    if (params.format === 'text') {
      const frames = film_.frames.map((frame) => ({ ...factsOf(frame), lines: [...frame.texts] }));
      return { reply: { frames, left_out: film_.leftOut, format: 'text' }, bytes: [] };
    }
    return params.sheet ? sheetOf(daemon, film_, made, params, call) : picturesOf(daemon, film_, params, call);
  };

async function picturesOf(
  daemon: Daemon,
  { frames, leftOut }: Film,
  params: Params<'film'>,
  call: Call,
): Promise<HandlerResult<'film'>> {
  const pictures: Frame[] = [];
  const bytes: Uint8Array[] = [];
  let offset = 0;
  for (const frame of frames) {
    const picture = await drawn(daemon, frame.snapshot, params, call);
    const { width, height } = picture.facts;
    const len = picture.bytes.reduce((sum, chunk) => sum + chunk.length, 0);
    pictures.push({ ...factsOf(frame), width, height, offset, len });
    bytes.push(...picture.bytes);
    offset += len;
  }
  return { reply: { frames: pictures, left_out: leftOut, format: 'png' }, bytes };
}

/** With a budget as many frames as it has room for. */
async function sheetOf(
  daemon: Daemon,
  film_: Film,
  made: (count: number) => Promise<Film>,
  params: Params<'film'>,
  call: Call,
): Promise<HandlerResult<'film'>> {
  const { tiled } = await import('../pictures/sheet.js');
  for (let shown = film_; ; shown = await made(shown.frames.length - 1)) {
    const tiles = shown.frames.map((frame) => ({ snapshot: frame.snapshot, caption: captionOf(frame) }));
    const { facts, bytes } = await drawn(daemon, tiled(tiles, tiles.length > 1 ? 2 : 1), params, call);
    if (facts.fitted === 'part' && shown.frames.length > 1) continue;
    const { width, height, tokens } = facts;
    const frames = shown.frames.map(factsOf);
    return { reply: { frames, left_out: shown.leftOut, format: 'png', width, height, tokens }, bytes };
  }
}

function drawn(daemon: Daemon, snapshot: Snapshot, params: Params<'film'>, call: Call): Promise<PictureReply> {
  const { max_tokens: maxTokens, model, profile, theme } = params;
  const options: PictureParams = { ...defaultPicture(), max_tokens: maxTokens, model, profile, theme };
  const captured = { terminal: {}, snapshot, above: 0, region: undefined, marks: [], unchangedRows: undefined };
  return daemon.pictures.draw(captured, options, call);
}

function factsOf({ at, reason, texts }: FilmFrame): Frame {
  return { at, reason, changed_rows: texts.length };
}

/** `-12.3 s, rest, rev 45`. */
function captionOf({ at, reason }: FilmFrame): string {
  return `-${(at.ago_ms / 1000).toFixed(1)} s, ${reason}, rev ${at.rev}`;
}
