/** Verbs of options, hooks and environments. */
import type { LayoutCell } from './layout.js';
import type { TmuxEnvironment, Pane, Session } from './model.js';
import {
  checkedValue,
  escapedValue,
  firstValue,
  isHook,
  isList,
  itemsOf,
  optionNamed,
  type Options,
  OPTIONS,
  Refusal,
  SESSION_HOOKS,
  type Scope,
  scopeOf,
  type Value,
  WINDOW_HOOKS,
} from './options.js';
import { textInFull } from './arguments.js';
import { forgetNaming } from './renaming.js';
import type { VerbHandler, VerbRun } from './run.js';

/** The scope that flags and the name of the option mean. @throws Refusal */
function optionsFor(run: VerbRun, name: string | undefined): { readonly options: Options; readonly scopes: string } {
  const { args, state } = run;
  const isWindowVerb = args.verb.name.endsWith('window-option') || args.verb.name.endsWith('window-options');
  const known = name === undefined || name.startsWith('@') ? undefined : scopeOf(name);
  const target = args.get('t');
  let scope: Scope | undefined = known;
  if (scope === undefined) {
    scope = args.has('s') ? 's' : args.has('p') ? 'p' : args.has('w') || isWindowVerb ? 'w' : 'g';
  } else if (scope === 'p' && !args.has('p')) scope = 'w';
  const { session, window, pane } = run.mayTarget('pane');
  const refuse = (what: string): never => {
    throw new Refusal(target === undefined ? `no current ${what}` : `no such ${what}: ${target}`);
  };
  switch (scope) {
    case 's':
      return { options: state.serverOptions, scopes: 's' };
    case 'g':
      if (args.has('g')) return { options: state.sessionOptions, scopes: 'g' };
      return { options: (session ?? refuse('session')).options, scopes: 'g' };
    case 'p':
      if (args.has('g')) return { options: state.windowOptions, scopes: 'wp' };
      return { options: (pane ?? refuse('pane')).options, scopes: 'p' };
    default:
      if (args.has('g')) return { options: state.windowOptions, scopes: 'wp' };
      return { options: (window ?? refuse('window')).options, scopes: 'wp' };
  }
}

const setOption: VerbHandler = (run) => {
  const { args } = run;
  const [given = '', second] = args.rest;
  const of = run.subjectOf(run.mayTarget('pane'));
  try {
    const { name, index } = optionNamed(run.formatNow(given, of));
    const { options } = optionsFor(run, name);
    const value = second !== undefined && args.has('F') ? run.formatNow(second, of) : second;
    change(run, options, name, index, value);
    if (name === 'automatic-rename') forgetNaming(run.state.windows.values());
    if (name === 'pane-border-status')
      for (const window of run.state.windows.values()) run.door.setRoot(window, window.root as LayoutCell<Pane>);
  } catch (error) {
    if (error instanceof Refusal && args.has('q')) return;
    throw error;
  }
};

function change(
  run: VerbRun,
  options: Options,
  name: string,
  index: number | undefined,
  value: string | undefined,
): void {
  const { args } = run;
  const own = options.own(name);
  const items = typeof own === 'object' ? own : undefined;
  if (args.has('u') || args.has('U')) {
    if (args.has('U')) for (const pane of run.mayTarget('pane').window?.panes ?? []) pane.options.delete(name);
    if (own === undefined) return;
    if (index !== undefined && items === undefined) throw new Refusal(`not an array: ${args.rest[0]}`);
    if (index !== undefined && items !== undefined) {
      options.set(name, new Map([...items].filter(([at]) => at !== index)));
    } else reset(options, name);
    return;
  }
  if (args.has('o') && own !== undefined && (index === undefined || items?.has(index) === true)) {
    throw new Refusal(`already set: ${args.rest[0]}`);
  }
  if (isList(name)) {
    if (value === undefined) throw new Refusal('empty value');
    options.set(name, listWith(name, items, index, isHook(name) ? textInFull(value) : value, args.has('a')));
    return;
  }
  if (index !== undefined) throw new Refusal(`not an array: ${args.rest[0]}`);
  const now = options.text(name);
  const kind = OPTIONS.get(name)?.kind ?? 't';
  const separator = kind === 'y' ? ',' : '';
  const isAppended = args.has('a') && value !== undefined && ['t', 'y'].includes(kind);
  const next = isAppended ? now + (now === '' ? '' : separator) + value : value;
  options.set(name, checkedValue(name, next, now));
}

function reset(options: Options, name: string): void {
  if (options.parent !== undefined || !OPTIONS.has(name)) return options.delete(name);
  options.set(name, firstValue(name));
}

function listWith(
  name: string,
  items: ReadonlyMap<number, string> | undefined,
  index: number | undefined,
  value: string,
  appends: boolean,
): Value {
  const next = new Map(appends || index !== undefined ? (items ?? []) : []);
  if (index !== undefined) {
    next.set(index, appends ? (next.get(index) ?? '') + value : value);
  } else {
    let at = 0;
    for (const item of itemsOf(name, value)) {
      while (next.has(at)) at += 1;
      next.set(at, item);
    }
  }
  return new Map([...next].toSorted(([a], [b]) => a - b));
}

