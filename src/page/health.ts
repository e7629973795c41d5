/** How each daemon is doing, asked for while it is shown. Loaded when it is meant. */
import { h, type ComponentChild } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { RequestError } from './daemon-link.js';
import type { Desk } from './desk.js';
import type { DaemonState } from './daemon-state.js';
import { readingsOf, type Reading } from './readings.js';

const EVERY_MS = 2000;

export function Health({ desk }: { readonly desk: Desk }): ComponentChild {
  return h(
    'section',
    { class: 'wall board', 'aria-label': 'Health' },
    desk.model.shownDaemons.map((daemon) => h(OfDaemon, { key: daemon.name, daemon })),
  );
}

function OfDaemon({ daemon }: { readonly daemon: DaemonState }): ComponentChild {
  const [readings, setReadings] = useState<readonly Reading[]>([]);
  const [trouble, setTrouble] = useState('');
  useEffect(() => {
    if (!daemon.isOpen) return undefined;
    let isLeft = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // The next one follows the answer: a daemon that is slow is asked less often.
    const ask = async (): Promise<void> => {
      const [found, why] = document.hidden ? [undefined, ''] : await asked(daemon);
      if (isLeft) return;
      if (found !== undefined) setReadings(found);
      setTrouble(why);
      timer = setTimeout(() => void ask(), EVERY_MS);
    };
    void ask();
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [daemon.isOpen]);
  const count = readings.filter(({ isOut }) => isOut).length;
  const words = count === 0 ? 'All within bounds' : `${count} out of bounds`;
  return h(
    'div',
    null,
    h(
      'h2',
      { class: 'board-title' },
      `${daemon.name} `,
      readings.length === 0 || !daemon.isOpen
        ? null
        : h('span', { class: `chip is-${count === 0 ? 'ready' : 'failed'}` }, words),
    ),
    daemon.isOpen
      ? trouble === ''
        ? null
        : h('p', { class: 'quiet', role: 'alert' }, trouble)
      : h('p', { class: 'quiet', role: 'status' }, 'Not reached. What it said last:'),
    h(
      'table',
      { class: 'health', role: 'table', 'aria-label': `Figures of ${daemon.name}` },
      h(
        'tbody',
        { role: 'rowgroup' },
        readings.map(({ name, value, says, isOut }) =>
          h(
            'tr',
            { key: name, role: 'row', class: isOut ? 'is-out' : '' },
            h('th', { scope: 'row', role: 'rowheader' }, name),
            h('td', { class: 'health-value', role: 'cell' }, isOut ? `! ${value}` : value),
            h('td', { class: 'quiet', role: 'cell' }, isOut ? `Out of bounds. ${says}` : says),
          ),
        ),
      ),
    ),
  );
}

async function asked({ link }: DaemonState): Promise<readonly [readings: readonly Reading[] | undefined, why: string]> {
  try {
    return [readingsOf(await link.ask('stats', {})), ''];
  } catch (error) {
    return [undefined, error instanceof RequestError ? error.message : String(error)];
  }
}
