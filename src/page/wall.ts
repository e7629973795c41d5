/** All terminals at a glance, those that need somebody first. Loaded when it is meant. */
import { h, type ComponentChild } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { button, programSpan, questionBadge, subtitle } from './controls.js';
import type { Desk } from './desk.js';
import type { TerminalState } from './listed.js';
import type { DaemonState } from './daemon-state.js';
import type { Place } from './model.js';
import type { ThemeName } from './palette.js';
import { programBeside, rankOf, stateOf, subtitleOf, type StateChip, type Subtitle } from './state.js';
import type { SteadyOrder } from './steady-order.js';
import { Thumbnail } from './thumbnail.js';
import { WallFrames, type Tile } from './wall-frames.js';

interface Shown {
  readonly key: string;
  readonly daemon: DaemonState;
  readonly terminal: TerminalState;
  readonly state: StateChip;
  readonly asks: number;
  readonly below: Subtitle;
  readonly rank: number;
}

export function Wall({ desk }: { readonly desk: Desk }): ComponentChild {
  const { model } = desk;
  const frames = useRef<WallFrames>(undefined);
  frames.current ??= new WallFrames();
  useEffect(() => () => frames.current?.leave(), []);
  const host = useRef<HTMLElement>(null);
  useEffect(() => host.current?.querySelector<HTMLElement>('.tile')?.focus({ preventScroll: true }), []);
  // Under a mouse none is folded or unfolded.
  const folded = useRef<ReadonlySet<string>>(new Set());
  const order = useRef<SteadyOrder>(undefined);
  order.current ??= model.steadyOrder();
  const steady = order.current;
  const all = model.shownDaemons.flatMap(shownOf).toSorted((a, b) => a.rank - b.rank);
  if (!steady.isHeld) folded.current = new Set(all.filter(isAtRest).map(({ key }) => key));
  const sorted = steady.sorted(all);
  const whole = sorted.filter(({ key }) => !folded.current.has(key));
  const strip = sorted.filter(({ key }) => folded.current.has(key));
  // Tiles leave room for the cards; none moves under a mouse.
  const isBesideCards = useRef(false);
  if (!steady.isHeld) isBesideCards.current = model.asks.length > 0;
  steady.drawn(
    [...whole, ...strip].map(({ key }) => key),
    JSON.stringify([isBesideCards.current, whole.length]),
  );
  const isOne = model.daemons.size === 1;
  const tile = (one: Shown): ComponentChild =>
    h(TileOf, {
      key: one.key,
      one,
      isOne,
      isFolded: folded.current.has(one.key),
      isMoved: steady.isMoved(one.key),
      theme: model.preferences.theme,
      frames: frames.current as WallFrames,
      open,
    });
  const open = ({ key, daemon, terminal }: Shown, event: MouseEvent): void => {
    if (steady.takes(event, key)) desk.choose({ daemon: daemon.name, id: terminal.id });
  };
  return h(
    'section',
    {
      class: `wall${isBesideCards.current ? ' is-beside-cards' : ''}`,
      'aria-label': 'All terminals',
      ref: host,
      onKeyDown: walk,
      ...steady.handlers,
    },
    sorted.length === 0 ? h('p', { class: 'quiet' }, 'No terminal yet.') : null,
    whole.length === 0 ? null : h('ul', { class: 'tiles' }, whole.map(tile)),
    strip.length === 0 ? null : h('h2', { class: 'strip-title' }, 'Idle and ended'),
    strip.length === 0 ? null : h('ul', { class: 'tiles is-strip' }, strip.map(tile)),
  );
}

/** Whether a terminal has ended, or waits for its next task for certain: a guess comes and goes with each output. */
function isAtRest({ terminal: { alive, doing }, asks, state }: Shown): boolean {
  return asks === 0 && (!alive || (state.kind === 'ready' && doing?.sure === true));
}

function shownOf(daemon: DaemonState): Shown[] {
  return daemon.terminals.map((terminal) => {
    const state = stateOf(daemon, terminal);
    const questions = daemon.asks.filter(({ id }) => id === terminal.id);
    const asks = questions.length;
    const below = subtitleOf(terminal, state, questions);
    const key = JSON.stringify([daemon.name, terminal.id, terminal.created_at]);
    return { key, daemon, terminal, state, asks, below, rank: rankOf(state, terminal, asks) };
  });
}

/** Of a picture, CSS pixels: page.css. */
const PADDING = 5;

