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
  const host = useRef<HTMLUListElement>(null);
  useEffect(() => host.current?.querySelector<HTMLElement>('.tile')?.focus({ preventScroll: true }), []);
  const order = useRef<SteadyOrder>(undefined);
  order.current ??= model.steadyOrder();
  const steady = order.current;
  const shown = steady.sorted(model.shownDaemons.flatMap(shownOf).toSorted((a, b) => a.rank - b.rank));
  // Tiles leave room for the cards; none moves under a mouse.
  const isBesideCards = useRef(false);
  if (!steady.isHeld) isBesideCards.current = model.asks.length > 0;
  steady.drawn(
    shown.map(({ key }) => key),
    String(isBesideCards.current),
  );
  const isOne = model.daemons.size === 1;
  const open = ({ key, daemon, terminal }: Shown, event: MouseEvent): void => {
    if (steady.takes(event, key)) desk.choose({ daemon: daemon.name, id: terminal.id });
  };
  return h(
    'section',
    {
      class: `wall${isBesideCards.current ? ' is-beside-cards' : ''}`,
      'aria-label': 'All terminals',
      ...steady.handlers,
    },
    shown.length === 0 ? h('p', { class: 'quiet' }, 'No terminal yet.') : null,
    h(
      'ul',
      { ref: host, class: 'tiles', onKeyDown: walk },
      shown.map((one) =>
        h(TileOf, {
          key: one.key,
          one,
          isOne,
          isMoved: steady.isMoved(one.key),
          theme: model.preferences.theme,
          frames: frames.current as WallFrames,
          open,
        }),
      ),
    ),
  );
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
  readonly theme: ThemeName;
  readonly frames: WallFrames;
  readonly open: (one: Shown, event: MouseEvent) => void;
}

function TileOf({ one, isOne, isMoved, theme, frames, open }: TileProps): ComponentChild {
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
        thumbnail.draw(mirror, colors.current, Math.round((element.clientWidth - 2 * PADDING) * devicePixelRatio)),
    };
    redraw.current = () => frames.redraw(tile);
    const seen = new IntersectionObserver((entries) => {
      isInView = entries.at(-1)?.isIntersecting === true;
      if (isInView) frames.redraw(tile);
      else thumbnail.drop();
    });
    const resizes = new ResizeObserver(() => frames.redraw(tile));
    seen.observe(element);
    resizes.observe(element);
    frames.add(tile);
    return () => {
      frames.delete(tile);
      seen.disconnect();
      resizes.disconnect();
    };
  }, [daemon, id]);
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
        h('canvas', { ref: canvas, 'aria-hidden': 'true', width: 0, height: 0 }),
        subtitle(below),
      ],
      (event: MouseEvent) => open(one, event),
      { class: `tile is-${asks > 0 ? 'asks' : state.kind}${isMoved ? ' is-moved' : ''}`, 'data-place': place.id },
    ),
  );
}

/** Arrows walk over the tiles. */
function walk(event: KeyboardEvent): void {
  const tiles = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('.tile')];
  const at = tiles.indexOf(event.target as HTMLElement);
  if (at === -1) return;
  const top = tiles[0]?.offsetTop;
  const columns = Math.max(
    1,
    tiles.findIndex(({ offsetTop }) => offsetTop !== top),
  );
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: columns,
    ArrowUp: -columns,
    Home: -at,
    End: tiles.length - 1 - at,
  };
  const step = steps[event.key];
  if (step === undefined) return;
  event.preventDefault();
  tiles[at + step]?.focus();
}
