/** What a page without a valid key shows: why, and how to get in. */
import { h, type ComponentChild } from 'preact';
import { useState } from 'preact/hooks';
import type { Desk } from './desk.js';
import type { ShutOut } from './proof.js';

const WORDS: Readonly<Record<ShutOut, { readonly title: string; readonly why: string }>> = {
  'no link': { title: 'This page needs a link', why: 'A link opens one browser, within a minute.' },
  'link used': { title: 'This link is used up', why: 'A link opens one browser, within a minute.' },
  'key over': { title: 'The key of this page is over', why: 'A key ends with its t4a web, and after 12 hours.' },
  ended: { title: 'This t4a web has ended', why: 'Its keys have ended with it.' },
  revoked: { title: 'The key of this page was revoked', why: 'Its owner has ended all keys: t4a web --revoke.' },
};

export function lockedOut({ model }: Desk, shutOut: ShutOut): ComponentChild {
  if (shutOut === 'ended' && model.connections.isRemembered) return h(Ended, null);
  const { title, why } = WORDS[shutOut];
  return h(
    'main',
    { class: 'welcome' },
    h('img', { src: 'icon.svg', alt: '', width: 56, height: 56 }),
    h('h1', null, title),
    h(
      'p',
      { class: 'quiet' },
      ...(shutOut === 'ended'
        ? [`${why} Start `, h('code', null, 't4a web'), ' again, for a new link.']
        : [
            `${why} Press Enter in the terminal of `,
            h('code', null, 't4a web'),
            ', or start it again, for a new link.',
          ]),
    ),
  );
}

/** The key of a remembered browser has not ended. */
function Ended(): ComponentChild {
  const [words, setWords] = useState(REMEMBERED);
  // The page would be gone with a server that does not run yet.
  const again = (): void =>
    void fetch('./').then(
      () => location.reload(),
      () => setWords(NOT_YET),
    );
  return h(
    'main',
    { class: 'welcome' },
    h('img', { src: 'icon.svg', alt: '', width: 56, height: 56 }),
    h('h1', null, 'This t4a web has ended'),
    h('p', { class: 'quiet', role: 'status' }, words),
    h('button', { type: 'button', class: 'button primary', onClick: again }, 'Try again'),
  );
}

const REMEMBERED = 'This browser is remembered: once t4a web runs here again, the page gets in without a link.';
const NOT_YET = 'It does not run here yet.';
