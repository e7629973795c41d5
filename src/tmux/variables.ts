/** The variables of formats: what is known of a session, a window and a pane. */
import { constants, hostname, userInfo } from 'node:os';
import { alertsOf } from './alerts.js';
import type { Door } from './door.js';
import type { Context } from './formats.js';
import { layoutText } from './layout-sets.js';
import {
  isZoomed,
  type WindowLink,
  linksByIndex,
  type Pane,
  type PasteBuffer,
  type Session,
  type Window,
} from './model.js';
import { visible } from './format-text.js';
import { defaultName } from './names.js';
import { paneForeground } from './processes.js';
import { escapedValue, OPTIONS, type Options, type Value } from './options.js';
import type { LayoutCell } from './layout.js';
import type { PaneNeed } from './terminals.js';
import { expression, wildcard } from './wildcard.js';

export interface Subject {
  readonly session?: Session | undefined;
  readonly link?: WindowLink | undefined;
  readonly window?: Window | undefined;
  readonly pane?: Pane | undefined;
  readonly buffer?: PasteBuffer | undefined;
  /** Kind of a list's items; a pane otherwise. */
  readonly kind?: 'session' | 'window' | undefined;
  readonly more?: Readonly<Record<string, string>> | undefined;
}

type Read<T> = (of: T, subject: Subject, door: Door) => string | number | boolean | undefined;

const seconds = (ms: number): number => Math.floor(ms / 1000);

const OF_SESSIONS: Readonly<Record<string, Read<Session>>> = {
  session_name: ({ name }) => name,
  session_id: ({ id }) => `$${id}`,
  session_windows: ({ links }) => links.size,
  session_attached: () => 0,
  session_attached_list: () => undefined,
  session_last_attached: () => undefined,
  session_many_attached: () => false,
  session_created: ({ createdMs }) => seconds(createdMs),
  session_activity: ({ activityMs }) => seconds(activityMs),
  session_grouped: ({ group }) => group !== undefined,
  session_group: ({ group }) => group,
  session_group_list: (session, _, door) => membersOf(session, door)?.join(','),
  session_group_size: (session, _, door) => membersOf(session, door)?.length,
  session_group_attached: ({ group }) => (group === undefined ? undefined : 0),
  session_group_attached_list: () => undefined,
  session_group_many_attached: ({ group }) => (group === undefined ? undefined : false),
  session_path: ({ cwd }) => cwd,
  session_marked: (session, _, { state }) => state.marked?.link.session === session,
  session_format: (_, { kind }) => kind === 'session',
  session_alerts: (session) =>
    linksByIndex(session)
      .filter(({ alerts }) => alerts.size > 0)
      .map((link) => `${link.index}${alertsOf(link)}`)
      .join(','),
  session_stack: (session) => [session.current, ...session.last].map(({ index }) => index).join(','),
};

function membersOf({ group }: Session, { state }: Door): string[] | undefined {
  if (group === undefined) return undefined;
  return [...state.sessions.values()].filter((one) => one.group === group).map(({ name }) => name);
}

const OF_LINKS: Readonly<Record<string, Read<WindowLink>>> = {
  window_index: ({ index }) => index,
  window_active: (link) => link.session.current === link,
  window_last_flag: (link) => link.session.last[0] === link,
  window_flags: (link, _, door) => flagsOf(link, door).replaceAll('#', '##'),
  window_raw_flags: (link, _, door) => flagsOf(link, door),
  window_start_flag: (link) => linksByIndex(link.session)[0] === link,
  window_end_flag: (link) => linksByIndex(link.session).at(-1) === link,
  window_linked: ({ window }) => window.links.size > 1,
  window_linked_sessions: ({ window }) => window.links.size,
  window_linked_sessions_list: ({ window }) => [...window.links].map(({ session }) => session.name).join(','),
  window_active_sessions: ({ window }) => [...window.links].filter((one) => one.session.current === one).length,
  window_active_sessions_list: ({ window }) =>
    [...window.links]
      .filter((one) => one.session.current === one)
      .map(({ session }) => session.name)
      .join(','),
  window_marked_flag: (link, _, { state }) => state.marked?.link === link,
  window_active_clients: () => 0,
  window_active_clients_list: () => undefined,
  window_activity_flag: ({ alerts }) => alerts.has('#'),
  window_bell_flag: ({ alerts }) => alerts.has('!'),
  window_silence_flag: ({ alerts }) => alerts.has('~'),
  window_stack_index: (link) => link.session.last.indexOf(link) + 1,
};

function flagsOf(link: WindowLink, { state }: Door): string {
  const isCurrent = link.session.current === link;
  return [
    alertsOf(link),
    isCurrent ? '*' : link.session.last[0] === link ? '-' : '',
    state.marked?.link === link ? 'M' : '',
    isZoomed(link.window) ? 'Z' : '',
  ].join('');
}

