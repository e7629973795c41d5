/** The recordings of the daemons, newest first, to be played. Loaded when it is meant. */
import { h, type ComponentChild } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { safeText } from '../mirror/safe-text.js';
import { RequestError } from './daemon-link.js';
import type { Desk } from './desk.js';
import { playFile } from './dropped-file.js';
import type { DaemonState } from './daemon-state.js';
import type { ListedRecording } from './served.js';

const ACCEPTED = '.cast,.gz,.json';

export function Recordings({ desk }: { readonly desk: Desk }): ComponentChild {
  const { model } = desk;
  const chooseFile = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    input.value = '';
    if (file !== undefined) model.attempt(() => playFile(desk, file));
  };
  return h(
    'section',
    { class: 'wall board', 'aria-label': 'Recordings' },
    model.isReadOnly
      ? null
      : h(
          'label',
          { class: 'drop' },
          'Play a file: drop a .cast on this page, or choose one',
          h('input', { type: 'file', accept: ACCEPTED, onChange: chooseFile }),
        ),
    model.shownDaemons.map((daemon) => h(OfDaemon, { key: daemon.name, desk, daemon })),
  );
}

function OfDaemon({ desk, daemon }: { readonly desk: Desk; readonly daemon: DaemonState }): ComponentChild {
  const { model } = desk;
  const [listed, setListed] = useState<readonly ListedRecording[]>();
  const [trouble, setTrouble] = useState('');
  const isLeft = useRef(false);
  useEffect(() => () => void (isLeft.current = true), []);
  useEffect(() => {
    if (!daemon.isOpen) return;
    daemon.link.served('web_recordings', {}).then(
      ({ recordings }) => !isLeft.current && setListed(recordings.toReversed()),
      (error: unknown) => !isLeft.current && setTrouble(error instanceof RequestError ? error.message : String(error)),
    );
  }, [daemon.isOpen]);
  const play = ({ recording, name }: ListedRecording): void =>
    model.attempt(async () => {
      const { id, complete } = await daemon.link.served('web_open', { recording });
      desk.play(daemon.name, id, { name: safeText(name), isComplete: complete });
    });
  return h(
    'div',
    null,
    h('h2', { class: 'board-title' }, daemon.name),
    trouble !== ''
      ? h('p', { class: 'quiet', role: 'alert' }, trouble)
      : listed === undefined
        ? h('p', { class: 'quiet', role: 'status' }, 'Loading')
        : listed.length === 0
          ? h('p', { class: 'quiet' }, 'No recording yet. t4a record ID makes one.')
          : null,
    h(
      'ul',
      { class: 'board-list' },
      (listed ?? []).map((one) =>
        h(
          'li',
          { key: one.recording },
          h(
            'button',
            { type: 'button', class: 'board-item', onClick: () => play(one) },
            h('strong', null, safeText(one.title ?? one.terminal ?? one.name)),
            one.live ? h('span', { class: 'chip is-busy' }, 'goes on') : null,
            h('span', { class: 'quiet' }, `${timeOf(one.started_at)} · ${sizeOf(one.size)} · ${safeText(one.name)}`),
          ),
        ),
      ),
    ),
  );
}

function timeOf(ms: number | null): string {
  return ms === null ? 'Time unknown' : new Date(ms).toLocaleString();
}

export function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
