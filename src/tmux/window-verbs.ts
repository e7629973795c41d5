/** Verbs of windows. */
import { type LayoutCell, spread } from './layout.js';
import { arrange, LAYOUT_NAMES, layoutText, parseLayout } from './layout-sets.js';
import { type WindowLink, linksByIndex, type Pane, type Session, type Window } from './model.js';
import { Refusal } from './options.js';
import { adjustmentIn, type VerbHandler, type VerbRun, countIn } from './run.js';
import { visible } from './format-text.js';
import { defaultName, nameWindow } from './names.js';
import type { Found } from './targets.js';
import { ofLink } from './variables.js';

function freeIndex(session: Session): number {
  let index = session.options.number('base-index');
  while (session.links.has(index)) index += 1;
  return index;
}

/** Makes room before or behind a window. */
function shuffled(session: Session, index: number): number {
  let end = index;
  while (session.links.has(end)) end += 1;
  for (; end > index; end -= 1) {
    const link = session.links.get(end - 1) as WindowLink;
    session.links.delete(end - 1);
    link.index = end;
    session.links.set(end, link);
  }
  return index;
}

/** The index that `-a`, `-b`, `-k` and the target mean. @throws Refusal */
export function placeFor(
  run: VerbRun,
  { session, index, link }: Found,
  replaced: (old: WindowLink) => void,
  taken = 'index',
): number {
  const { args } = run;
  if (args.has('a') || args.has('b')) {
    return shuffled(session, args.has('b') ? link.index : link.index + 1);
  }
  if (index === -1) return freeIndex(session);
  const old = session.links.get(index);
  if (old === undefined) return index;
  if (!args.has('k'))
    throw new Refusal(taken === 'index' ? `index in use: ${index}` : `create window failed: index ${index} in use`);
  replaced(old);
  return index;
}

const newWindow: VerbHandler = async (run) => {
  const { args, door } = run;
  const found = run.target('window', { isIndex: true });
  const { session } = found;
  const subject = run.subjectOf(found);
  const name = args.get('n');
  const given = name === undefined ? undefined : run.formatNow(name, subject);
  const looks = args.has('S') && given !== undefined && found.index === -1;
  if (looks) {
    const same = linksByIndex(session).filter(({ window }) => window.name === given);
    const [only] = same;
    if (same.length > 1) throw new Refusal(`multiple windows named ${given}`);
    if (only !== undefined) {
      if (!args.has('d')) door.select(only);
      return;
    }
  }
  let replaced: WindowLink | undefined;
  // A look in vain makes tmux forget what the window was to be beside.
  const index = looks ? freeIndex(session) : placeFor(run, found, (old) => (replaced = old), 'create');
  const [cols, rows] = session.options.defaultSize;
  const window = door.newWindow(cols, rows);
  const isCurrent = replaced !== undefined && session.current === replaced;
  if (replaced !== undefined) session.links.delete(index);
  const link = door.link(session, window, index);
  const launch = run.launch(args.rest, subject);
  window.active.command = launch.command;
  window.name = defaultName(window.active, session);
  if (given !== undefined) nameWindow(window, given);
  if (replaced !== undefined) {
    session.links.set(-1, replaced);
    replaced.index = -1;
    if (isCurrent || !args.has('d')) session.current = link;
    door.unlink(replaced);
  }
  if (!args.has('d')) door.select(link);
  try {
    await door.start(window.active, session, launch);
  } catch (error) {
    door.unlink(link);
    throw error;
  }
  follow(run, session, link);
  run.aim = { session, link };
  if (args.has('P')) run.print(await run.format(args.get('F') ?? PLACE, ofLink(link)));
};

export const PLACE = '#{session_name}:#{window_index}.#{pane_index}';

/** Sessions of a group have the same windows. */
function follow({ door, state }: VerbRun, session: Session, { window, index }: WindowLink): void {
  if (session.group === undefined) return;
  for (const other of state.all()) {
    if (other !== session && other.group === session.group && !other.links.has(index)) door.link(other, window, index);
  }
}

const listWindows: VerbHandler = (run) => {
  const { session } = run.target('session');
  if (run.args.has('a')) {
    return run.list(
      run.state.all().flatMap((session) => linksByIndex(session).map((link) => ofLink(link))),
      '#{session_name}:#{window_index}: #{window_name}#{window_raw_flags} (#{window_panes} panes) [#{window_width}x#{window_height}] ',
      'session',
    );
  }
  return run.list(
    linksByIndex(session).map((link) => ofLink(link)),
    WINDOW_LINE,
  );
};

