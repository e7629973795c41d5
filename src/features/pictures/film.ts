import { Parts } from '../../base/parts.js';
import type { Params, Reply } from '../../protocol/registry.js';
import { defaultPicture, type PictureParams } from '../../protocol/picture.js';
import type { Call, Handler, HandlerResult } from '../../rpc/service.js';
import type { Snapshot } from '../../vt/snapshot.js';
import type { LookingCore } from './looking-core.js';
import { type Film, type FilmFrame, film as makeFilm } from '../past/film.js';
import { MadeBytes } from '../../rpc/made-bytes.js';
import { OneAtATime } from '../../rpc/one-at-a-time.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { PictureReply } from './pictures.js';
import { tiled } from './sheet.js';

type Frame = Reply<'film'>['frames'][number];

export const film = (core: LookingCore): Handler<'film'> => {
  const films = new OneAtATime();
  return (params, call) => {
    const terminal = core.terminals.use(params.id, call);
    return films.run(call, () => filmOf(core, terminal, params, call));
  };
};

async function filmOf(
  core: LookingCore,
  terminal: Terminal,
  params: Params<'film'>,
  call: Call,
): Promise<HandlerResult<'film'>> {
  const { from, to, max_frames: maxFrames } = params;
  const made = (count: number): Promise<Film> => makeFilm(terminal, { from, to, maxFrames: count }, call.signal);
  const film_ = await made(maxFrames);
  if (params.format === 'text') return textOf(film_, made, params);
  return params.sheet ? sheetOf(core, film_, made, params, call) : picturesOf(core, film_, made, params, call);
}

type Make = (count: number) => Promise<Film>;

/** With a budget as many frames as it has room for; of a single one that is too long the lower rows. */
async function textOf(
  film_: Film,
  made: Make,
  { max_tokens: maxTokens }: Params<'film'>,
): Promise<HandlerResult<'film'>> {
  const budget = maxTokens === undefined ? Infinity : maxTokens * BYTES_OF_TOKEN;
  let shown = film_;
  while (shown.frames.length > 1 && lengthOf(shown.frames.flatMap(({ texts }) => texts)) > budget) {
    shown = await made(shown.frames.length - 1);
  }
  const frames = shown.frames.map((frame) => ({ ...factsOf(frame), lines: lowerLines(frame.texts, budget) }));
  return { reply: { frames, left_out: shown.leftOut, format: 'text' }, bytes: [] };
}

/** Of text, on average. */
const BYTES_OF_TOKEN = 4;

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((length, line) => length + Buffer.byteLength(line) + 1, 0);
}

function lowerLines(lines: readonly string[], budget: number): string[] {
  let first = 0;
  while (first < lines.length && lengthOf(lines.slice(first)) > budget) first++;
  return lines.slice(first);
}

/** With a budget each has its share of it, and there are as many as are whole then. */
async function picturesOf(
  core: LookingCore,
  film_: Film,
  made: Make,
  params: Params<'film'>,
  call: Call,
): Promise<HandlerResult<'film'>> {
  const kept = new MadeBytes(call);
  for (let shown = film_; ; shown = await made(shown.frames.length - 1)) {
    const { frames, leftOut } = shown;
    const share = params.max_tokens === undefined ? undefined : Math.floor(params.max_tokens / frames.length);
    const pictures: Frame[] = [];
    const bytes: Uint8Array[] = [];
    let offset = 0;
    for (const frame of frames) {
      const picture = await drawn(core, frame.snapshot, { ...params, max_tokens: share }, call);
      const { width, height, fitted } = picture.facts;
      if (fitted === 'part' && frames.length > 1) break;
      const len = picture.bytes.reduce((sum, chunk) => sum + chunk.length, 0);
      pictures.push({ ...factsOf(frame), width, height, offset, len });
      bytes.push(...picture.bytes);
      kept.add(len);
      offset += len;
    }
    if (pictures.length < frames.length) {
      kept.add(-offset);
      continue;
    }
    return { reply: { frames: pictures, left_out: leftOut, format: 'png' }, bytes };
  }
}

/** With a budget as many frames as it has room for. */
async function sheetOf(
  core: LookingCore,
  film_: Film,
  made: Make,
  params: Params<'film'>,
  call: Call,
): Promise<HandlerResult<'film'>> {
  for (let shown = film_; ; shown = await made(shown.frames.length - 1)) {
    const tiles = shown.frames.map((frame) => ({ snapshot: frame.snapshot, caption: captionOf(frame) }));
    const { facts, bytes } = await drawn(core, tiled(tiles, tiles.length > 1 ? 2 : 1), params, call);
    if (facts.fitted === 'part' && shown.frames.length > 1) continue;
    const { width, height, tokens } = facts;
    const frames = shown.frames.map(factsOf);
    return { reply: { frames, left_out: shown.leftOut, format: 'png', width, height, tokens }, bytes };
  }
}

function drawn(core: LookingCore, snapshot: Snapshot, params: Params<'film'>, call: Call): Promise<PictureReply> {
  const { max_tokens: maxTokens, model, profile, theme } = params;
  const options: PictureParams = { ...defaultPicture(), max_tokens: maxTokens, model, profile, theme };
  const captured = {
    terminal: new Parts(),
    snapshot,
    above: 0,
    region: undefined,
    marks: [],
    unchangedRows: undefined,
  };
  return core.looks.draw(captured, options, call);
}

function factsOf({ at, reason, texts }: FilmFrame): Frame {
  return { at, reason, changed_rows: texts.length };
}

/** `-12.3 s, rest, rev 45`. */
function captionOf({ at, reason }: FilmFrame): string {
  return `-${(at.ago_ms / 1000).toFixed(1)} s, ${reason}, rev ${at.rev}`;
}
