/** What happened in the terminal, as its rules found it, beside the screen. Loaded when it is meant. */
import { h, type ComponentChild } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { button } from './controls.js';
import { type DaemonLink, RequestError } from './daemon-link.js';
import type { Desk } from './desk.js';
import { EntryFeed, type Entry, kindsOf, MOST_ENTRIES, toneOf, wordsOf } from './entry-feed.js';
import { iconButton } from './icons.js';
import type { Seat } from './seat.js';

export function Feed({ desk }: { readonly desk: Desk }): ComponentChild {
  const { seat, model } = desk;
  if (seat === undefined) return null;
  const isOpen = model.chosenDaemon?.isOpen === true;
  const { generation = 0 } = model.chosenTerminal ?? {};
  return h(FeedOf, { desk, seat, isOpen, generation, key: seat.number });
}

interface FeedProps {
  readonly desk: Desk;
  readonly seat: Seat;
  readonly isOpen: boolean;
  readonly generation: number;
}

/** Changes come in bursts. */
const DRAWN_MS = 150;

function FeedOf({ desk, seat, isOpen, generation }: FeedProps): ComponentChild {
  const { model } = desk;
  const { daemon, id } = seat.place;
  const link = model.daemon(daemon)?.link;
  const feed = useRef<EntryFeed>(undefined);
  feed.current ??= new EntryFeed();
  const [, setDrawn] = useState(0);
  const [profile, setProfile] = useState<string | null>();
  const [failure, setFailure] = useState<string>();
  const [only, setOnly] = useState<string>();
  const [chosen, choose] = useState<Entry>();
  const list = useRef<HTMLOListElement>(null);
  /** The newest entry is in view, and stays there. */
  const follows = useRef(true);
  useEffect(() => {
    if (!isOpen || link === undefined) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLeft = false;
    const redraw = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        setDrawn((n) => n + 1);
      }, DRAWN_MS);
    };
    const read = async (): Promise<void> => {
      try {
        const reply = await link.ask('entries', { id, last: MOST_ENTRIES, max: MOST_ENTRIES });
        if (isLeft) return;
        feed.current?.begin(Array.isArray(reply.entries) ? reply.entries : []);
        setProfile(reply.profile);
        setFailure(undefined);
      } catch (error) {
        if (!isLeft && error instanceof RequestError && error.code !== 'connection_lost') setFailure(wordsFor(error));
      }
    };
    model.onEvent = (name, event) => {
      if (name !== daemon) return;
      if (event.event === 'lagged') void read();
      if (event.event !== 'entry' || event.terminal !== id) return;
      feed.current?.apply(event);
      // The first of them: rules have come.
      setProfile((known) => known ?? '');
      redraw();
    };
    void read();
    return () => {
      isLeft = true;
      clearTimeout(timer);
      model.onEvent = undefined;
    };
  }, [isOpen, generation]);
  const all = feed.current.entries;
  const kinds = kindsOf(all);
  const isKnown = kinds.some(({ kind }) => kind === only);
  const shown = isKnown ? all.filter(({ kind }) => kind === only) : all;
  useLayoutEffect(() => {
    const { current } = list;
    if (current !== null && follows.current) current.scrollTop = current.scrollHeight;
  });
  useEffect(() => {
    if (model.feed !== 'asked') return;
    model.feed = 'open';
    (list.current?.querySelector<HTMLElement>('li:last-child button') ?? closeButton(list.current))?.focus();
  });
  const open = (entry: Entry): void => {
    choose(entry);
    if (isThere(entry, seat)) seat.screen.sight.toTop(Math.max(seat.screen.oldest, (entry.line ?? 0) - LINES_ABOVE));
  };
  const close = (): void => model.toggleFeed();
  return [
    chosen !== undefined && isThere(chosen, seat) ? h(MarkedRows, { seat, entry: chosen, key: 'rows' }) : null,
    h(
      'aside',
      {
        key: 'feed',
        class: 'feed',
        'aria-label': 'What happened',
        onKeyDown: (event: KeyboardEvent) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          desk.focus();
        },
      },
      h(
        'div',
        { class: 'feed-head' },
        h('h2', null, 'What happened'),
        model.allowsRules ? iconButton('rules', 'Rules of terminals', () => desk.toggleView('rules')) : null,
        profile === undefined || profile === null || profile === ''
          ? null
          : h('span', { class: 'quiet', title: 'Profile of rules' }, profile),
        iconButton('close', 'Close what happened', close),
      ),
      kinds.length < 2
        ? null
        : h(
            'div',
            { class: 'feed-kinds', role: 'group', 'aria-label': 'Kinds' },
            kinds.map(({ kind, count }) =>
              button(`${kind} ${count}`, () => setOnly(only === kind ? undefined : kind), {
                key: kind,
                class: 'kind',
                'aria-pressed': only === kind,
              }),
            ),
          ),
      all.length > 0 ? null : h('p', { class: 'quiet feed-none', role: 'status' }, failure ?? noneWords(profile, id)),
      h(
        'ol',
        {
          ref: list,
          class: 'entries',
          'aria-label': 'Entries, oldest first',
          tabIndex: shown.length === 0 ? -1 : 0,
          onKeyDown: walk,
          onScroll: (event: Event) => {
            const { scrollTop, scrollHeight, clientHeight } = event.currentTarget as HTMLElement;
            follows.current = scrollTop + clientHeight >= scrollHeight - 8;
          },
        },
        shown.map((entry) =>
          h(EntryOf, {
            key: entry.id,
            entry,
            isChosen: entry.id === chosen?.id,
            past: entry.id === chosen?.id && !isThere(entry, seat) ? { link, id } : undefined,
            open,
          }),
        ),
      ),
    ),
  ];
}

