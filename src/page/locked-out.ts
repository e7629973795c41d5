/** What a page without a valid key shows: why, and how to get in. */
import { h, type ComponentChild } from 'preact';
import type { ShutOut } from './proof.js';

const WORDS: Readonly<Record<ShutOut, { readonly title: string; readonly why: string }>> = {
  'no link': { title: 'This page needs a link', why: 'A link opens one browser, within a minute.' },
  'link used': { title: 'This link is used up', why: 'A link opens one browser, within a minute.' },
  'key over': { title: 'The key of this page is over', why: 'A key ends with its t4a web, and after 12 hours.' },
  ended: { title: 'This t4a web has ended', why: 'Its keys have ended with it.' },
  revoked: { title: 'The key of this page was revoked', why: 'Its owner has ended all keys: t4a web --revoke.' },
};

export function lockedOut(shutOut: ShutOut): ComponentChild {
  const { title, why } = WORDS[shutOut];
  return h(
    'main',
    { class: 'welcome' },
    h('img', { src: '/icon.svg', alt: '', width: 56, height: 56 }),
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
