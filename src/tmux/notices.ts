/** Changes between two moments, as hooks of tmux name them. Pure. */
import { layoutText } from './layout-sets.js';
import type { LayoutCell } from './layout.js';
import type { WindowLink, Pane, Session, Window } from './model.js';
import type { State } from './state.js';

export interface HookNotice {
  readonly name: string;
  readonly session?: Session | undefined;
  readonly window?: Window | undefined;
  readonly pane?: Pane | undefined;
}

interface SeenWindow {
  readonly window: Window;
  readonly name: string;
  readonly layout: string;
  readonly active: Pane;
}

interface SeenSession {
  readonly session: Session;
  readonly name: string;
  readonly current: WindowLink;
  readonly links: ReadonlySet<WindowLink>;
}

export interface SeenState {
  readonly windows: ReadonlyMap<number, SeenWindow>;
  readonly sessions: ReadonlyMap<number, SeenSession>;
}

export function seenOf({ windows, sessions }: State): SeenState {
  return {
    windows: new Map(
      [...windows].map(([id, window]) => {
        const layout = layoutText(window.root as LayoutCell<Pane>, (pane) => pane.id);
        return [id, { window, name: window.name, layout, active: window.active }];
      }),
    ),
    sessions: new Map(
      [...sessions].map(([id, session]) => {
        const links = new Set(session.links.values());
        return [id, { session, name: session.name, current: session.current, links }];
      }),
    ),
  };
}

export function noticesBetween(before: SeenState, after: SeenState): HookNotice[] {
  const notices: HookNotice[] = [];
  for (const [id, { session, name, current, links }] of after.sessions) {
    const old = before.sessions.get(id);
    for (const link of links)
      if (old?.links.has(link) !== true) notices.push({ name: 'window-linked', session, window: link.window });
    for (const link of old?.links ?? [])
      if (!links.has(link)) notices.push({ name: 'window-unlinked', session, window: link.window });
    if (old === undefined) notices.push({ name: 'session-created', session });
    else if (old.name !== name) notices.push({ name: 'session-renamed', session });
    if (old?.current !== current) notices.push({ name: 'session-window-changed', session });
  }
  for (const [id, { window, name, layout, active }] of after.windows) {
    const old = before.windows.get(id);
    if (old !== undefined && old.name !== name) notices.push({ name: 'window-renamed', window });
    if (old !== undefined && old.active !== active) notices.push({ name: 'window-pane-changed', window });
    if (old !== undefined && old.layout !== layout) notices.push({ name: 'window-layout-changed', window });
  }
  for (const [id, { session, links }] of before.sessions) {
    if (after.sessions.has(id)) continue;
    for (const { window } of links) notices.push({ name: 'window-unlinked', session, window });
    notices.push({ name: 'session-closed', session });
  }
  return notices;
}

/** Variables that the commands of the hook may read. */
export function variablesOf({ name, session, window, pane }: HookNotice): Record<string, string> {
  return {
    hook: name,
    ...(session === undefined ? {} : { hook_session: `$${session.id}`, hook_session_name: session.name }),
    ...(window === undefined ? {} : { hook_window: `@${window.id}`, hook_window_name: window.name }),
    ...(pane === undefined ? {} : { hook_pane: `%${pane.id}` }),
  };
}
