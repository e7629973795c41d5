/**
 * The commands of a shell beside the rows of its terminal: how each ended and how long it took, what it printed as text and
 * as a picture, and the way from one to the next. Loaded with the first terminal whose shell marks its commands.
 */
import { h, type ComponentChild } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { MOST_LINES, outputOf, pictureOf } from './block-picture.js';
import { BlockLog } from './block-log.js';
import { type Block, kindOf, nameOf, outcomeOf, shortTime } from './block-words.js';
import { copied, saved } from './clipboard.js';
import { RequestError } from './daemon-link.js';
import type { Desk } from './desk.js';
import { icon, iconButton } from './icons.js';
import type { Seat } from './seat.js';

export function Blocks({ desk }: { readonly desk: Desk }): ComponentChild {
  const { seat, model } = desk;
  return seat === undefined ? null : h(BlocksOf, { desk, seat, key: `${seat.number} ${model.chosenDaemon?.isOpen}` });
}

function BlocksOf({ desk, seat }: { readonly desk: Desk; readonly seat: Seat }): ComponentChild {
  const { model } = desk;
  const link = model.daemon(seat.place.daemon)?.link;
  const host = useRef<HTMLElement>(null);
  const log = useRef<BlockLog>(undefined);
  if (link !== undefined) log.current ??= new BlockLog(link, seat.place.id);
  const [, setDrawn] = useState(0);
  const [chosen, choose] = useState<number>();
  const [isOpen, setOpen] = useState(false);
  const present = useRef<number | undefined>(undefined);
  present.current = chosen;
  useEffect(() => {
    let frame = 0;
    const redraw = (): void => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        setDrawn((n) => n + 1);
      });
    };
    seat.screen.moved.add(redraw);
    redraw();
    return () => {
      cancelAnimationFrame(frame);
      seat.screen.moved.delete(redraw);
      log.current?.leave();
    };
  }, []);
  const generation = model.chosenTerminal?.generation;
  const cols = seat.standing?.cols ?? 0;
  useEffect(() => {
    if (cols === 0) return;
    log.current
      ?.refresh(cols, () => setDrawn((n) => n + 1))
      .catch((error: unknown) => {
        // Lost, gone, or an older daemon: what is known stays.
        if (!(error instanceof RequestError)) throw error;
      });
  }, [model.commandsSeen, generation, cols, seat.isAlternate]);
  const blocks = seat.isAlternate ? [] : (log.current?.blocks ?? []).filter(({ end }) => end > seat.screen.oldest);
  const block = blocks.find(({ n }) => n === chosen);
  const go = (next: Block | undefined): void => {
    choose(next?.n);
    setOpen(false);
    if (next === undefined) return seat.screen.toEnd();
    seat.screen.sight.toTop(Math.max(seat.screen.oldest, next.head));
    model.say(`${nameOf(next)}, ${outcomeOf(next)}`);
  };
  const wanted = (): Block | undefined => block ?? blocks.findLast(({ running }) => !running) ?? blocks.at(-1);
  const withWanted = (act: (one: Block) => Promise<void>) => (): void => {
    const one = wanted();
    if (one === undefined) model.notice('No lines of a command are left here.');
    else model.attempt(() => act(one));
  };
  const copyOutput = async (one: Block): Promise<void> => {
    if (link === undefined) return;
    const output = outputOf({ link, id: seat.place.id }, one.n);
    const isCopied = await copied({
      'text/plain': output.then(({ text }) => new Blob([text], { type: 'text/plain' })),
    });
    const { omitted } = await output;
    const without = omitted === 0 ? '' : `, without ${omitted} lines in its middle`;
    model.notice(
      isCopied ? `Copied the output of ${nameOf(one)}${without}` : 'The browser does not let this page copy by itself.',
    );
  };
  const copyPicture = async (one: Block): Promise<void> => {
    if (link === undefined) return;
    const picture = pictureOf({ link, id: seat.place.id }, one, model.preferences.theme);
    const isCopied = await copied({ 'image/png': picture.then(({ png }) => png) });
    const { png, isCut } = await picture;
    const whole = isCut ? `, the last ${MOST_LINES} lines of it` : '';
    if (isCopied) return model.notice(`Copied a picture of ${nameOf(one)}${whole}`);
    saved(png, `${seat.place.id}-${one.n}.png`);
    model.notice(`Saved a picture of ${nameOf(one)}${whole}`);
  };
  useEffect(() => {
    desk.blocks = {
      count: blocks.length,
      step: (steps) => {
        const next = stepFrom(blocks, block, steps, seat);
        if (next === 'none') return false;
        go(next);
        return true;
      },
      copyOutput: withWanted(copyOutput),
      copyPicture: withWanted(copyPicture),
    };
  });
  useEffect(() => {
    // The band over the chosen one would lie over what is typed next.
    seat.onTyped = () => {
      choose(undefined);
      setOpen(false);
    };
    return () => {
      desk.blocks = undefined;
      seat.onTyped = () => {};
    };
  }, []);
  const { first: from, last: to } = seat.screen.sight.view;
  const shown = blocks.filter(({ head, end }) => end > from && head < to);
  const { height } = seat.screen.cell;
  const top = topOf(seat, host.current);
  const yOf = (line: number): number => top + (Math.max(line, from - 1) - seat.screen.oldest) * height;
  const bottomOf = ({ end }: Block): number => yOf(Math.min(end, seat.screen.last + 1, to + 1));
  const labels = withRoom(shown, yOf);
  const close = (): void => {
    setOpen(false);
    desk.focus();
  };
  return h(
    'nav',
    {
      class: 'blocks',
      'aria-label': 'Commands of the shell',
      ref: host,
      onWheel: (event: WheelEvent) => scroll(event, seat),
    },
    block === undefined
      ? null
      : h('div', {
          class: 'block-rows',
          'aria-hidden': 'true',
          style: { top: `${yOf(block.head)}px`, height: `${Math.max(0, bottomOf(block) - yOf(block.head))}px` },
        }),
    shown.map((one) =>
      h('div', {
        key: `bar ${one.n}`,
        class: `block-bar is-${kindOf(one)}`,
        'aria-hidden': 'true',
        style: { top: `${yOf(one.head) + 1}px`, height: `${Math.max(2, bottomOf(one) - yOf(one.head) - 3)}px` },
      }),
    ),
    labels.map(({ block: one, y }) =>
      h(
        'button',
        {
          key: one.n,
          type: 'button',
          class: `block-label is-${kindOf(one)}`,
          style: { top: `${y}px`, height: `${Math.max(LEAST_LABEL, height)}px` },
          title: `${nameOf(one)}: ${outcomeOf(one)}`,
          'aria-expanded': isOpen && one.n === chosen,
          'data-command': one.n,
          onClick: () => {
            const isSame = isOpen && one.n === chosen;
            choose(one.n);
            setOpen(!isSame);
          },
        },
        h('span', { class: 'hidden' }, `${nameOf(one)}: ${outcomeOf(one)}`),
        h('span', { class: 'block-mark', 'aria-hidden': 'true' }, markOf(one)),
        h('span', { class: 'block-time', 'aria-hidden': 'true' }, timeOf(one)),
      ),
    ),
    block === undefined || !isOpen
      ? null
      : h(Card, {
          block,
          y: placeOfCard(yOf(block.head), height, host.current?.clientHeight ?? 0),
          close,
          step: (steps) => desk.blocks?.step(steps),
          copyOutput: () => model.attempt(() => copyOutput(block)),
          copyPicture: () => model.attempt(() => copyPicture(block)),
        }),
  );
}

