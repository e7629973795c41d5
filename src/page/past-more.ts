/** Below the slider: to play the past, and to keep it as a file. */
import { h, type ComponentChild } from 'preact';
import { button } from './controls.js';
import type { Desk } from './desk.js';
import type { DaemonState } from './daemon-state.js';
import { SPEEDS, type Player } from './player.js';
import type { Moment } from './then.js';

export interface PastMore {
  readonly desk: Desk;
  readonly daemon: DaemonState;
  readonly id: string;
  readonly player: Player;
  readonly moment: Moment | undefined;
  readonly toggle: () => void;
}

export function pastMore({ desk, daemon, id, player, moment, toggle }: PastMore): ComponentChild {
  const { link } = daemon;
  const at = moment === undefined ? {} : { at: moment.at };
  const name = (desk.model.recording?.name ?? id).replace(/\.cast(\.gz)?$/, '');
  const download = (ending: 'png' | 'cast' | 'gif', words: string, ask: () => Promise<ArrayBuffer>): ComponentChild =>
    button(
      words,
      () =>
        desk.model.attempt(async () => {
          if (ending === 'gif') desk.model.notice('The film is being made.');
          save(await ask(), `${name}.${ending}`);
        }),
      { title: `Download ${name}.${ending}` },
    );
  return h(
    'div',
    { class: 'past-more' },
    button(player.isPlaying ? 'Pause' : 'Play', toggle),
    h(
      'select',
      {
        'aria-label': 'Speed',
        value: String(player.speed),
        onChange: (event: Event) => (player.speed = Number((event.target as HTMLSelectElement).value)),
      },
      SPEEDS.map((speed) => h('option', { value: String(speed) }, `${speed} ×`)),
    ),
    h('span', { class: 'grow' }),
    download('png', 'Picture', () => link.bytes('screenshot', { id, ...at })),
    download('cast', 'Cast', () => link.bytes('export', { id })),
    download('gif', 'GIF', () => link.bytes('web_film', { id })),
  );
}

/** The browser has begun to read it by then. */
const KEPT_MS = 60_000;

/** The browser asks where, or puts it to the other downloads. */
function save(bytes: ArrayBuffer, name: string): void {
  const url = URL.createObjectURL(new Blob([bytes]));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
