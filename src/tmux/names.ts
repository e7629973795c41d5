/** Names of windows and sessions: that of a program, and those that are given, as tmux cleans them. */
import { visible } from './format-text.js';
import type { Pane, Session, Window } from './model.js';
import { programName } from './processes.js';

/** Name of a window whose program has not yet begun. */
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