/** Labels stand beside what scrolls. */
function scroll({ deltaY, deltaMode }: WheelEvent, { screen }: Seat): void {
  const unit = deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : screen.cell.height;
  screen.scroller.scrollTop += deltaY * unit;
}

/** CSS pixels: a target for a finger or a mouse. */
const LEAST_LABEL = 20;

/** Where line `oldest` would stand in the element. */
function topOf({ screen: { scroller } }: Seat, host: HTMLElement | null): number {
  if (host === null) return 0;
  return scroller.getBoundingClientRect().top - host.getBoundingClientRect().top - scroller.scrollTop;
}

/** Those that do not cover another: failed ones come first. */
function withRoom(shown: readonly Block[], yOf: (line: number) => number): { block: Block; y: number }[] {
  const placed: { block: Block; y: number }[] = [];
  for (const block of [...shown.filter(isFailed), ...shown.filter((one) => !isFailed(one))]) {
    // Of a block whose prompt is above, at the top.
    const y = Math.max(2, yOf(block.head));
    if (placed.every((other) => Math.abs(other.y - y) >= LEAST_LABEL)) placed.push({ block, y });
  }
  return placed.toSorted((a, b) => a.y - b.y);
}

function isFailed(block: Block): boolean {
  return kindOf(block) === 'failed';
}

