/** One call of a tool: who calls, and the members as they are at its beginning. */
import { systemClock } from '../../base/clock.js';
import type { Client } from '../../client/client.js';
import { quote } from '../../protocol/errors.js';
import type { Member, Members } from '../members.js';
import type { CrewPlaces } from '../places.js';
import type { Preset, PresetKind } from '../preset.js';
import { listPresets } from '../presets.js';
import { type CallerView, mayAct } from '../roles.js';
import type { ServerTools } from '../inject.js';
import type { Caller } from '../identity.js';
import { isTrusted, readTrust } from '../trust.js';
import { ToolError } from './tool-error.js';

export interface ToolCallParts {
  readonly client: Client;
  readonly places: CrewPlaces;
  readonly caller: Caller;
  readonly members: Members;
  readonly view: CallerView;
  /** Real path of the folder of the project. */
  readonly project: string;
  readonly signal?: AbortSignal | undefined;
  /** Reports that the call goes on, after so many seconds. */
  readonly progress?: ((seconds: number) => void) | undefined;
  /** Names of the tools that the caller may call. */
  readonly available: readonly string[];
  /** Of the server that agents get. */
  readonly tools: ServerTools;
}

export class ToolCall implements ToolCallParts {
  readonly client: Client;
  readonly places: CrewPlaces;
  readonly caller: Caller;
  readonly members: Members;
  readonly view: CallerView;
  readonly project: string;
  readonly signal: AbortSignal | undefined;
  readonly progress: ((seconds: number) => void) | undefined;
  readonly available: readonly string[];
  readonly tools: ServerTools;
  readonly nowMs = systemClock.wallNow();

  constructor(parts: ToolCallParts) {
    this.client = parts.client;
    this.places = parts.places;
    this.caller = parts.caller;
    this.members = parts.members;
    this.view = parts.view;
    this.project = parts.project;
    this.signal = parts.signal;
    this.progress = parts.progress;
    this.available = parts.available;
    this.tools = parts.tools;
  }

  get options(): { readonly signal?: AbortSignal } {
    return this.signal === undefined ? {} : { signal: this.signal };
  }

  /** Those of the caller's session. */
  get session(): readonly Member[] {
    return this.view.session === null ? [] : this.members.session(this.view.session);
  }

  /** To look at. @throws ToolError `not_found` */
  seen(id: string): Member {
    const member = this.session.find((one) => one.id === id);
    if (member !== undefined) return member;
    throw new ToolError(
      'not_found',
      `There is no process ${quote(id)} in this session.`,
      'list_processes has the ids.',
    );
  }

  /** To act on. @throws ToolError `not_found`, `role_forbidden` */
  own(id: string): Member {
    const member = this.seen(id);
    if (mayAct(this.view, member, this.members)) return member;
    throw new ToolError('role_forbidden', `${quote(id)} is not below you: you may look at it only.`);
  }

  /** @throws ToolError @param code of a preset that there is not */
  preset(kind: PresetKind, name: string, code: string): Preset {
    const all = listPresets(this.places).filter((one) => one.kind === kind);
    const found = all.find((one) => one.name === name);
    if (found?.preset !== undefined) return found.preset;
    if (found?.error !== undefined) throw new ToolError(code, found.error, 'A person has to mend the file.');
    const names = all.flatMap((one) => (one.preset === undefined ? [] : [one.name]));
    throw new ToolError(code, `There is no preset ${quote(name)}.`, `There are ${names.map(quote).join(', ')}.`);
  }

  trusts(kind: PresetKind, preset: Preset): boolean {
    return isTrusted(readTrust(this.places, this.project), kind, preset);
  }

  /** @throws ToolError `needs_trust` */
  needTrust(kind: PresetKind, preset: Preset): void {
    if (this.trusts(kind, preset)) return;
    throw new ToolError(
      'needs_trust',
      `The preset ${quote(preset.name)} is not trusted in ${quote(this.project)}.`,
      `Ask the person to run: t4a crew trust ${JSON.stringify(preset.name)} --kind ${kind}`,
    );
  }

  /** Of a member that was started by a preset; undefined if it was not, or there is none of that name any more. */
  presetOf({ kind, preset }: Member): { readonly kind: PresetKind; readonly preset: Preset } | undefined {
    if (preset === undefined) return undefined;
    const of = kind === 'agent' ? 'agent' : 'process';
    const found = listPresets(this.places).find((one) => one.kind === of && one.name === preset);
    return found?.preset === undefined ? undefined : { kind: of, preset: found.preset };
  }
}