const showOptions: VerbHandler = (run) => {
  const { args } = run;
  const isHooks = args.verb.name === 'show-hooks';
  const [given] = args.rest;
  const isQuiet = args.has('q');
  try {
    if (given !== undefined) {
      const { name, index } = optionNamed(run.formatNow(given, run.subjectOf(run.mayTarget('pane'))));
      const { options } = optionsFor(run, name);
      if (showIn(run, options, name, index)) return;
      if (name.startsWith('@') && !isQuiet) throw new Refusal(`invalid option: ${given}`);
      else if (isHook(name) && options.parent === undefined && !args.has('v')) run.print(name);
      return;
    }
    const { options, scopes } = optionsFor(run, undefined);
    if (!isHooks)
      for (const name of options.names())
        if (name.startsWith('@')) show(run, name, undefined, options.own(name) ?? '', false);
    const hooks = scopes === 'g' ? SESSION_HOOKS : WINDOW_HOOKS;
    const names = isHooks ? hooks : [...OPTIONS.keys(), ...(args.has('H') ? hooks : [])];
    for (const name of names) {
      if ((!isHook(name) && !scopes.includes(scopeOf(name))) || showIn(run, options, name)) continue;
      if (isHook(name) && options.parent === undefined) run.print(name);
    }
  } catch (error) {
    if (error instanceof Refusal && isQuiet) return;
    throw error;
  }
};

/** @returns whether there is a value to be shown */
function showIn(run: VerbRun, options: Options, name: string, index?: number): boolean {
  const own = options.own(name);
  const value = own ?? (run.args.has('A') ? options.get(name) : undefined);
  if (value !== undefined) show(run, name, index, value, own === undefined);
  return value !== undefined;
}

function show(run: VerbRun, name: string, index: number | undefined, value: Value, isInherited: boolean): void {
  const isBare = run.args.has('v');
  const line = (label: string, text: string): void => {
    const shown = textualKind(name) ? escapedValue(text) : text;
    run.print(isBare ? text : `${label}${isInherited ? '*' : ''} ${shown}`);
  };
  const label = index === undefined ? name : `${name}[${index}]`;
  if (typeof value === 'string') return line(label, value);
  if (index !== undefined) return line(label, value.get(index) ?? '');
  if (value.size === 0 && !isBare) run.print(name);
  for (const [at, item] of value) line(`${name}[${at}]`, item);
}

/** Hooks are commands, which are printed as they are. */
function textualKind(name: string): boolean {
  return !isHook(name) && ['t', 'a', 'y'].includes(OPTIONS.get(name)?.kind[0] ?? 't');
}

const setHook: VerbHandler = async (run) => {
  const { args } = run;
  const [given = ''] = args.rest;
  const { name } = optionNamed(given);
  if (args.has('R')) {
    const { options } = optionsFor(run, name);
    const value = options.get(name);
    for (const text of value === undefined ? [] : typeof value === 'string' ? [value] : value.values())
      await run.runText(text);
    return;
  }
  await setOption(run);
};

function environmentFor(run: VerbRun): { readonly environment: TmuxEnvironment; readonly session?: Session } {
  if (run.args.has('g')) return { environment: run.state.environment };
  const { session } = run.mayTarget('session');
  const target = run.args.get('t');
  if (session === undefined)
    throw new Refusal(target === undefined ? 'no current session' : `no such session: ${target}`);
  return { environment: session.environment, session };
}

const setEnvironment: VerbHandler = (run) => {
  const { args } = run;
  const [name = '', given] = args.rest;
  if (name === '') throw new Refusal('empty variable name');
  if (name.includes('=')) throw new Refusal('variable name contains =');
  const { environment } = environmentFor(run);
  if (args.has('u') || args.has('r')) {
    if (given !== undefined) throw new Refusal(`can't specify a value with -${args.has('u') ? 'u' : 'r'}`);
    if (args.has('u')) environment.delete(name);
    else environment.set(name, { value: undefined, hidden: false });
    return;
  }
  if (given === undefined) throw new Refusal('no value specified');
  const value = args.has('F') ? run.formatNow(given, run.subjectOf(run.mayTarget('session'))) : given;
  environment.set(name, { value, hidden: args.has('h') });
};

const showEnvironment: VerbHandler = (run) => {
  const { args } = run;
  const [name] = args.rest;
  const target = args.get('t');
  if (target !== undefined && run.mayTarget('session').session === undefined)
    throw new Refusal(`no such session: ${target}`);
  const { environment } = environmentFor(run);
  const print = (of: string): void => {
    const { value, hidden } = environment.get(of) ?? { value: undefined, hidden: false };
    if (hidden !== args.has('h')) return;
    if (!args.has('s')) return run.print(value === undefined ? `-${of}` : `${of}=${value}`);
    if (value === undefined) return run.print(`unset ${of};`);
    run.print(`${of}="${value.replaceAll(/[$`"\\]/g, String.raw`\$&`)}"; export ${of};`);
  };
  if (name === undefined) {
    for (const of of [...environment.keys()].toSorted()) print(of);
    return;
  }
  if (!environment.has(name)) throw new Refusal(`unknown variable: ${name}`);
  print(name);
};

export const OPTION_VERBS: Readonly<Record<string, VerbHandler>> = {
  'set-option': setOption,
  'set-window-option': setOption,
  'show-options': showOptions,
  'show-window-options': showOptions,
  'show-hooks': showOptions,
  'set-hook': setHook,
  'set-environment': setEnvironment,
  'show-environment': showEnvironment,
};
