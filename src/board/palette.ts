/** What the palette offers, in its order: first whom the person goes to, those who wait for them before the others. Pure. */
import type { Choice } from '../attach/picker.js';
import type { Member } from '../crew/members.js';
import type { ListedPreset } from '../crew/presets.js';
import { doingWord } from '../mirror/doing-word.js';

export type Act =
  | { readonly kind: 'go' | 'close'; readonly id: string }
  | { readonly kind: 'start'; readonly preset: ListedPreset }
  | { readonly kind: 'leave' };

export interface Offered extends Choice {
  readonly act: Act;
}

export interface PaletteParts {
  readonly members: readonly Member[];
  readonly presets: readonly ListedPreset[];
  /** Id of the terminal that is shown. */
  readonly shown: string | undefined;
}

export function offers({ members, presets, shown }: PaletteParts): readonly Offered[] {
  const others = members.filter(({ id }) => id !== shown);
  const waiting = others.filter(needsPerson).toSorted((one, other) => since(one) - since(other));
  const living = others.filter((one) => one.terminal.alive && !waiting.includes(one));
  const ended = others.filter((one) => !one.terminal.alive && !waiting.includes(one));
  return [
    ...[...waiting, ...living, ...ended].map((one): Offered => ({
      id: `go to ${one.id}`,
      about: aboutMember(one),
      act: { kind: 'go', id: one.id },
    })),
    ...presets.map((preset): Offered => ({
      id: `${preset.kind === 'agent' ? 'spawn' : 'run'} ${preset.name}`,
      about: preset.preset === undefined ? `broken: ${preset.error}` : preset.preset.argv.join(' '),
      act: { kind: 'start', preset },
    })),
    ...members.map((one): Offered => ({
      id: `close ${one.id}`,
      about: aboutMember(one),
      act: { kind: 'close', id: one.id },
    })),
    { id: 'leave', about: 'Ctrl+D on an empty canvas leaves, too', act: { kind: 'leave' } },
  ];
}

/** A question of it is open, or what it does says that a person should look. A shell that reads a line waits for its next task. */
export function needsPerson({ terminal }: Member): boolean {
  const { alive, asks = 0, doing } = terminal;
  if (!alive) return false;
  return asks > 0 || (doing?.sure === true && doing.needs_you !== null && doing.needs_you !== 'line');
}

function since({ terminal }: Member): number {
  return terminal.doing?.since ?? Number.POSITIVE_INFINITY;
}

function aboutMember(member: Member): string {
  const { id, name, kind, status, terminal } = member;
  const doing = terminal.alive ? doingWord(terminal.doing, terminal.doing?.sure) : '';
  const parts = [
    needsPerson(member) ? 'asks' : '',
    doing,
    status === 'running' ? '' : status,
    name === id ? '' : name,
    member.preset ?? kind,
  ];
  return parts.filter((part) => part !== '').join('  ');
}
