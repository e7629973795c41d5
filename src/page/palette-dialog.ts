/** What can be done on the page, by its name: the way out of a terminal for a person without a mouse. */
import { h, type ComponentChild } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Desk } from './desk.js';
import { icon } from './icons.js';
import { questionInLine } from './state.js';

interface Action {
  readonly name: string;
  /** Beside it, in the list. */
  readonly note?: string;
  act(): void;
}

export function PaletteDialog({ desk }: { readonly desk: Desk }): ComponentChild {
  const dialog = useRef<HTMLDialogElement>(null);
  const chosen = useRef<HTMLLIElement>(null);
  const [words, setWords] = useState('');
  const [at, setAt] = useState(0);
  // At once: the next key is for it.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useEffect(() => chosen.current?.scrollIntoView({ block: 'nearest' }), [at, words]);
  const wanted = words.toLowerCase().split(' ').filter(Boolean);
  const shown = actionsOf(desk).filter(({ name, note = '' }) => {
    const text = `${name} ${note}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  const index = Math.min(at, shown.length - 1);
  const run = (action: Action | undefined): void => {
    if (action === undefined) return;
    desk.closePalette();
    action.act();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    const step = STEPS[event.key];
    // At once, and not with the event of the dialog, which comes after the next key.
    if (event.key === 'Escape') desk.closePalette();
    else if (event.key === 'Enter') run(shown[index]);
    else if (step !== undefined && shown.length > 0) setAt((index + step + shown.length) % shown.length);
    else return;
    event.preventDefault();
  };
  return h(
    'dialog',
    {
      ref: dialog,
      class: 'palette',
      'aria-label': 'Commands',
      onClose: () => desk.closePalette(),
      onClick: (event: Event) => event.target === dialog.current && desk.closePalette(),
    },
    h(
      'label',
      { class: 'find' },
      icon('search'),
      h('input', {
        type: 'text',
        role: 'combobox',
        'aria-expanded': true,
        'aria-controls': 'commands',
        'aria-activedescendant': shown.length === 0 ? undefined : `command-${index}`,
        'aria-label': 'Find a command or a terminal',
        placeholder: 'Find a command or a terminal',
        autocomplete: 'off',
        autocapitalize: 'off',
        spellcheck: false,
        value: words,
        onKeyDown,
        onInput: (event: Event) => {
          setWords((event.target as HTMLInputElement).value);
          setAt(0);
        },
      }),
    ),
    h(
      'ul',
      { id: 'commands', role: 'listbox', 'aria-label': 'Commands' },
      shown.map((action, i) =>
        h(
          'li',
          {
            key: `${action.name} ${action.note ?? ''}`,
            id: `command-${i}`,
            ref: i === index ? chosen : undefined,
            role: 'option',
            'aria-selected': i === index,
            onClick: () => run(action),
          },
          h('span', null, action.name),
          action.note === undefined ? null : h('span', { class: 'quiet' }, action.note),
        ),
      ),
    ),
    shown.length === 0 ? h('p', { class: 'quiet' }, 'None of that name.') : null,
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

function actionsOf(desk: Desk): Action[] {
  const { model, seat } = desk;
  const mayAct = !model.isReadOnly;
  const isAlive = seat?.isAlive === true;
  // Rules stand in its place.
  const isShown = seat !== undefined && model.view !== 'rules';
  const terminals = desk.terminals();
  // Who needs a person is first.
  const needs = new Map(model.needs.map(({ daemon, id, what }) => [JSON.stringify([daemon, id]), what]));
  const others = terminals
    .filter(({ daemon, id }) => model.chosen?.daemon !== daemon || model.chosen.id !== id)
    .map((place) => ({ place, need: needs.get(JSON.stringify([place.daemon, place.id])) }));
  const goTo = ({ place, need }: (typeof others)[number]): Action => ({
    name: `Go to ${place.id}`,
    note: need === undefined ? place.daemon : `${need} · ${place.daemon}`,
    act: () => desk.choose(place),
  });
  const actions: (Action | false)[] = [
    ...(mayAct ? model.asks : []).map(({ daemon, ask }) => ({
      name: `Answer ${ask.as}`,
      note: questionInLine(ask),
      act: () => desk.answer(daemon.name, ask),
    })),
    ...others.filter(({ need }) => need !== undefined).map(goTo),
    terminals.length > 1 && { name: 'Next terminal', act: () => desk.step(1) },
    terminals.length > 1 && { name: 'Previous terminal', act: () => desk.step(-1) },
    model.caller.mayAsk && {
      name: 'Call me when an agent waits',
      act: () => model.attempt(() => model.setCalls(true)),
    },
    {
      name: model.view === 'wall' ? 'Back to the terminal' : 'All terminals at a glance',
      act: () => desk.toggleView('wall'),
    },
    model.connections.mayBeRemembered && {
      name: 'Remember this browser for 30 days',
      act: () => model.attempt(() => model.beRemembered()),
    },
    !model.connections.isOfOne && { name: 'Recordings', act: () => desk.toggleView('recordings') },
    !model.connections.isOfOne && { name: 'Health of the daemons', act: () => desk.toggleView('health') },
    { name: 'List of terminals', act: () => desk.openList() },
    isShown && { name: 'Search in the text', note: 'Ctrl+Shift+F', act: () => desk.search() },
    isShown && {
      name: model.view === 'past' ? 'Back to now' : 'The past of this terminal',
      note: 'Ctrl+Shift+H',
      act: () => desk.togglePast(),
    },
    isShown && !seat.screen.isAtEnd && { name: 'To the end', act: () => seat.screen.toEnd() },
    isShown && {
      name: model.feed === 'closed' ? 'What happened in the terminal' : 'Close what happened',
      act: () => model.toggleFeed(),
    },
    seat !== undefined &&
      model.allowsRules && {
        name: model.view === 'rules' ? 'Back from the rules' : 'Rules of terminals',
        act: () => desk.toggleView('rules'),
      },
    ...blockActions(desk),
    mayAct &&
      isAlive &&
      (seat.isMine
        ? { name: 'Give back the keyboard', act: () => model.attempt(() => seat.release()) }
        : {
            name: seat.holder === undefined ? 'Take the keyboard' : `Take the keyboard from ${seat.holder}`,
            act: () => model.attempt(() => seat.take(seat.hold.control?.person === true)),
          }),
    mayAct &&
      isAlive &&
      seat.holder === undefined &&
      (seat.isFitted
        ? { name: 'Its own size', act: () => model.attempt(() => seat.unfit()) }
        : { name: 'Fit to this page', act: () => model.attempt(() => seat.fit()) }),
    mayAct && { name: 'New terminal', act: () => model.show('create') },
    mayAct &&
      seat?.isGone === false &&
      model.recording === undefined && {
        name: isAlive ? 'End the program' : 'Remove the terminal',
        act: () => model.show('end'),
      },
    { name: model.preferences.theme === 'dark' ? 'Light theme' : 'Dark theme', act: () => model.toggleTheme() },
    ...others.filter(({ need }) => need === undefined).map(goTo),
  ];
  return actions.filter((action) => action !== false);
}

function blockActions({ blocks, model }: Desk): Action[] {
  const isHidden = model.preferences.hidesBlocks;
  const toggle = {
    name: isHidden ? 'Show the commands beside the rows' : 'Hide the commands beside the rows',
    act: () => model.toggleBlocks(),
  };
  if (blocks === undefined || blocks.count === 0) return model.commandsSeen > 0 ? [toggle] : [];
  return [
    { name: 'Previous command', note: 'Ctrl+Shift+Up', act: () => blocks.step(-1) },
    { name: 'Next command', note: 'Ctrl+Shift+Down', act: () => blocks.step(1) },
    { name: 'Copy the output of the command', act: () => blocks.copyOutput() },
    { name: 'Copy the command as a picture', act: () => blocks.copyPicture() },
    toggle,
  ];
}
