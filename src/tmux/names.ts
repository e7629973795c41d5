/** Names of windows and sessions: that of a program, and those that are given, as tmux cleans them. */
import type { Pane, Session, Window } from './model.js';
import { programName } from './processes.js';

/** Of a window whose program has not yet begun. */
export function defaultName(pane: Pane, session: Session): string {
  const [only = ''] = pane.command;
  if (pane.command.length > 0) return programName(pane.command.length === 1 ? only : pane.command.join(' '));
  return programName(session.options.text('default-command') || session.options.text('default-shell'));
}

/** A name that was given is kept. @param name of a new window as it was given; of one that is named anew what is {@link visible} */
export function nameWindow(window: Window, name: string): void {
  window.name = name;
  window.options.set('automatic-rename', 'off');
}

/** Names of sessions have no `:` and `.`. */
export function cleanName(name: string): string {
  return visible(name.replaceAll(/[:.]/g, '_'));
}

/** What cannot be seen, a backslash and the `$` of a name, as tmux writes them. */
export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\\]|\$(?=[A-Za-z_{])/gu, (one, at: number) => {
    if (one > '\x7f') return one;
    const letter = LETTERS[LETTERED.indexOf(one)];
    if (letter !== undefined && (one !== '\0' || !/[0-7]/.test(text[at + 1] ?? ''))) return `\\${letter}`;
    return `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`;
  });
}

/** Characters that have a letter behind a backslash, and those letters. */
const [LETTERED, LETTERS] = ['\n\t\r\0\x07\b\v\f\\$', 'ntr0abvf\\$'];

/** Labels with the place of a pane. */
export function labelsOf(pane: Pane, session: Session): Record<string, string> {
  const [first] = pane.window.links;
  const link = [...pane.window.links].find((one) => one.session === session) ?? first;
  return {
    'tmux.session': clean(session.name),
    'tmux.window': clean(`${link?.index ?? 0}:${pane.window.name}`),
    'tmux.pane': `%${pane.id}`,
  };
}

function clean(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ').slice(0, 1024);
}
