/** Offers of the palette, in its order: first whom the person goes to, those who wait for them before the others. Pure. */
import type { Choice } from '../picker.js';
import type { Member } from '../../crew/members.js';
import type { ListedPreset } from '../../crew/presets.js';
import { WAY_BACK } from './leader.js';
import { ageOf, type Need, stateWord } from './needs.js';

export type Act =
  | { readonly kind: 'go' | 'answer' | 'close'; readonly id: string }
  | { readonly kind: 'start'; readonly preset: ListedPreset }
  | { readonly kind: 'scratchpad'; readonly name: string }
  | { readonly kind: 'new' | 'rail' | 'keys' | 'above' | 'take' | 'give' | 'mouse' | 'leave' };

export interface PaletteOffer extends Choice {
  readonly act: Act;
}

export interface PaletteParts {
  readonly members: readonly Member[];
  /** Longest first. */
  readonly needs: readonly Need[];
  readonly scratchpads: readonly string[];
  readonly nowMs: number;
  readonly presets: readonly ListedPreset[];
  /** Id of the terminal that is shown. */
  readonly shown: string | undefined;
  /** Name of the key before those of the shell. */
  readonly leader: string;
}

export function offers({
  members,
  needs,
  presets,
  scratchpads,
  shown,
  nowMs,
  leader,
}: PaletteParts): readonly PaletteOffer[] {
  const others = members.filter((one) => one.id !== shown && !needs.some(({ member }) => member.id === one.id));
  const ofScreen = (kind: 'take' | 'give', id: string, words: string): PaletteOffer => ({
    id,
    about: shown ?? '',
    words,
    act: { kind },
  });
  return [
    ...needs
      .filter(({ member }) => member.id !== shown)
      .map(({ member, since, text }) =>
        go(
          member,
          [`${stateWord(member, true)} ${ageOf(since, nowMs)}`.trimEnd(), text || aboutMember(member)].join('  '),
        ),
      ),
    ...needs.map(({ member, text }): PaletteOffer => ({
      id: `answer ${member.id}`,
      about: text,
      act: { kind: 'answer', id: member.id },
    })),
    ...others.filter(({ terminal }) => terminal.alive).map((one) => go(one, aboutMember(one))),
    ...others.filter(({ terminal }) => !terminal.alive).map((one) => go(one, aboutMember(one))),
    ...starts(presets),
    ...members.map((one): PaletteOffer => ({
      id: `close ${one.id}`,
      about: aboutMember(one),
      words: 'end kill stop',
      act: { kind: 'close', id: one.id },
    })),
    ...scratchpads.map((name): PaletteOffer => ({
      id: `read ${name}`,
      about: 'scratchpad',
      act: { kind: 'scratchpad', name },
    })),
    ...(shown === undefined
      ? []
      : [
          ofScreen('take', 'take the keyboard', 'hold drive'),
          ofScreen('give', 'give the keyboard back', 'release'),
          { id: 'scroll back', about: 'lines above the screen: read, search, copy', act: { kind: 'above' } } as const,
          { id: 'pass all keys', about: `${leader} too, until ${WAY_BACK.name}`, act: { kind: 'keys' } } as const,
        ]),
    { id: 'rail', about: 'go along the rail with the arrows', act: { kind: 'rail' } },
    { id: 'mouse', about: 'leave the mouse to your own terminal; again: take it back', act: { kind: 'mouse' } },
    {
      id: 'leave',
      about: 'Ctrl+D here and on an empty canvas leaves, too',
      words: ':quit exit detach',
      act: { kind: 'leave' },
    },
  ];
}

/** Presets that can be started. */
export function starts(presets: readonly ListedPreset[]): readonly PaletteOffer[] {
  return presets.map((preset) => ({
    id: `${preset.kind === 'agent' ? 'spawn' : 'run'} ${preset.name}`,
    about: preset.preset === undefined ? `broken: ${preset.error}` : preset.preset.argv.join(' '),
    words: preset.kind === 'agent' ? 'spawn agent start' : 'run process spawn command start',
    act: { kind: 'start', preset },
  }));
}

function go({ id }: Member, about: string): PaletteOffer {
  return { id: `go to ${id}`, about, words: 'switch focus show', act: { kind: 'go', id } };
}

function aboutMember(member: Member): string {
  const { id, name, kind, status, terminal } = member;
  const parts = [
    stateWord(member, false),
    status === 'running' || !terminal.alive ? '' : status,
    name === id ? '' : name,
    member.preset ?? kind,
  ];
  return parts.filter((part) => part !== '').join('  ');
}
