/** Verbs of panes. */
import { type LayoutCell, resizeBy, resizeTo, split } from './layout.js';
import { statusRows } from './door.js';
import { linksByIndex, type Pane, type Window } from './model.js';
import { Refusal } from './options.js';
import { adjustmentIn, type VerbHandler, type VerbRun, sizeIn } from './run.js';
import { visible } from './format-text.js';
import { defaultName, nameWindow } from './names.js';
import { type Found, neighbour, type Towards } from './targets.js';
import { ofLink } from './variables.js';
import { placeFor, placeForLink, PLACE } from './window-verbs.js';

/** Size that `-l` and `-p` mean. @throws Refusal */
function sizeOfSplit({ args }: VerbRun, { window, pane }: Found, isSide: boolean): number | undefined {
  const whole = args.has('f') ? (isSide ? window.cols : window.rows) : isSide ? pane.cols : pane.rows;
  const size = args.get('l');
  const percent = args.get('p');
  const isSplit = args.verb.name === 'split-window';
  const share = (given: string, what: string): number => Math.floor((whole * countOf(given, what)) / 100);
  if (size === undefined)
    return percent === undefined ? undefined : share(percent, isSplit ? 'create pane failed: -p' : 'size');
  if (!isSplit) return sizeIn(size, whole, 'size');
  return size.endsWith('%') ? share(size.slice(0, -1), 'percentage') : countOf(size, 'lines');
}

/** @throws Refusal */
function countOf(given: string, what: string): number {
  return sizeIn(given.replace('%', 'x'), 0, what);
}

/** Splits the target, without a pane in the new cell yet. @throws Refusal */
function splitTarget(run: VerbRun, to: Found, size: number | undefined): LayoutCell<Pane> {
  const { args } = run;
  const { window } = to;
  const { top, bottom } = statusRows(window, to.pane.cell as LayoutCell);
  const isTight = !args.has('h') && !args.has('f') && (to.pane.cell?.sy ?? 0) < 3 + top + bottom;
  const done = isTight
    ? undefined
    : split(to.pane.cell as LayoutCell<Pane>, window.root as LayoutCell<Pane>, {
        type: args.has('h') ? 'leftright' : 'topbottom',
        size,
        isBefore: args.has('b'),
        isFull: args.has('f'),
      });
  if (done === undefined)
    throw new Refusal(
      args.verb.name === 'split-window' ? 'no space for new pane' : 'create pane failed: pane too small',
    );
  window.root = done.root;
  return done.cell;
}

/** Puts a pane into a new cell, and at a place of the list of panes. */
function placeIn({ door }: VerbRun, window: Window, cell: LayoutCell<Pane>, pane: Pane, at: number): void {
  cell.pane = pane;
  pane.cell = cell;
  pane.window = window;
  window.panes.splice(at, 0, pane);
  door.setRoot(window, window.root as LayoutCell<Pane>);
}

const splitWindow: VerbHandler = async (run) => {
  const { args, door } = run;
  const to = run.target('pane');
  const { window, session, link } = to;
  const size = sizeOfSplit(run, to, args.has('h'));
  const wasZoomed = door.unzoom(window);
  const cell = splitTarget(run, to, size);
  const pane = door.newPane(window, 1, 1);
  const { panes } = window;
  const isBefore = args.has('b');
  const beside = panes.indexOf(to.pane) + (isBefore ? 0 : 1);
  placeIn(run, window, cell, pane, args.has('f') ? (isBefore ? 0 : panes.length) : beside);
  const launch = run.launch(args.rest, run.subjectOf(to));
  if (!args.has('d')) door.activate(pane);
  try {
    // An empty command is a pane without a program.
    if (args.rest.length === 1 && args.rest[0] === '') door.leaveEmpty(pane, launch);
    else await door.start(pane, session, launch);
  } catch (error) {
    door.killPane(pane);
    throw error;
  }
  if (args.has('Z') || (wasZoomed && args.has('Z'))) door.zoom(window.active);
  run.aim = { session, link, window, pane };
  if (args.has('P')) run.print(await run.format(args.get('F') ?? PLACE, ofLink(link, pane)));
};

const PANE_LINE =
  '[#{pane_width}x#{pane_height}] [history #{history_size}/#{history_limit}, #{history_bytes} bytes] #{pane_id}#{?pane_active, (active),}#{?pane_dead, (dead),}';