const WINDOW_LINE =
  '#{window_index}: #{window_name}#{window_raw_flags} (#{window_panes} panes) [#{window_width}x#{window_height}] [layout #{window_layout}] #{window_id}#{?window_active, (active),}';

function step(run: VerbRun, by: 1 | -1): void {
  const { session } = run.target('session');
  const links = linksByIndex(session);
  const from = links.indexOf(session.current);
  const others = links.map((_, at) => links.at((from + by * (at + 1)) % links.length));
  const link = others.find((one) => !run.args.has('a') || (one?.alerts.size ?? 0) > 0);
  if (link === undefined || link === session.current)
    throw new Refusal(by === 1 ? 'no next window' : 'no previous window');
  run.door.select(link);
}

function last(run: VerbRun): void {
  const { session } = run.target('session');
  const [link] = session.last;
  if (link === undefined) throw new Refusal('no last window');
  run.door.select(link);
}

const selectWindow: VerbHandler = (run) => {
  const { args, door } = run;
  if (args.has('n')) return step(run, 1);
  if (args.has('p')) return step(run, -1);
  if (args.has('l')) return last(run);
  const { link, session } = run.target('window');
  if (args.has('T') && link === session.current) return last(run);
  // Hooks of a choice that changes nothing are about the current session.
  if (!door.select(link)) run.aim = undefined;
};

const killWindow: VerbHandler = (run) => {
  const { session, window } = run.target('window');
  const all = linksByIndex(session).map((link) => link.window);
  for (const one of run.args.has('a') ? all.filter((other) => other !== window) : [window])
    for (const link of one.links) run.door.unlink(link);
};

const renameWindow: VerbHandler = (run) => {
  const found = run.target('window');
  const { window } = found;
  nameWindow(window, visible(run.formatNow(run.args.rest[0] ?? '', run.subjectOf(found))));
  run.door.relabel(window);
};

/** `move-window` and `link-window`. */
const linkWindow: VerbHandler = (run) => {
  const { args, door } = run;
  const isMove = args.verb.name === 'move-window';
  if (isMove && args.has('r')) {
    // tmux has no words for a session that is not there.
    const { session, pane } = run.mayTarget('session');
    if (session !== undefined && pane !== undefined) door.renumber(session);
    return;
  }
  const source = run.target('window', { flag: 's' });
  const to = run.target('window', { isIndex: true });
  const index = placeForLink(run, source, to);
  const link = door.link(to.session, source.window, index);
  if (!args.has('d')) door.select(link);
  if (isMove) {
    if (source.link === source.session.current && source.session === to.session && args.has('d'))
      source.session.current = link;
    door.unlink(source.link);
    if (source.session.options.isOn('renumber-windows')) door.renumber(source.session);
  }
  door.relabel(source.window);
};

export function placeForLink(run: VerbRun, source: Found, to: Found): number {
  const isBeside = run.args.has('a') || run.args.has('b');
  if (!isBeside && to.session.links.get(to.index)?.window === source.window)
    throw new Refusal(`same index: ${to.index}`);
  let old: WindowLink | undefined;
  const index = placeFor(run, to, (one) => (old = one));
  if (old !== undefined) run.door.unlink(old);
  return index;
}

const unlinkWindow: VerbHandler = (run) => {
  const { link, window } = run.target('window');
  if (!run.args.has('k') && window.links.size === 1) throw new Refusal('window only linked to one session');
  run.door.unlink(link);
};

const swapWindow: VerbHandler = (run) => {
  const source = run.source('window');
  const to = run.target('window');
  if (source.window === to.window) return;
  const [one, two] = [source.link.window, to.link.window];
  one.links.delete(source.link);
  two.links.delete(to.link);
  source.link.window = two;
  to.link.window = one;
  two.links.add(source.link);
  one.links.add(to.link);
  if (run.args.has('d')) {
    run.door.select(to.link);
    if (source.session !== to.session) run.door.select(source.link);
  }
  for (const window of [one, two]) run.door.relabel(window);
};

const rotateWindow: VerbHandler = (run) => {
  const { window } = run.target('window');
  const zoomed = run.door.unzoom(window) && run.args.has('Z');
  const isDown = run.args.has('D');
  const cells = window.panes.map(({ cell }) => cell);
  const active = window.panes.indexOf(window.active);
  if (isDown) window.panes.unshift(...window.panes.splice(-1));
  else window.panes.push(...window.panes.splice(0, 1));
  for (const [place, pane] of window.panes.entries()) {
    const cell = cells[place];
    if (cell !== undefined) cell.pane = pane;
  }
  if (window.root !== undefined) run.door.setRoot(window, window.root as LayoutCell<Pane>);
  const next = window.panes[active];
  if (next !== undefined) run.door.activate(next);
  if (zoomed) run.door.zoom(window.active);
};