interface TileProps {
  readonly one: Shown;
  /** There is one daemon, whose name says nothing. */
  readonly isOne: boolean;
  readonly isMoved: boolean;
  /** Shown by name, without a picture. */
  readonly isFolded: boolean;
  readonly theme: ThemeName;
  readonly frames: WallFrames;
  readonly open: (one: Shown, event: MouseEvent) => void;
}

function TileOf({ one, isOne, isFolded, isMoved, theme, frames, open }: TileProps): ComponentChild {
  const canvas = useRef<HTMLCanvasElement>(null);
  const redraw = useRef<() => void>(undefined);
  const { daemon, terminal, state, asks, below } = one;
  const { id } = terminal;
  const colors = useRef(theme);
  colors.current = theme;
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const thumbnail = new Thumbnail(element);
    let isInView = false;
    const tile: Tile = {
      daemon,
      id,
      isInView: () => isInView,
      draw: (mirror) =>
        isInView &&
        thumbnail.draw(mirror, colors.current, {
          width: Math.round((element.clientWidth - 2 * PADDING) * devicePixelRatio),
          height: Math.round((element.clientHeight - 2 * PADDING) * devicePixelRatio),
          ratio: devicePixelRatio,
        }),
    };
    redraw.current = () => frames.redraw(tile);
    const seen = new IntersectionObserver((entries) => {
      isInView = entries.at(-1)?.isIntersecting === true;
      if (isInView) frames.redraw(tile);
      else thumbnail.drop();
    });
    const resizes = new ResizeObserver(() => frames.redraw(tile));
    // A font is loaded with the first of its signs, which were drawn without it.
    const fontCame = (): void => {
      thumbnail.drop();
      frames.redraw(tile);
    };
    seen.observe(element);
    resizes.observe(element);
    document.fonts.addEventListener('loadingdone', fontCame);
    frames.add(tile);
    return () => {
      frames.delete(tile);
      seen.disconnect();
      resizes.disconnect();
      document.fonts.removeEventListener('loadingdone', fontCame);
    };
  }, [daemon, id, isFolded]);
  useEffect(() => redraw.current?.(), [theme]);
  const place: Place = { daemon: daemon.name, id };
  return h(
    'li',
    null,
    button(
      [
        h(
          'span',
          { class: 'tile-head' },
          h('span', { class: `dot is-${state.kind}`, 'aria-hidden': 'true' }),
          h('span', { class: 'item-name' }, isOne ? id : `${daemon.name} / ${id}`),
          questionBadge(asks),
          h('span', { class: `chip is-${state.kind}` }, state.word),
          programSpan(programBeside(terminal)),
        ),
        isFolded ? null : h('canvas', { ref: canvas, 'aria-hidden': 'true', width: 0, height: 0 }),
        isFolded ? null : subtitle(below),
      ],
      (event: MouseEvent) => open(one, event),
      {
        class: `tile is-${asks > 0 ? 'asks' : state.kind}${daemon.isOpen ? '' : ' is-lost'}${isMoved ? ' is-moved' : ''}`,
        'data-place': place.id,
      },
    ),
  );
}

/** Arrows walk over the tiles, up and down to the nearest one of the next row. */
function walk(event: KeyboardEvent): void {
  const tiles = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('.tile')];
  const at = tiles.indexOf(event.target as HTMLElement);
  const from = tiles[at];
  if (from === undefined) return;
  const steps: Readonly<Record<string, () => HTMLElement | undefined>> = {
    ArrowRight: () => tiles[at + 1],
    ArrowLeft: () => tiles[at - 1],
    ArrowDown: () => inNextRow(tiles.slice(at + 1), from),
    ArrowUp: () => inNextRow(tiles.slice(0, at).toReversed(), from),
    Home: () => tiles[0],
    End: () => tiles.at(-1),
  };
  const step = steps[event.key];
  if (step === undefined) return;
  event.preventDefault();
  step()?.focus();
}

/** @param tiles from the next one on */
function inNextRow(tiles: readonly HTMLElement[], { offsetTop, offsetLeft }: HTMLElement): HTMLElement | undefined {
  const top = tiles.find((tile) => tile.offsetTop !== offsetTop)?.offsetTop;
  const distance = (tile: HTMLElement): number => Math.abs(tile.offsetLeft - offsetLeft);
  return tiles.filter((tile) => tile.offsetTop === top).toSorted((a, b) => distance(a) - distance(b))[0];
}