const listPanes: VerbHandler = (run) => {
  const { args, state } = run;
  const isAll = args.has('a');
  const { link, window, session } = run.target('window');
  if (isAll || args.has('s')) {
    const sessions = isAll ? state.all() : [session];
    const subjects = sessions
      .flatMap(linksByIndex)
      .flatMap((link) => link.window.panes.map((pane) => ofLink(link, pane)));
    const place = isAll ? '#{session_name}:#{window_index}.#{pane_index}: ' : '#{window_index}.#{pane_index}: ';
    return run.list(subjects, place + PANE_LINE, 'link');
  }
  return run.list(
    window.panes.map((pane) => ofLink(link, pane)),
    `#{pane_index}: ${PANE_LINE}`,
  );
};

const selectPane: VerbHandler = (run) => {
  const { args, door, state } = run;
  if (args.verb.name === 'last-pane' || args.has('l')) {
    const { window } = run.target(args.verb.name === 'last-pane' ? 'window' : 'pane');
    const [last] = window.lastPanes;
    const next = last ?? (window.panes.length === 2 ? window.panes.find((one) => one !== window.active) : undefined);
    if (next === undefined) throw new Refusal('no last pane');
    if (args.has('e')) next.takesInput = true;
    else if (args.has('d')) next.takesInput = false;
    else {
      const wasZoomed = door.unzoom(window);
      door.activate(next);
      if (wasZoomed && args.has('Z')) door.zoom(next);
    }
    return;
  }
  const { window, link, pane: target } = run.target('pane');
  let pane: Pane | undefined = target;
  if (args.has('m') || args.has('M')) {
    state.mark(args.has('M') || state.marked?.pane === pane ? undefined : { pane, link });
    return;
  }
  const style = args.get('P');
  if (style !== undefined) for (const name of STYLES) pane.options.set(name, style);
  if (args.has('g')) return run.print(pane.options.text('window-style'));
  const towards = ['L', 'R', 'U', 'D'].find((flag) => args.has(flag));
  if (towards !== undefined) {
    pane = neighbour(pane, towards as Towards);
    if (pane === undefined) return;
  }
  if (args.has('e')) pane.takesInput = true;
  else if (args.has('d')) pane.takesInput = false;
  const title = args.get('T');
  if (title !== undefined) {
    const given = run.formatNow(title, { ...run.subjectOf(run.target('pane')), pane });
    if (!/\p{Cc}/u.test(given)) run.door.retitle(pane, given);
    return;
  }
  if (args.has('e') || args.has('d')) return;
  const wasZoomed = door.unzoom(window);
  door.activate(pane);
  if (wasZoomed && args.has('Z')) door.zoom(pane);
};

/** Options that `-P` sets, and does not check, as tmux does. */
const STYLES = ['window-style', 'window-active-style'];

const resizePane: VerbHandler = (run) => {
  const { args, door } = run;
  const { window, pane } = run.target('pane');
  if (args.has('T')) return;
  if (args.has('Z')) {
    if (!door.unzoom(window)) {
      door.activate(pane);
      door.zoom(pane);
    }
    return;
  }
  door.unzoom(window);
  const by = adjustmentIn(args.rest[0]);
  const { root } = window;
  if (root === undefined || pane.cell === undefined) return;
  const [x, y] = [args.get('x'), args.get('y')];
  if (x !== undefined) resizeTo(pane.cell, 'leftright', sizeIn(x, window.cols, 'width'), root);
  if (y !== undefined) resizeTo(pane.cell, 'topbottom', sizeIn(y, window.rows, 'height'), root);
  if (args.has('L')) resizeBy(pane.cell, 'leftright', -by, root);
  else if (args.has('R')) resizeBy(pane.cell, 'leftright', by, root);
  else if (args.has('U')) resizeBy(pane.cell, 'topbottom', -by, root);
  else if (args.has('D')) resizeBy(pane.cell, 'topbottom', by, root);
  door.setRoot(window, root as LayoutCell<Pane>);
};

const killPane: VerbHandler = (run) => {
  const { window, pane } = run.target('pane');
  if (!run.args.has('a')) return run.door.killPane(pane);
  run.door.unzoom(window);
  for (const one of window.panes) if (one !== pane) run.door.killPane(one);
};