const idOf = (pane: Pane): number => pane.id;

const OF_WINDOWS: Readonly<Record<string, Read<Window>>> = {
  window_id: ({ id }) => `@${id}`,
  window_name: ({ name }) => name,
  window_panes: ({ panes }) => panes.length,
  window_width: ({ cols }) => cols,
  window_height: ({ rows }) => rows,
  window_layout: ({ savedRoot, root }) => layoutText((savedRoot ?? root) as LayoutCell<Pane>, idOf),
  window_visible_layout: ({ root }) => layoutText(root as LayoutCell<Pane>, idOf),
  window_zoomed_flag: isZoomed,
  window_activity: ({ activityMs }) => seconds(activityMs),
  window_cell_width: () => 16,
  window_cell_height: () => 32,
  window_format: (_, { kind }) => kind === 'window',
  window_bigger: () => undefined,
  window_offset_x: () => undefined,
  window_offset_y: () => undefined,
};

/** Place of a cursor that was not saved. */
const NEVER = 0xffffffff;

const mode =
  (name: string): Read<Pane> =>
  (pane, _, door) =>
    Boolean(door.facts.get(pane.terminal)?.modes[name]);

const isOneOf =
  (name: string, values: readonly string[]): Read<Pane> =>
  (pane, _, door) =>
    values.includes(String(door.facts.get(pane.terminal)?.modes[name]));

function signalNumber(name: string | null | undefined): string | number | undefined {
  return constants.signals[name as NodeJS.Signals] ?? name ?? undefined;
}

const OF_PANES: Readonly<Record<string, Read<Pane>>> = {
  pane_id: ({ id }) => `%${id}`,
  pane_index: (pane) => pane.window.panes.indexOf(pane) + pane.window.options.number('pane-base-index'),
  pane_active: (pane) => pane.window.active === pane,
  pane_last: (pane) => pane.window.lastPanes[0] === pane,
  pane_width: ({ cols }) => cols,
  pane_height: ({ rows }) => rows,
  pane_left: ({ left }) => left,
  pane_top: ({ top }) => top,
  pane_right: ({ left, cols }) => left + cols - 1,
  pane_bottom: ({ top, rows }) => top + rows - 1,
  pane_at_left: ({ left }) => left === 0,
  pane_at_top: ({ cell }) => cell?.y === 0,
  pane_at_right: (pane) => pane.left + pane.cols === pane.window.cols,
  pane_at_bottom: ({ cell, window }) => cell !== undefined && cell.y + cell.sy === window.rows,
  pane_title: ({ title }) => title,
  pane_path: () => '',
  pane_pid: ({ pid }) => pid,
  pane_tty: ({ pid }) => paneForeground(pid)?.tty ?? '',
  pane_current_path: ({ pid }) => paneForeground(pid)?.cwd ?? '',
  pane_current_command: (pane) => {
    const [link] = pane.window.links;
    return paneForeground(pane.pid)?.command ?? (link === undefined ? '' : defaultName(pane, link.session));
  },
  pane_start_command: ({ command }) => command.map(escapedValue).join(' '),
  pane_start_path: ({ cwd }) => cwd,
  pane_dead: ({ dead }) => dead !== undefined,
  pane_dead_status: ({ dead }) => (dead?.signal === null ? (dead.status ?? undefined) : undefined),
  pane_dead_signal: ({ dead }) => signalNumber(dead?.signal),
  pane_dead_time: ({ dead }) => (dead === undefined ? undefined : seconds(dead.atMs)),
  pane_in_mode: ({ modes }) => modes.length,
  pane_mode: ({ modes }) => modes.at(-1),
  pane_input_off: ({ takesInput }) => !takesInput,
  pane_pipe: ({ stopPipe }) => stopPipe !== undefined,
  pane_synchronized: ({ options }) => options.isOn('synchronize-panes'),
  pane_marked: (pane, _, { state }) => state.marked?.pane === pane,
  pane_marked_set: (_pane, __, { state }) => state.marked !== undefined,
  pane_format: (_, { kind }) => kind === undefined,
  pane_tabs: ({ cols }) => Array.from({ length: Math.floor((cols - 1) / 8) }, (_, at) => (at + 1) * 8).join(','),
  pane_fg: () => 'default',
  pane_bg: () => 'default',
  pane_search_string: () => '',
  cursor_x: (pane, _, door) => (pane.dead === undefined ? (door.facts.get(pane.terminal)?.cursor.col ?? 0) : 0),
  cursor_y: (pane, _, door) =>
    pane.dead === undefined ? (door.facts.get(pane.terminal)?.cursor.row ?? 0) : pane.rows - 1,
  cursor_flag: (pane, _, door) => door.facts.get(pane.terminal)?.cursor.visible ?? true,
  cursor_character: ({ underCursor }) => underCursor,
  alternate_on: (pane, _, door) => door.facts.get(pane.terminal)?.alt_screen ?? false,
  alternate_saved_x: ({ savedCursor }) => savedCursor?.col ?? NEVER,
  alternate_saved_y: ({ savedCursor }) => savedCursor?.row ?? NEVER,
  history_size: (pane, _, door) =>
    (door.facts.get(pane.terminal)?.scrollback_lines ?? 0) + Number(pane.dead !== undefined && pane.terminal !== ''),
  history_limit: ({ historyLimit }) => historyLimit,
  history_bytes: (pane, _, door) => (door.facts.get(pane.terminal)?.scrollback_lines ?? 0) * pane.cols * 5,
  insert_flag: mode('insert'),
  keypad_flag: mode('application_keypad'),
  keypad_cursor_flag: mode('application_cursor'),
  origin_flag: mode('origin'),
  wrap_flag: mode('wraparound'),
  mouse_any_flag: isOneOf('mouse_tracking', ['normal', 'button', 'any']),
  mouse_all_flag: isOneOf('mouse_tracking', ['any']),
  mouse_button_flag: isOneOf('mouse_tracking', ['button']),
  mouse_standard_flag: isOneOf('mouse_tracking', ['normal']),
  mouse_sgr_flag: isOneOf('mouse_encoding', ['sgr', 'sgr-pixels']),
  mouse_utf8_flag: isOneOf('mouse_encoding', ['utf8']),
  scroll_region_upper: () => 0,
  scroll_region_lower: ({ rows }) => rows - 1,
  scroll_position: () => undefined,
};

