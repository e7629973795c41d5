/**
 * Which pictures the person's terminal can show among its text. It is asked: environment variables lie, above all over ssh.
 * The protocol of iTerm2 has no question of its own; who speaks it is known by the name, in the answer or the environment.
 */
import { OUTER } from '../../../mirror/outer-sequences.js';
import type { Host } from '../../host.js';

export type GraphicsProtocol = 'kitty' | 'iterm2' | 'sixel';

/** A query of the kitty protocol, XTVERSION, then DA1, which every terminal answers: what comes before it is all there is. */
const QUERY = `${OUTER.askPictures.on}${OUTER.askAttributes.on}`;
const KITTY_OK = '\x1b_Gi=31;OK';
/** https://invisible-island.net/xterm/ctlseqs/ctlseqs.html: XTVERSION */
const NAME = /P>\|([ -~]*)/;
/** Terminals that show pictures of this protocol and report their name. */
const SPEAK_ITERM2 = /^(iTerm2|WezTerm|mintty)\b/;
/** https://vt100.net/docs/vt510-rm/DA1.html */
const ATTRIBUTES = /\[\?([\d;]*)c/;
const SIXEL = '4';

/** Across a slow ssh; a terminal that does not answer costs this much once. */
const MAX_ANSWER_MS = 300;

export async function graphicsOf(host: Host): Promise<GraphicsProtocol | undefined> {
  const { env } = host;
  if (!host.stdoutIsTerminal || env['TERM'] === 'dumb') return undefined;
  // Multiplexers answer for themselves, and drop pictures.
  if (env['TMUX'] !== undefined || env['STY'] !== undefined) return undefined;
  if (env['TERM_PROGRAM'] === 'iTerm.app' || env['LC_TERMINAL'] === 'iTerm2') return 'iterm2';
  if (!host.stdinIsTerminal) return undefined;
  const answer = await ask(host);
  if (answer.includes(KITTY_OK)) return 'kitty';
  if (SPEAK_ITERM2.test(NAME.exec(answer)?.[1] ?? '')) return 'iterm2';
  return ATTRIBUTES.exec(answer)?.[1]?.split(';').slice(1).includes(SIXEL) === true ? 'sixel' : undefined;
}

function ask(host: Host): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const finish = (): void => {
      clearTimeout(timer);
      restore();
      resolve(answer);
    };
    const timer = setTimeout(finish, MAX_ANSWER_MS);
    const restore = host.keys((keys) => {
      answer += keys;
      if (ATTRIBUTES.test(answer)) finish();
    });
    // Bytes: a text would be sanitized on its way to a terminal.
    host.out(Buffer.from(QUERY));
  });
}
