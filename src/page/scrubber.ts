/** The past of the terminal, below it: a slider over what its history keeps. Loaded when it is meant. */
import { h, type ComponentChild } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { button } from './controls.js';
import type { DaemonState } from './daemon-state.js';
import type { Desk } from './desk.js';
import { iconButton } from './icons.js';
import { PastMarks, type Mark } from './past-marks.js';
import { pastMore } from './past-more.js';
import { Player } from './player.js';
import type { Seat } from './seat.js';
import { Then, type Extent } from './then.js';
import { agoWords, clockWords, spanWords, stepOf } from './time-words.js';

export function Scrubber({ desk }: { readonly desk: Desk }): ComponentChild {
  const { seat } = desk;
  const daemon = desk.model.chosenDaemon;
  if (seat === undefined || daemon === undefined) return null;
  return h(Past, { key: seat.number, desk, seat, daemon });
}

interface PastProps {
  readonly desk: Desk;
  readonly seat: Seat;
  readonly daemon: DaemonState;
}

/** While the history grows. */
const TICK_MS = 1000;

function Past({ desk, seat, daemon }: PastProps): ComponentChild {
  const [, draw] = useState({});
  const slider = useRef<HTMLDivElement>(null);
  // As it began: what is chosen next may be another thing while this one ends.
  const [isRecording] = useState(desk.model.recording !== undefined);
  const held = useRef<Then>(undefined);
  held.current ??= new Then({
    frameAt: (at) => daemon.link.ask('watch', { id: seat.place.id, at }),
    isLive: () => seat.standing?.alive !== false,
    isRecording,
    show: (mirror) => seat.showThen(mirror),
    changed: () => {
      seat.isMomentChosen = held.current?.moment !== undefined;
      draw({});
    },
  });
  const then = held.current;
  const found = useRef<PastMarks>(undefined);
  found.current ??= new PastMarks({ link: daemon.link, id: seat.place.id, changed: () => draw({}) });
  const marks = found.current;
  const played = useRef<Player>(undefined);
  const player = (played.current ??= new Player(then));
  const toggle = (): void => {
    if (player.isPlaying) player.pause();
    else player.play();
    draw({});
  };
  useEffect(() => {
    const tick = setInterval(() => draw({}), TICK_MS);
    return () => {
      clearInterval(tick);
      player.pause();
      then.leave();
      marks.leave();
      if (isRecording) void daemon.link.served('web_close', { id: seat.place.id }).catch(() => {});
    };
  }, []);
  // Also once the connection is there again.
  useEffect(() => {
    if (!daemon.isOpen) return;
    void then.begin().then(() => isRecording && then.trouble === '' && toggle());
    void marks.begin();
  }, [daemon.isOpen]);
  const { extent, moment } = then;
  const isKnown = extent !== undefined;
  useEffect(() => {
    const { moment: wanted } = desk.model;
    if (!isKnown || wanted === undefined) return;
    desk.model.moment = undefined;
    then.go(wanted);
  });
  useEffect(() => slider.current?.focus({ preventScroll: true }), [isKnown]);
  const atMs = moment?.ms ?? extent?.toMs ?? 0;
  const shown = marks.all.filter(({ ms }) => extent !== undefined && ms >= extent.fromMs && ms <= extent.toMs);
  const mark = shown.find(({ at }) => at === moment?.at);
  // The button says it, and `Live` beside it.
  const isNow = !isRecording && moment === undefined;
  const words = isRecording ? playWords(atMs, extent) : isNow ? 'Now' : momentWords(atMs, extent);
  return h(
    'section',
    {
      class: `scrub${moment === undefined ? '' : ' is-then'}`,
      'aria-label': `The past of ${seat.place.id}`,
      'aria-busy': then.isComing,
    },
    h(
      'div',
      { class: 'past-head' },
      h('p', { class: 'past-words', role: 'status' }, then.trouble || standing(isRecording, then)),
      mark === undefined ? null : h('span', { class: `chip past-label is-${mark.kind}` }, mark.label),
      h('span', { class: 'past-time' }, extent === undefined || isNow ? '' : words),
      isRecording ? null : button('Now', () => then.now(), { disabled: moment === undefined }),
      iconButton('close', isRecording ? 'Close the recording' : 'Close the past', () => desk.togglePast()),
    ),
    extent === undefined
      ? null
      : track({
          past: then,
          extent,
          atMs,
          marks: shown,
          words: mark === undefined ? words : `${mark.label}, ${words}`,
          slider,
          toggle,
          leave: () => desk.togglePast(),
        }),
    extent === undefined ? null : pastMore({ desk, daemon, id: seat.place.id, player, moment, toggle }),
  );
}