const OF_BUFFERS: Readonly<Record<string, Read<PasteBuffer>>> = {
  buffer_name: ({ name }) => name,
  buffer_size: ({ bytes }) => bytes.length,
  buffer_created: ({ createdMs }) => seconds(createdMs),
  buffer_sample: ({ bytes }) => sampleOf(bytes),
};

/** Sample as `list-buffers` shows it: at most 200 characters, with the invisible ones in words. */
export function sampleOf(bytes: Buffer): string {
  const characters = Array.from(bytes.toString('utf8'));
  const shown = visible(characters.slice(0, MOST_SAMPLE).join(''));
  return characters.length > MOST_SAMPLE ? `${shown}...` : shown;
}

const MOST_SAMPLE = 200;

const OF_DOOR: Readonly<Record<string, (door: Door, subject: Subject) => string | number | boolean>> = {
  host: () => hostname(),
  host_short: () => hostname().split('.')[0] ?? '',
  pid: () => process.pid,
  version: () => '3.3a',
  socket_path: ({ state }) => state.socketPath,
  start_time: ({ state }) => seconds(state.startedMs),
  uid: () => process.getuid?.() ?? 0,
  user: ({ state }) => state.environment.get('USER')?.value ?? userInfo().username,
  config_files: ({ state }) => state.files.join(','),
  active_window_index: (_, { session }) => session?.current.index ?? '',
  last_window_index: (_, { session }) => (session === undefined ? '' : (linksByIndex(session).at(-1)?.index ?? '')),
  next_session_id: ({ state }) => `$${state.counters[0]}`,
};

function textOf(value: string | number | boolean | undefined): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  return value === undefined ? '' : String(value);
}

/** @param asked gets what is read */
export function contextOf(door: Door, subject: Subject, asked?: AskedPanes): Context {
  const { session, link, window, pane, buffer, more = {} } = subject;
  return {
    variable(name) {
      if (Object.hasOwn(more, name)) return more[name];
      asked?.add(pane, name);
      const option = optionText(door, subject, name);
      if (option !== undefined) return option;
      const known = <T>(table: Readonly<Record<string, Read<T>>>, of: T | undefined): string | undefined =>
        Object.hasOwn(table, name)
          ? textOf(of === undefined ? undefined : table[name]?.(of, subject, door))
          : undefined;
      const found =
        known(OF_PANES, pane) ??
        known(OF_LINKS, link) ??
        known(OF_WINDOWS, window) ??
        known(OF_SESSIONS, session) ??
        known(OF_BUFFERS, buffer) ??
        (Object.hasOwn(OF_DOOR, name) ? textOf(OF_DOOR[name]?.(door, subject)) : undefined);
      if (found !== undefined) return found;
      return (session?.environment.get(name) ?? door.state.environment.get(name))?.value;
    },
    each(what) {
      if (what === 'S') {
        return door.state
          .all()
          .map((one) => ({ context: contextOf(door, ofSession(one), asked), isActive: one === session }));
      }
      if (what === 'W') {
        return session === undefined
          ? []
          : linksByIndex(session).map((one) => ({
              context: contextOf(door, ofLink(one), asked),
              isActive: one === session.current,
            }));
      }
      return (window?.panes ?? []).map((one) => ({
        context: contextOf(door, { ...subject, pane: one, kind: undefined }, asked),
        isActive: one === window?.active,
      }));
    },
    exists: (name, isWindow) =>
      isWindow
        ? session !== undefined && linksByIndex(session).some((one) => one.window.name === name)
        : door.state.sessionNamed(name) !== undefined,
    search(pattern, ignoresCase, isRegex) {
      asked?.add(pane, ROWS);
      return rowWith(pane?.rowsSeen ?? [], pattern, ignoresCase, isRegex);
    },
  };
}

