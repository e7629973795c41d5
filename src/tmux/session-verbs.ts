/** Verbs of sessions. */
import { forget } from './alerts.js';
import { systemClock } from '../base/clock.js';
import { type TmuxEnvironment, type WindowLink, linksByIndex, type Pane, type Session, type Window } from './model.js';
import { Options, Refusal } from './options.js';
import { cleanName, defaultName, nameWindow } from './names.js';
import { type VerbHandler, type VerbRun, countIn } from './run.js';
import type { Found } from './targets.js';
import { ofSession } from './variables.js';

const WINDOW_LIMIT = 10_000;

/** Environment that a new session takes of its client. */
function inherited({ door, call }: VerbRun): TmuxEnvironment {
  const environment: TmuxEnvironment = new Map();
  const patterns = door.state.sessionOptions.get('update-environment');
  if (patterns === undefined || typeof patterns === 'string') return environment;
  for (const name of patterns.values()) environment.set(name, { value: call.env[name], hidden: false });
  return environment;
}

const newSession: VerbHandler = async (run) => {
  const { args, state, door, call } = run;
  const place = run.current;
  const target = args.get('t');
  if (target !== undefined && (args.rest.length > 0 || args.has('n')))
    throw new Refusal('command or window name given with target');
  let name = args.get('s');
  if (name !== undefined) {
    name = cleanName(run.formatNow(name, {}));
    if (name === '') throw new Refusal(`invalid session: ${name}`);
    if (state.sessionNamed(name) !== undefined) {
      if (!args.has('A')) throw new Refusal(`duplicate session: ${name}`);
      if (isNested(run)) throw nested();
      return show(run, state.sessionNamed(name)?.current.window.active);
    }
  }
  if (!args.has('d') && isNested(run)) throw nested();
  // A name of no session is that of a new group.
  const group =
    target === undefined
      ? undefined
      : (run.mayTarget('session').session ?? state.all().find((one) => one.group === target));
  const groupName = target === undefined ? undefined : (group?.group ?? group?.name ?? target);
  if (!args.has('d') && call.attach === undefined) throw noTerminal();
  let [cols, rows] = state.sessionOptions.defaultSize;
  // The last row of a person's terminal is the bar.
  if (!args.has('d') && call.size !== undefined) [cols, rows] = [call.size.cols, Math.max(1, call.size.rows - 1)];
  const { x, y } = { x: args.get('x'), y: args.get('y') };
  if (x !== undefined && x !== '-') cols = countIn(x, 'width', 65_535);
  if (y !== undefined && y !== '-') rows = countIn(y, 'height', 65_535);
  [cols, rows] = [Math.min(cols, WINDOW_LIMIT), Math.min(rows, WINDOW_LIMIT)];
  let id = state.nextSessionId();
  const numbered = (): string => (groupName === undefined ? String(id) : `${cleanName(groupName)}-${id}`);
  while (name === undefined && state.sessionNamed(numbered()) !== undefined) id = state.nextSessionId();
  name ??= numbered();
  const options = new Options(state.sessionOptions);
  if (x !== undefined || y !== undefined) options.set('default-size', `${cols}x${rows}`);
  const directory = args.get('c');
  const cwd =
    directory === undefined ? call.cwd : run.formatNow(directory, place === undefined ? {} : run.subjectOf(place));
  const session = {
    id,
    name,
    links: new Map<number, WindowLink>(),
    last: [],
    environment: inherited(run),
    options,
    cwd: cwd === '' ? call.cwd : cwd,
    createdMs: systemClock.wallNow(),
    activityMs: Math.max(systemClock.wallNow(), ...state.all().map((one) => one.activityMs + 0.001)),
    group: groupName,
  } as unknown as Session;
  for (const [key, value] of Object.entries(run.launch([], {}).environment))
    session.environment.set(key, { value, hidden: false });
  state.sessions.set(id, session);
  if (group !== undefined) {
    group.group ??= group.name;
    for (const { window, index } of linksByIndex(group)) door.link(session, window, index);
    session.current = session.links.get(group.current.index) as WindowLink;
  } else {
    const window = door.newWindow(cols, rows);
    session.current = door.link(session, window, options.number('base-index'));
    await startFirst(run, session, window);
  }
  run.aim = { session };
  if (args.has('P')) run.print(await run.format(args.get('F') ?? '#{session_name}:', ofSession(session)));
  if (!args.has('d')) show(run, session.current.window.active);
};

