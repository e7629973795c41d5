/** Icons of the page, as strokes of a 24 by 24 grid. */
import { h, type ComponentChild } from 'preact';

const STROKES = {
  menu: 'M4 7h16M4 12h16M4 17h16',
  plus: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6L6 18',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM20 20l-4-4',
  trash: 'M5 7h14M10 7V5h4v2M7 7l1 12h8l1-12',
  fit: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  hand: 'M8 12V6.500a1.500 1.500 0 0 1 3 0V11m0-5.500a1.500 1.500 0 0 1 3 0V11m0-3.500a1.500 1.500 0 0 1 3 0V15a6 6 0 0 1-6 6c-3 0-4.500-1.500-6-5l-1.200-2.600a1.500 1.500 0 0 1 2.600-1.400L8 14',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 3v1.500M12 19.500V21M3 12h1.500M19.500 12H21M5.600 5.600l1 1M17.400 17.400l1 1M5.600 18.400l1-1M17.400 6.600l1-1',
  moon: 'M20 14.500A8 8 0 0 1 9.500 4a8 8 0 1 0 10.500 10.500z',
  down: 'M6 10l6 6 6-6',
  up: 'M6 15l6-6 6 6',
  left: 'M14 6l-6 6 6 6',
  right: 'M10 6l6 6-6 6',
  enter: 'M20 6v5a3 3 0 0 1-3 3H5M9 10l-4 4 4 4',
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l1.500 2h-15zM10 20.500h4',
  wall: 'M4 5h7v6H4zM13 5h7v6h-7zM4 13h7v6H4zM13 13h7v6h-7z',
  more: 'M5 12h.010M12 12h.010M19 12h.010',
  past: 'M4 12a8 8 0 1 0 3-6.200L4 8M4 4v4h4M12 8v4l3 2',
  feed: 'M5 6h.010M5 12h.010M5 18h.010M9 6h11M9 12h11M9 18h7',
  rules:
    'M4 7h9M17 7h3M4 17h3M11 17h9M15 9.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM9 19.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5z',
  copy: 'M9 9h10v11H9zM15 9V4H5v11h4',
  picture: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.500 9.500h.010',
  question: 'M5 5h14v11h-8l-4 3.500V16H5z',
} as const;

export type IconName = keyof typeof STROKES;

export function icon(name: IconName): ComponentChild {
  return h(
    'svg',
    { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' },
    h('path', {
      d: STROKES[name],
      fill: 'none',
      stroke: 'currentColor',
      'stroke-linecap': 'round',
      'stroke-linejoin': 'round',
    }),
  );
}

/** A button with an icon alone; the label is read out, and shown as a hint. */
export function iconButton(
  name: IconName,
  label: string,
  onClick: () => void,
  more: {
    readonly class?: string;
    readonly pressed?: boolean;
    readonly disabled?: boolean;
    readonly key?: string;
  } = {},
): ComponentChild {
  const { pressed, disabled = false, key } = more;
  return h(
    'button',
    {
      type: 'button',
      ...(key === undefined ? {} : { key }),
      class: `icon-button ${more.class ?? ''}`,
      'aria-label': label,
      title: label,
      disabled,
      ...(pressed === undefined ? {} : { 'aria-pressed': pressed }),
      onClick,
    },
    icon(name),
  );
}
