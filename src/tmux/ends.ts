/** Panes whose programs a command ends. None of it is done while another has control of one of them: they all stay panes. */
import { linksOf, type Pane, type Window } from './model.js';
import type { Run } from './run.js';
import { admittedEnd } from './terminals.js';

const panesOf = (windows: readonly Window[]): Pane[] => windows.flatMap(({ panes }) => panes);

/** Ended panes by verb. Targets are found in the order in which the verb finds them, so that its errors are the same. */
const ENDED: Readonly<Record<string, (run: Run) => readonly Pane[]>> = {
  'kill-pane': (run) => {
    const { window, pane } = run.target('pane');
    return run.args.has('a') ? window.panes.filter((one) => one !== pane) : [pane];
  },
  'kill-window': (run) => {
    const { session, window } = run.target('window');
    const all = linksOf(session).map((link) => link.window);
    return panesOf(run.args.has('a') ? all.filter((one) => one !== window) : [window]);
  },
  'kill-session': (run) => {
    const { session } = run.target('session');
    if (run.args.has('C')) return [];
    const ended = run.args.has('a') ? run.state.all().filter((one) => one !== session) : [session];
    const windows = ended.flatMap(linksOf).map(({ window }) => window);
    return panesOf(windows.filter(({ links }) => [...links].every((link) => ended.includes(link.session))));
  },
  'kill-server': ({ state }) => [...state.panes.values()],
  'respawn-pane': (run) => {
    const { pane } = run.target('pane');
    return run.args.has('k') ? [pane] : [];
  },
  'respawn-window': (run) => {
    const { window } = run.target('window');
    return run.args.has('k') ? window.panes : [];
  },
  'unlink-window': (run) => {
    const { window } = run.target('window');
    return run.args.has('k') && window.links.size === 1 ? window.panes : [];
  },
  'new-window': replaced,
  'link-window': replaced,
  'move-window': replaced,
};

/** Panes of the window at an index that `-k` gives to another. */
function replaced(run: Run): readonly Pane[] {
  const { args } = run;
  if (!args.has('k')) return [];
  if (args.verb.name !== 'new-window') run.target('window', { flag: 's' });
  const { session, index } = run.target('window', { isIndex: true });
  const window = session.links.get(index)?.window;
  return window?.links.size === 1 ? window.panes : [];
}

/** Gate that each command passes before any of it is done. @throws Refusal */
export async function admitEnds(run: Run): Promise<void> {
  const panes = ENDED[run.args.verb.name]?.(run) ?? [];
  await Promise.all(panes.map((pane) => admittedEnd(run.door.client, pane)));
}