/** Number of the row from 1; 0 for none. */
function rowWith(rows: readonly string[], pattern: string, ignoresCase: boolean, isRegex: boolean): number {
  const found = isRegex ? expression(pattern, ignoresCase) : wildcard(`*${pattern}*`, ignoresCase);
  return rows.findIndex((row) => found?.test(row.trimEnd()) === true) + 1;
}

export function ofSession(session: Session): Subject {
  return { ...ofLink(session.current), kind: 'session' };
}

export function ofLink(link: WindowLink, pane?: Pane): Subject {
  const of = { session: link.session, link, window: link.window };
  return pane === undefined ? { ...of, pane: link.window.active, kind: 'window' } : { ...of, pane };
}

function optionText(door: Door, { session, window, pane }: Subject, given: string): string | undefined {
  const match = /^(.*)\[(\d+)\]$/.exec(given);
  const name = match?.[1] ?? given;
  if (!name.startsWith('@') && !OPTIONS.has(name)) return undefined;
  const { state } = door;
  const places: (Options | undefined)[] = [
    state.serverOptions,
    pane?.options,
    window?.options ?? state.windowOptions,
    session?.options ?? state.sessionOptions,
  ];
  for (const place of places) {
    const value = place?.get(name);
    if (value !== undefined) return shown(name, value, match === null ? undefined : Number(match[2]));
  }
  return undefined;
}

/** A switch is 1 or 0, a list its items. */
function shown(name: string, value: Value, index: number | undefined): string {
  if (typeof value !== 'string') return index === undefined ? [...value.values()].join(' ') : (value.get(index) ?? '');
  return OPTIONS.get(name)?.kind === 'f' ? (value === 'on' ? '1' : '0') : value;
}

/** All variables that have a value here, as `display-message -a` prints them: without those of buffers. */
export function allVariables(door: Door, subject: Subject): [name: string, value: string][] {
  const { session, link, window, pane } = subject;
  const read = <T>(table: Readonly<Record<string, Read<T>>>, of: T | undefined): [string, unknown][] =>
    of === undefined ? [] : Object.entries(table).map(([name, value]) => [name, value(of, subject, door)]);
  const all: [string, unknown][] = [
    ...read(OF_PANES, pane),
    ...read(OF_LINKS, link),
    ...read(OF_WINDOWS, window),
    ...read(OF_SESSIONS, session),
    ...Object.entries(OF_DOOR).map(([name, value]): [string, unknown] => [name, value(door, subject)]),
    ...Object.entries(subject.more ?? {}),
  ];
  return all
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, string] => [name, textOf(value as string)])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** Variables of panes that the daemon must be asked for. */
const OF_DAEMON =
  /^(cursor_\w+|alternate_\w+|history_(size|bytes)|pane_(title|dead\w*)|(insert|keypad|keypad_cursor|origin|wrap|mouse_\w+)_flag)$/;

/** Panes of which formats have read what the daemon must be asked for, until all of it was. */
export class AskedPanes {
  readonly needs = new Map<Pane, Set<PaneNeed>>();
  #known = 0;

  add(pane: Pane | undefined, name: string): void {
    if (pane === undefined || pane.terminal === '' || (name !== ROWS && !OF_DAEMON.test(name))) return;
    const of = this.needs.get(pane) ?? new Set<PaneNeed>(['facts']);
    this.needs.set(pane, of);
    if (name === ROWS) of.add('rows');
    if (name === 'cursor_character') of.add('character');
  }

  /** @returns whether more is asked for than before */
  hasGrown(): boolean {
    const before = this.#known;
    this.#known = [...this.needs.values()].reduce((sum, { size }) => sum + size, 0);
    return this.#known > before;
  }
}

/** Stands for the modifier `C`. */
const ROWS = '';