const resizeWindow: VerbHandler = (run) => {
  const { args, door } = run;
  const { window, session } = run.target('window');
  const by = adjustmentIn(args.rest[0]);
  let { cols, rows } = window;
  const [x, y] = [args.get('x'), args.get('y')];
  if (x !== undefined) cols = countIn(x, 'width', 10_000);
  if (y !== undefined) rows = countIn(y, 'height', 10_000);
  if (args.has('L')) cols = Math.max(1, cols - by);
  else if (args.has('R')) cols += by;
  else if (args.has('U')) rows = Math.max(1, rows - by);
  else if (args.has('D')) rows += by;
  // No client has a size.
  if (args.has('a') || args.has('A')) [cols, rows] = session.options.defaultSize;
  window.options.set('window-size', 'manual');
  door.resizeWindow(window, cols, rows);
};

const selectLayout: VerbHandler = (run) => {
  const { args, door } = run;
  const verb = args.verb.name;
  const { window, pane } = run.target(verb === 'select-layout' ? 'pane' : 'window');
  door.unzoom(window);
  const old = olds.get(window);
  const before = layoutText(window.root as LayoutCell<Pane>, ({ id }) => id);
  olds.set(window, before);
  if (verb === 'next-layout' || args.has('n')) return step2(run, window, 1);
  if (verb === 'previous-layout' || args.has('p')) return step2(run, window, -1);
  if (args.has('E')) {
    for (let cell = pane.cell?.parent; cell !== undefined; cell = cell.parent)
      if (spread(cell, window.options.text('pane-border-status'))) break;
    if (window.root !== undefined) door.setRoot(window, window.root as LayoutCell<Pane>);
    return;
  }
  const [given] = args.rest;
  if (args.has('o')) {
    if (old !== undefined) setLayout(run, window, old);
    return;
  }
  if (given === undefined) {
    if (window.lastLayout >= 0) applyNamed(run, window, window.lastLayout);
    return;
  }
  const named = nameOf(given);
  if (named === undefined) setLayout(run, window, given);
  else applyNamed(run, window, named);
};

const olds = new WeakMap<Window, string>();

function nameOf(given: string): number | undefined {
  const [first, second] = LAYOUT_NAMES.filter((name) => given !== '' && name.startsWith(given));
  return first === undefined || second !== undefined ? undefined : LAYOUT_NAMES.indexOf(first);
}

function step2(run: VerbRun, window: Window, by: 1 | -1): void {
  const count = LAYOUT_NAMES.length;
  run.door.unzoom(window);
  const next = window.lastLayout === -1 ? (by === 1 ? 0 : count - 1) : (window.lastLayout + by + count) % count;
  applyNamed(run, window, next);
}

function applyNamed({ door }: VerbRun, window: Window, place: number): void {
  window.lastLayout = place;
  const { panes, cols, rows, options } = window;
  const share = (option: string, whole: number): number | undefined => {
    const text = options.text(option);
    const percent = /^(\d+)%$/.exec(text);
    return percent === null ? Number(text) || 0 : Math.floor((whole * Number(percent[1])) / 100);
  };
  const edge = options.text('pane-border-status');
  const root = arrange<Pane>(LAYOUT_NAMES[place] ?? 'tiled', { panes, cols, rows, edge, share });
  if (root === undefined) return;
  Object.assign(window, { cols: root.sx, rows: root.sy });
  door.setRoot(window, root);
}

function setLayout({ door }: VerbRun, window: Window, text: string): void {
  const root = parseLayout(text, window.panes);
  if (root === undefined) throw new Refusal(`invalid layout: ${text}`);
  Object.assign(window, { cols: root.sx, rows: root.sy });
  door.setRoot(window, root);
}

export const WINDOW_VERBS: Readonly<Record<string, VerbHandler>> = {
  'new-window': newWindow,
  'list-windows': listWindows,
  'select-window': selectWindow,
  'next-window': (run) => step(run, 1),
  'previous-window': (run) => step(run, -1),
  'last-window': last,
  'kill-window': killWindow,
  'rename-window': renameWindow,
  'move-window': linkWindow,
  'link-window': linkWindow,
  'unlink-window': unlinkWindow,
  'swap-window': swapWindow,
  'rotate-window': rotateWindow,
  'resize-window': resizeWindow,
  'select-layout': selectLayout,
  'next-layout': selectLayout,
  'previous-layout': selectLayout,
};