/** Above the line that was meant. */
const LINES_ABOVE = 2;

function closeButton(list: HTMLElement | null): HTMLElement | null {
  return list?.parentElement?.querySelector<HTMLElement>('.feed-head button') ?? null;
}

/** Its lines can still be read. */
function isThere({ line }: Entry, { screen, isAlternate }: Seat): boolean {
  return line !== null && !isAlternate && line >= screen.oldest && line <= screen.last;
}

function wordsFor({ code, message }: RequestError): string {
  return code === 'unknown_command' ? 'The daemon of this terminal is too old to say what happened.' : message;
}

function noneWords(profile: string | null | undefined, id: string): string {
  if (profile === undefined) return 'Loading';
  if (profile !== null) return 'The rules have found nothing so far.';
  return `No rules read this terminal. In a shell: t4a rules set --terminal ${id} --profile generic`;
}

interface EntryProps {
  readonly entry: Entry;
  readonly isChosen: boolean;
  /** Its lines are gone: the screen of then is shown. */
  readonly past: { readonly link: DaemonLink | undefined; readonly id: string } | undefined;
  readonly open: (entry: Entry) => void;
}

function EntryOf({ entry, isChosen, past, open }: EntryProps): ComponentChild {
  return h(
    'li',
    null,
    button(
      [
        h(
          'span',
          { class: 'entry-head' },
          h('span', { class: 'chip' }, entry.kind),
          entry.open ? h('span', { class: 'quiet' }, 'may still change') : null,
          h('time', { dateTime: new Date(entry.ts).toISOString() }, timeOf(entry.ts)),
        ),
        h('span', { class: 'entry-words' }, wordsOf(entry)),
      ],
      () => open(entry),
      { class: `entry is-${toneOf(entry)}${isChosen ? ' is-chosen' : ''}`, 'aria-pressed': isChosen },
    ),
    past === undefined ? null : h(ScreenOfThen, { entry, ...past }),
  );
}

function timeOf(ts: number): string {
  return new Date(ts).toLocaleTimeString([], {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
}

interface ThenProps {
  readonly entry: Entry;
  readonly link: DaemonLink | undefined;
  readonly id: string;
}

/** The rows in which it stood are marked. */
function ScreenOfThen({ entry, link, id }: ThenProps): ComponentChild {
  const [lines, setLines] = useState<readonly string[]>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    let isLeft = false;
    link?.ask('text', { id, at: entry.rev, region: 'viewport', trim: true }).then(
      (reply) => !isLeft && setLines(reply.lines),
      (error: unknown) => !isLeft && setFailure(error instanceof Error ? error.message : String(error)),
    );
    return () => void (isLeft = true);
  }, [entry.id, entry.rev]);
  if (failure !== undefined) return h('p', { class: 'quiet then-none', role: 'status' }, failure);
  if (lines === undefined) return h('p', { class: 'quiet then-none', role: 'status' }, 'Loading the screen of then');
  const { top = 0, bottom = 0 } = entry.region ?? {};
  const end = Math.max(bottom, lines.findLastIndex((line) => line !== '') + 1);
  return h(
    'pre',
    { class: 'then', tabIndex: 0, role: 'region', 'aria-label': `The screen at ${timeOf(entry.ts)}` },
    lines
      .slice(0, end)
      .map((line, row) => h('span', { class: row >= top && row < bottom ? 'is-meant' : '', key: row }, `${line}\n`)),
  );
}

/** Its lines on the screen, or in the scrollback. */
function MarkedRows({ seat, entry }: { readonly seat: Seat; readonly entry: Entry }): ComponentChild {
  const mark = useRef<HTMLDivElement>(null);
  const { screen } = seat;
  useEffect(() => {
    let frame = 0;
    const place = (): void => {
      const element = mark.current;
      const frameElement = element?.parentElement;
      if (element === null || frameElement === null || frameElement === undefined || entry.line === null) return;
      const { scroller, cell, oldest } = screen;
      const [own, around] = [scroller.getBoundingClientRect(), frameElement.getBoundingClientRect()];
      const y = own.top - around.top - scroller.scrollTop + (entry.line - oldest) * cell.height;
      const bottom = Math.min(own.bottom - around.top, y + Math.max(1, entry.lines) * cell.height);
      const top = Math.max(own.top - around.top, y);
      element.style.top = `${top}px`;
      element.style.left = `${own.left - around.left}px`;
      element.style.width = `${scroller.clientWidth}px`;
      element.style.height = `${Math.max(0, bottom - top)}px`;
    };
    const soon = (): void => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        place();
      });
    };
    screen.moved.add(soon);
    place();
    return () => {
      cancelAnimationFrame(frame);
      screen.moved.delete(soon);
    };
  }, [entry.id, entry.version, entry.lines]);
  return h('div', { ref: mark, class: 'entry-rows', 'aria-hidden': 'true' });
}

/** Arrows walk over the entries. */
function walk(event: KeyboardEvent): void {
  const buttons = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('.entry')];
  const at = buttons.indexOf(event.target as HTMLElement);
  const places: Readonly<Record<string, number>> = {
    ArrowUp: at === -1 ? buttons.length - 1 : at - 1,
    ArrowDown: at === -1 ? buttons.length - 1 : at + 1,
    Home: 0,
    End: buttons.length - 1,
  };
  const next = places[event.key];
  if (next === undefined) return;
  event.preventDefault();
  buttons[next]?.focus();
}
