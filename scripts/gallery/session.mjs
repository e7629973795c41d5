/** The session of the README: a shell, an editor, a history, a picture made of half blocks. */

const PROMPT = { settled_ms: 200 };

/** `type`, then `press`; `until`: what the screen comes to show; `standsMs`: for how long it stands then. */
export const SESSION = {
  command: ['bash'],
  cols: 80,
  rows: 22,
  steps: [
    { type: 'ls -goh --color --time-style=long-iso', press: ['Enter'], until: { text: 'backup.tar.zst' } },
    { type: 'vim -n -i NONE src/lexer.rs', press: ['Enter'], until: { text: 'lexer.rs" ' }, standsMs: 700 },
    { type: '/quote', keyMs: 90, press: ['Enter'], until: PROMPT, standsMs: 500 },
    { press: ['n', 'V', 'j', 'j', 'j'], keyMs: 90, until: { text: 'VISUAL' }, standsMs: 900 },
    { press: ['Escape'], until: PROMPT, standsMs: 200 },
    { type: ':q!', keyMs: 90, press: ['Enter'], until: { text: 'backup.tar.zst' }, standsMs: 300 },
    {
      type: 'clear; git -C ../history log --graph --oneline --decorate --all --color',
      press: ['Enter'],
      until: { text: 'v0.1' },
      standsMs: 1400,
    },
    {
      type: "clear; python3 -c 'from cities import *; sunset(80, 18)'",
      press: ['Enter'],
      until: PROMPT,
      standsMs: 2500,
    },
  ],
};