/** The terminal of the call is a pane of this door. */
function isNested({ call, state }: VerbRun): boolean {
  const { TMUX: within = '', TMUX_PANE: pane = '' } = call.env;
  return call.isTerminal && within.startsWith(`${state.socketPath},`) && state.panes.has(Number(pane.slice(1)));
}

function nested(): Refusal {
  return new Refusal('sessions should be nested with care, unset $TMUX to force');
}

function noTerminal(): Refusal {
  return new Refusal('open terminal failed: not a terminal');
}

/** Shows a pane to the person whose call this is, by `t4a attach`. @throws Refusal where there is no person */
function show({ call, door }: VerbRun, pane: Pane | undefined): void {
  if (call.attach === undefined || pane === undefined || pane.terminal === '') throw noTerminal();
  call.attach(pane.terminal, door.client.socketPath);
}

async function startFirst(run: VerbRun, session: Session, window: Window): Promise<void> {
  const { args, door } = run;
  const launch = run.launch(args.rest, {});
  window.active.command = launch.command;
  const given = args.get('n');
  if (given === undefined) window.name = defaultName(window.active, session);
  else nameWindow(window, run.formatNow(given, ofSession(session)));
  try {
    await door.start(window.active, session, { ...launch, cwd: session.cwd });
  } catch (error) {
    door.dropSession(session);
    throw error;
  }
}

const killSession: VerbHandler = (run) => {
  const { session } = run.target('session');
  if (run.args.has('C')) for (const { window } of linksByIndex(session)) forget(window);
  if (run.args.has('C')) return;
  if (!run.args.has('a')) return run.door.dropSession(session);
  for (const one of run.state.all()) if (one !== session) run.door.dropSession(one);
};

const renameSession: VerbHandler = (run) => {
  const found = run.target('session');
  const { session } = found;
  const [given = ''] = run.args.rest;
  const name = cleanName(run.formatNow(given, run.subjectOf(found)));
  if (name === '') throw new Refusal(`invalid session: ${given}`);
  if (name === session.name) return;
  if (run.state.sessionNamed(name) !== undefined) throw new Refusal(`duplicate session: ${name}`);
  session.name = name;
  for (const { window } of linksByIndex(session)) run.door.relabel(window);
};

const listSessions: VerbHandler = (run) => run.list(run.state.all().map(ofSession), SESSION_LINE);

const SESSION_LINE =
  '#{session_name}: #{session_windows} windows (created #{t:session_created})#{?session_grouped, (group ,}#{session_group}#{?session_grouped,),}#{?session_attached, (attached),}';

export const noClient: VerbHandler = ({ args }) => {
  const [, flag = ''] = /-([ct]) target-client/.exec(args.verb.usage) ?? [];
  const name = args.get(flag);
  throw new Refusal(name === undefined ? 'no current client' : `can't find client: ${name.replace(/:$/, '')}`);
};

const attach: VerbHandler = (run) => {
  if (run.state.sessions.size === 0) throw new Refusal('no sessions');
  if (isNested(run)) throw nested();
  const target = run.args.get('t') ?? '';
  const kind = target.includes(':') || target.includes('.') ? 'pane' : 'session';
  const found: Found = run.target(kind);
  if (found.session.links.size === 0) throw new Refusal('no sessions');
  if (kind === 'pane' && !run.args.has('r')) {
    run.door.select(found.link);
    run.door.activate(found.pane);
  }
  show(run, found.pane);
};

const switchClient: VerbHandler = (run) =>
  run.call.attach === undefined || isNested(run) ? noClient(run) : attach(run);

const listClients: VerbHandler = (run) => {
  if (run.args.get('t') !== undefined) run.target('session');
};

export const SESSION_VERBS: Readonly<Record<string, VerbHandler>> = {
  'new-session': newSession,
  'has-session': (run) => void run.target('session'),
  'kill-session': killSession,
  'rename-session': renameSession,
  'list-sessions': listSessions,
  'attach-session': attach,
  'list-clients': listClients,
  'switch-client': switchClient,
  ...Object.fromEntries(
    'detach-client refresh-client suspend-client display-popup display-menu display-panes command-prompt confirm-before lock-client'
      .split(' ')
      .map((name) => [name, noClient]),
  ),
  'lock-server': () => {},
  'lock-session': (run) => void run.target('session'),
};
