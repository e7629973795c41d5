/** One call of a tool: who calls, and the members as they are at its beginning. */
import { resolve } from 'node:path';
import { systemClock } from '../../base/clock.js';
import type { Client } from '../../client/client.js';
import { MAX_QUESTION_LENGTH } from '../../protocol/commands/ask.js';
import { isT4aError, quote } from '../../protocol/errors.js';
import type { Background } from '../background.js';
import type { Limits } from '../limits.js';
import type { Member, Members } from '../members.js';
import type { CrewPlaces } from '../places.js';
import type { AskEnd } from '../open-asks.js';
import type { AgentPreset, Preset, PresetKind } from '../preset.js';
import { listPresets } from '../presets.js';
import { type CallerView, mayAct } from '../roles.js';
import type { ServerTools } from '../inject.js';
import type { Caller } from '../identity.js';
import { taggedTurn } from '../tagged-turn.js';
import { readCrewSettings } from '../settings.js';
import type { IfFile } from '../../protocol/vocabulary.js';
import { grantTrust, isTrusted, lastingTrust, presetHash, projectOf, readTrust } from '../trust.js';
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
  readonly background: Background;
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
  readonly background: Background;
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
    this.background = parts.background;
  }

  get options(): { readonly signal?: AbortSignal } {
    return this.signal === undefined ? {} : { signal: this.signal };
  }

  /** @throws T4aError `usage`: the file of the person is broken */
  get limits(): Limits {
    return readCrewSettings(this.places).limits;
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

  trusts(kind: PresetKind, preset: Preset, folder = this.project): boolean {
    return isTrusted(readTrust(this.places, folder), kind, preset);
  }

  /**
   * Where a program will run, and the folder whose trust counts: that one, or the project if the preset itself says where. The place is
   * the real path that is looked at: a link may lead elsewhere a moment later.
   */
  placeOf(preset: Preset, folder?: string): { readonly cwd: string; readonly trusted: string } {
    const own = resolve(this.project, preset.working_dir ?? '.');
    const asked = folder === undefined ? own : resolve(this.project, folder);
    if (asked === own) return { cwd: own, trusted: this.project };
    const real = projectOf(asked);
    return { cwd: real, trusted: real };
  }

  /**
   * A person is asked, unless that is under way: a yes is trust, and the caller calls again.
   * @param folder in which the program will run: see {@link placeOf}
   * @returns for the request to start it
   * @throws ToolError `needs_trust`
   */
  async needTrust(kind: PresetKind, preset: Preset, folder = this.project): Promise<IfFile> {
    if (this.trusts(kind, preset, folder)) return lastingTrust(this.places, folder, kind, preset);
    const { name } = preset;
    const ask = await this.#askForTrust(kind, preset, folder);
    const there = folder === this.project ? '' : ' in that directory';
    throw new ToolError(
      'needs_trust',
      `The preset ${quote(name)} is not trusted in ${quote(folder)}.`,
      `${ask === undefined ? 'Ask' : `A person is asked (question ${ask}): call again after a yes. Or ask`} the person to run${there}: t4a crew trust ${JSON.stringify(name)} --kind ${kind}`,
      ask === undefined ? {} : { ask },
    );
  }

  /** @returns the number of the question; undefined: none can be asked now */
  async #askForTrust(kind: PresetKind, preset: Preset, folder: string): Promise<number | undefined> {
    const { places, background } = this;
    const { member } = this.view;
    const program = preset.argv.join(' ').replaceAll(/\p{Cc}/gu, ' ');
    const question = `Trust the ${kind} preset "${preset.name}" in ${folder.replaceAll(/\p{Cc}/gu, ' ')}? It runs: ${program}`;
    const ask = { kind: 'confirm', question: question.slice(0, MAX_QUESTION_LENGTH), id: member?.id } as const;
    try {
      return await background.asks.once(this.client, `${presetHash(kind, preset)} ${folder}`, ask, (end) => {
        const says = trustAfter(end, () => grantTrust(places, folder, kind, preset));
        if (member === null) return;
        const of = this.presetOf(member);
        const composer = of?.kind === 'agent' ? (of.preset as AgentPreset).composer : undefined;
        background.sendLater(member.id, composer, taggedTurn('system', `The preset ${quote(preset.name)} ${says}`));
      });
    } catch (error) {
      if (isT4aError(error)) return undefined;
      throw error;
    }
  }

  /** Of a member that was started by a preset; undefined if it was not, or there is none of that name any more. */
  presetOf({ kind, preset }: Member): { readonly kind: PresetKind; readonly preset: Preset } | undefined {
    if (preset === undefined) return undefined;
    const of = kind === 'agent' ? 'agent' : 'process';
    const found = listPresets(this.places).find((one) => one.kind === of && one.name === preset);
    return found?.preset === undefined ? undefined : { kind: of, preset: found.preset };
  }
}

/** @returns how it went on, after the name of the preset */
function trustAfter({ outcome, answer }: AskEnd, grant: () => void): string {
  if (outcome !== 'answered' || answer !== true)
    return `is not trusted: the answer was ${outcome === 'answered' ? 'no' : outcome}.`;
  try {
    grant();
    return 'is trusted now: call again.';
  } catch (error) {
    if (!isT4aError(error)) throw error;
    return `is not trusted: ${error.message}`;
  }
}