function markOf(block: Block): string {
  const marks = { runs: '●', ok: '✓', failed: '✕', unknown: '?' } as const;
  return marks[kindOf(block)];
}

function timeOf(block: Block): string {
  const kind = kindOf(block);
  const time = block.durationMs === null ? '' : shortTime(block.durationMs);
  return kind === 'failed' ? `${block.code} ${time}`.trim() : time;
}

/** Undefined: the end of the text. `none`: there is no further one in that direction. */
function stepFrom(
  blocks: readonly Block[],
  chosen: Block | undefined,
  steps: number,
  { screen }: Seat,
): Block | undefined | 'none' {
  if (blocks.length === 0) return 'none';
  const { first, last } = screen.sight.view;
  const isSeen = chosen !== undefined && chosen.end > first && chosen.head < last;
  if (isSeen) {
    const next = blocks[blocks.indexOf(chosen) + steps];
    return next ?? (steps > 0 ? undefined : chosen);
  }
  if (steps > 0) return blocks.find(({ head }) => head > first);
  return blocks.findLast(({ head }) => (screen.isAtEnd ? head < last : head < first)) ?? blocks[0];
}

/** CSS pixels. */
const CARD_HEIGHT = 132;

/** Below the row of the prompt, or above it. */
function placeOfCard(y: number, rowHeight: number, room: number): number {
  const below = y + Math.max(LEAST_LABEL, rowHeight) + 4;
  return Math.max(4, below + CARD_HEIGHT <= room ? below : Math.min(y, room) - CARD_HEIGHT - 4);
}

interface CardProps {
  readonly block: Block;
  /** CSS pixels, from the top. */
  readonly y: number;
  readonly close: () => void;
  readonly step: (steps: number) => void;
  readonly copyOutput: () => void;
  readonly copyPicture: () => void;
}

function Card({ block, y, close, step, copyOutput, copyPicture }: CardProps): ComponentChild {
  const card = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => card.current?.querySelector<HTMLElement>('.button')?.focus(), [block.n]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    close();
  };
  return h(
    'div',
    {
      ref: card,
      class: 'block-card',
      role: 'dialog',
      'aria-label': nameOf(block),
      style: { top: `${y}px` },
      onKeyDown,
    },
    h(
      'div',
      { class: 'block-head' },
      h('code', null, nameOf(block)),
      iconButton('up', 'The command before', () => step(-1)),
      iconButton('down', 'The command after', () => step(1)),
      iconButton('close', 'Close', close),
    ),
    h('p', { class: `block-outcome is-${kindOf(block)}` }, outcomeOf(block)),
    h(
      'div',
      { class: 'answers' },
      h('button', { type: 'button', class: 'button', onClick: copyOutput }, icon('copy'), 'Copy output'),
      h('button', { type: 'button', class: 'button', onClick: copyPicture }, icon('picture'), 'Copy as picture'),
    ),
  );
}
