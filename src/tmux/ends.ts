/**
 * Panes of which another has control. A command that would end one of them, split it, or give it another size is refused, and none of it
 * is done. Where a neighbour of such a pane ends, the pane keeps its own size.
 */
import { type LayoutCell, treeCopy } from './layout.js';
import { linksByIndex, type Pane, type Window } from './model.js';
import type { VerbHandler, VerbRun } from './run.js';
import { admittedEnd } from './terminals.js';

const panesOf = (windows: readonly Window[]): Pane[] => windows.flatMap(({ panes }) => panes);

/** Ended and divided panes by verb. Targets are found in the order in which the verb finds them, so that its errors are the same. */
const ENDED: Readonly<Record<string, (run: VerbRun) => readonly Pane[]>> = {
  'kill-pane': (run) => {
    const { window, pane } = run.target('pane');
    return run.args.has('a') ? window.panes.filter((one) => one !== pane) : [pane];
  },
  'kill-window': (run) => {
    const { session, window } = run.target('window');
    const all = linksByIndex(session).map((link) => link.window);
    return panesOf(run.args.has('a') ? all.filter((one) => one !== window) : [window]);
  },
  'kill-session': (run) => {
    const { session } = run.target('session');
    if (run.args.has('C')) return [];
    const ended = run.args.has('a') ? run.state.all().filter((one) => one !== session) : [session];
    const windows = ended.flatMap(linksByIndex).map(({ window }) => window);
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
  'split-window': (run) => {
    const { window, pane } = run.target('pane');
    return run.args.has('f') ? window.panes : [pane];
  },
  'join-pane': joined,
  'move-pane': joined,
  'break-pane': (run) => {
    const { window, pane } = run.target('pane', { flag: 's' });
    return window.panes.length > 1 ? [pane] : [];
  },
  'new-window': replaced,
  'link-window': replaced,
  'move-window': replaced,
};

/** Panes of the window at an index that `-k` gives to another. */
function replaced(run: VerbRun): readonly Pane[] {
  const { args } = run;
  if (!args.has('k')) return [];
  if (args.verb.name !== 'new-window') run.target('window', { flag: 's' });
  const { session, index } = run.target('window', { isIndex: true });
  const window = session.links.get(index)?.window;
  return window?.links.size === 1 ? window.panes : [];
}

function joined(run: VerbRun): readonly Pane[] {
  const { pane } = run.source('pane');
  const to = run.target('pane');
  return [pane, ...(run.args.has('f') ? to.window.panes : [to.pane])];
}

/** Windows whose panes get other sizes, by verb. Handlers of these verbs wait for nothing. */
const SIZED: Readonly<Record<string, (run: VerbRun) => readonly Window[]>> = {
  'resize-pane': (run) => [run.target('pane').window],
  'select-layout': (run) => [run.target('pane').window],
  'swap-pane': (run) => [run.source('pane').window, run.target('pane').window],
  ...Object.fromEntries(
    ['resize-window', 'next-layout', 'previous-layout', 'rotate-window'].map((name) => [
      name,
      (run: VerbRun) => [run.target('window').window],
    ]),
  ),
};

/** Does what the verb does, unless that gives a held pane another size: then all is as before. @throws Refusal */
export async function actIn(run: VerbRun, act: VerbHandler): Promise<number | void> {
  const windows = SIZED[run.args.verb.name]?.(run);
  if (windows === undefined) return act(run);
  const held: { readonly pane: Pane; readonly cols: number; readonly rows: number; readonly why: unknown }[] = [];
  await Promise.all(
    panesOf(windows).map((pane) =>
      admittedEnd(run.door.client, pane).catch((why: unknown) => held.push({ pane, ...sizeNow(pane), why })),
    ),
  );
  const undo = windows.map((window) => undoOf(run, window));
  const status = act(run);
  const other = held.find(({ pane, cols, rows }) => pane.cols !== cols || pane.rows !== rows);
  if (other === undefined) return status;
  for (const one of undo) one();
  throw other.why;
}

const sizeNow = ({ cols, rows }: Pane): { readonly cols: number; readonly rows: number } => ({ cols, rows });

/** Sizes and places of the panes of a window, as they are now. @returns puts them back */
function undoOf({ door }: VerbRun, window: Window): () => void {
  const { cols, rows, active, lastLayout } = window;
  const [panes, lastPanes] = [[...window.panes], [...window.lastPanes]];
  const [root, savedRoot] = [window.root, window.savedRoot].map((cell) => cell && treeCopy(cell as LayoutCell<Pane>));
  const size = window.options.own('window-size');
  return () => {
    Object.assign(window, { panes, lastPanes, cols, rows, active, lastLayout, savedRoot });
    if (size === undefined) window.options.delete('window-size');
    for (const pane of panes) Object.assign(pane, { window, cell: undefined });
    if (root !== undefined) door.setRoot(window, root);
  };
}

/** Gate that each command passes before any of it is done. @throws Refusal */
export async function admitEnds(run: VerbRun): Promise<void> {
  const panes = ENDED[run.args.verb.name]?.(run) ?? [];
  await Promise.all(panes.map((pane) => admittedEnd(run.door.client, pane)));
}