const swapPane: VerbHandler = (run) => {
  const { args, door } = run;
  const isBeside = args.has('D') || args.has('U');
  let source = run.source('pane');
  const to = run.target('pane');
  if (isBeside) {
    const { panes } = to.window;
    const pane = panes.at((panes.indexOf(to.pane) + (args.has('D') ? 1 : -1)) % panes.length) ?? to.pane;
    source = { ...to, pane };
  }
  const [one, two] = [source.pane, to.pane];
  if (one === two) return;
  const [from, into] = [one.window, two.window];
  for (const window of [from, into]) door.unzoom(window);
  const places = [from.panes.indexOf(one), into.panes.indexOf(two)] as const;
  const cells = [one.cell, two.cell] as const;
  from.panes[places[0]] = two;
  into.panes[places[1]] = one;
  [one.window, two.window] = [into, from];
  [one.cell, two.cell] = [cells[1], cells[0]];
  if (cells[0] !== undefined) cells[0].pane = two;
  if (cells[1] !== undefined) cells[1].pane = one;
  if (!args.has('d')) {
    door.activate(two);
    if (from !== into) door.activate(one);
  } else {
    if (from.active === one) door.activate(two);
    if (into.active === two) door.activate(one);
  }
  for (const window of new Set([from, into])) {
    window.lastPanes = window.lastPanes.filter((pane) => pane.window === window);
    if (window.root !== undefined) door.setRoot(window, window.root as LayoutCell<Pane>);
    door.relabel(window);
  }
};

const breakPane: VerbHandler = async (run) => {
  const { args, door } = run;
  const source = run.target('pane', { flag: 's' });
  const to = run.target('window', { isIndex: true });
  const { pane, session } = source;
  const name = args.get('n');
  door.unzoom(source.window);
  if (source.window.panes.length === 1) {
    const index = placeForLink(run, source, to);
    const link = door.link(to.session, source.window, index);
    if (!args.has('d')) door.select(link);
    if (name !== undefined) nameWindow(source.window, visible(run.formatNow(name, run.subjectOf(source))));
    return door.unlink(source.link);
  }
  const index = placeFor(run, to, () => {});
  const { cols, rows } = source.window;
  door.removePane(pane);
  const window = door.newWindow(cols, rows, pane);
  if (name === undefined) window.name = defaultName(pane, session);
  else nameWindow(window, visible(run.formatNow(name, run.subjectOf(source))));
  const link = door.link(to.session, window, index);
  if (!args.has('d')) door.select(link);
  door.relabel(window);
  if (args.has('P')) run.print(await run.format(args.get('F') ?? PLACE, ofLink(link)));
};

const joinPane: VerbHandler = (run) => {
  const { args, door } = run;
  const source = run.source('pane');
  const to = run.target('pane');
  const { pane } = source;
  if (pane === to.pane) throw new Refusal('source and target panes must be different');
  const size = sizeOfSplit(run, to, args.has('h'));
  door.unzoom(to.window);
  const room = args.has('h') ? to.pane.cols : to.pane.rows;
  if (room < 3) throw new Refusal('create pane failed: pane too small');
  const from = source.window;
  const isLast = from.panes.length === 1;
  // As tmux does it within one window, too: the pane leaves its place once there is another.
  const cell = splitTarget(run, to, size);
  if (!isLast) door.removePane(pane);
  placeIn(run, to.window, cell, pane, to.window.panes.indexOf(to.pane) + (args.has('b') ? 0 : 1));
  if (isLast) {
    from.panes = [];
    for (const link of from.links) door.unlink(link);
  }
  if (!args.has('d')) {
    door.activate(pane);
    door.select(to.link);
  }
  door.relabel(to.window);
};

const respawn: VerbHandler = async (run) => {
  const { args, door } = run;
  const isWindow = args.verb.name === 'respawn-window';
  const found = run.target(isWindow ? 'window' : 'pane');
  const { session, window, link } = found;
  const pane = isWindow ? (window.panes[0] as Pane) : found.pane;
  const isAlive = isWindow ? window.panes.some((one) => one.dead === undefined) : pane.dead === undefined;
  if (isAlive && !args.has('k')) {
    const place = `${session.name}:${link.index}`;
    throw new Refusal(
      isWindow
        ? `respawn window failed: window ${place} still active`
        : `respawn pane failed: pane ${place}.${window.panes.indexOf(pane) + window.options.number('pane-base-index')} still active`,
    );
  }
  if (isWindow) for (const one of window.panes) if (one !== pane) door.killPane(one);
  const launch = run.launch(args.rest, run.subjectOf(found));
  pane.stopPipe?.();
  door.release(pane);
  const command = launch.command.length > 0 ? launch.command : pane.command;
  await door.start(pane, session, { ...launch, command, cwd: launch.cwd ?? pane.cwd });
};

export const PANE_VERBS: Readonly<Record<string, VerbHandler>> = {
  'split-window': splitWindow,
  'list-panes': listPanes,
  'select-pane': selectPane,
  'last-pane': selectPane,
  'resize-pane': resizePane,
  'kill-pane': killPane,
  'swap-pane': swapPane,
  'break-pane': breakPane,
  'join-pane': joinPane,
  'move-pane': joinPane,
  'respawn-pane': respawn,
  'respawn-window': respawn,
};