function standing(isRecording: boolean, { extent, moment }: Then): string {
  if (extent === undefined) return 'Looking';
  if (isRecording) return 'A recording.';
  return moment === undefined ? 'Live' : 'This is the past. Nothing is typed.';
}

function playWords(ms: number, extent: Extent | undefined): string {
  return extent === undefined ? '' : `${spanWords(ms - extent.fromMs)} of ${spanWords(extent.toMs - extent.fromMs)}`;
}

function momentWords(ms: number, extent: Extent | undefined): string {
  const nowMs = extent?.toMs ?? ms;
  return `${clockWords(ms, nowMs)}, ${agoWords(nowMs - ms)}`;
}

interface Track {
  readonly past: Then;
  readonly extent: Extent;
  readonly atMs: number;
  readonly marks: readonly Mark[];
  readonly words: string;
  readonly slider: { current: HTMLDivElement | null };
  readonly toggle: () => void;
  readonly leave: () => void;
}

function track({ past, extent, atMs, marks, words, slider, toggle, leave }: Track): ComponentChild {
  const { fromMs, toMs } = extent;
  const lengthMs = Math.max(1, toMs - fromMs);
  const placeOf = (ms: number): string => `${(100 * Math.min(1, Math.max(0, (ms - fromMs) / lengthMs))).toFixed(3)}%`;
  const drag = (event: PointerEvent): void => {
    const { left, width } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const part = Math.min(1, Math.max(0, (event.clientX - left) / Math.max(1, width)));
    past.goTo(fromMs + part * lengthMs);
  };
  return h(
    'div',
    { class: 'past-line' },
    h('span', { class: 'quiet only-desk' }, `-${spanWords(lengthMs)}`),
    h(
      'div',
      {
        ref: slider,
        class: 'past-track',
        role: 'slider',
        tabIndex: 0,
        'aria-label': 'Moment',
        'aria-valuemin': 0,
        'aria-valuemax': Math.round(lengthMs),
        'aria-valuenow': Math.round(Math.min(lengthMs, Math.max(0, atMs - fromMs))),
        'aria-valuetext': words,
        onPointerDown: (event: PointerEvent) => {
          if (event.button !== 0) return;
          (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
          drag(event);
        },
        onPointerMove: (event: PointerEvent) => {
          if ((event.currentTarget as HTMLElement).hasPointerCapture(event.pointerId)) drag(event);
        },
        onKeyDown: (event: KeyboardEvent) => {
          const stepMs = stepOf(lengthMs);
          const keys: Readonly<Record<string, () => void>> = {
            ArrowLeft: () => past.goTo(atMs - stepMs),
            ArrowDown: () => past.goTo(atMs - stepMs),
            ArrowRight: () => past.goTo(atMs + stepMs),
            ArrowUp: () => past.goTo(atMs + stepMs),
            PageDown: () => past.goTo(atMs - 10 * stepMs),
            PageUp: () => past.goTo(atMs + 10 * stepMs),
            Home: () => past.goTo(fromMs),
            End: () => past.goTo(toMs),
            Escape: leave,
            ' ': toggle,
          };
          if (event.shiftKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
            event.preventDefault();
            const next = markBeside(marks, { at: past.moment?.at, ms: atMs }, event.key === 'ArrowLeft' ? -1 : 1);
            if (next !== undefined) past.go(next);
            return;
          }
          const act = event.ctrlKey || event.altKey || event.metaKey ? undefined : keys[event.key];
          if (act === undefined) return;
          event.preventDefault();
          act();
        },
      },
      h('span', { class: 'past-rail', 'aria-hidden': 'true' }),
      marks.map((mark) =>
        h('span', {
          key: `${mark.at} ${mark.kind}`,
          class: `past-mark is-${mark.kind}`,
          'aria-hidden': 'true',
          title: mark.label,
          style: { left: placeOf(mark.ms) },
          onPointerDown: (event: PointerEvent) => {
            event.stopPropagation();
            past.go(mark);
          },
        }),
      ),
      h('span', {
        class: 'past-thumb',
        'aria-hidden': 'true',
        style: { left: placeOf(atMs) },
      }),
    ),
  );
}

/** The one before or after; from a mark, its neighbour in the list, although both may have the same time. */
function markBeside(
  marks: readonly Mark[],
  { at, ms }: { readonly at: string | undefined; readonly ms: number },
  step: 1 | -1,
): Mark | undefined {
  const index = marks.findIndex((mark) => mark.at === at);
  if (index !== -1) return marks[index + step];
  return step === 1 ? marks.find((mark) => mark.ms > ms) : marks.findLast((mark) => mark.ms < ms);
}
