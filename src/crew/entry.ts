/** What the command line loads for `t4a crew`: the crew of a person, whose folders the environment names. */
import type { Environment } from '../client/callers-place.js';
import { systemClock } from '../base/clock.js';
import { nearestWords } from '../base/nearest.js';
import type { Client } from '../client/client.js';
import { isT4aError, T4aError, quote } from '../protocol/errors.js';
import { removeGenerated } from './generated-files.js';
import { type CrewPlaces, crewPlaces } from './places.js';
import {
  begunConversation,
  continuedConversation,
  type Continues,
  type Conversation,
  whatContinues,
} from './conversation.js';
import { LABEL, type ListedTerminal, Members } from './members.js';
import type { AgentPreset, Preset, PresetKind } from './preset.js';
import { type ListedPreset, listPresets } from './presets.js';
import { type AgentRequest, runProcess, spawnAgent, type SpawnedAgent } from './spawn.js';
import { addRoot, readRoots, removeRoots, type Root, rootOf, whyNotAgain } from './roots.js';
import { Scratchpads } from './scratchpads.js';
import { type CrewSettings, readCrewSettings } from './settings.js';
import { ownParent } from './processes.js';
import { CrewTools, SERVER_TOOLS } from './tools/tool-set.js';
import { type Question, questionOf } from './question.js';
import { type Branch, treeOf } from './tree.js';
import { grantTrust, isTrusted, presetHash, projectOf, readTrust, revokeTrust } from './trust.js';

export { connect } from '../client/client.js';
export { deliver } from './deliver.js';
export { sayDelivery, whyNoTurn } from './delivery.js';
export { CrewTools, ownParent };
export { toolsIn } from './tools/tool-formats.js';

export interface TrustedPreset {
  readonly kind: PresetKind;
  readonly name: string;
  /** `changed`: the preset is not what was trusted; `gone`: there is none of that name, or it is broken. */
  readonly state: 'trusted' | 'changed' | 'gone';
  readonly preset: Preset | undefined;
}

export interface Started extends SpawnedAgent {
  /** For the person. */
  readonly warning?: string;
}

export interface Resumable {
  readonly root: Root;
  /** It is there. */
  readonly runs: boolean;
  /** Undefined: its preset does not say how, or it is not started again. */
  readonly continues: Continues | undefined;
  /** Why it is not started again. */
  readonly why: string | undefined;
}

export interface ListedMember extends Branch {
  /** What it asks. */
  readonly question: Question | undefined;
}

export class Crew {
  readonly #env: Environment;
  readonly #places: CrewPlaces;
  /** Real path of the folder of the project. */
  readonly project: string;

  /** @param env of the caller @param folder of the project @throws T4aError `cwd_not_found` */
  constructor(env: Environment, folder: string) {
    this.#env = env;
    this.#places = crewPlaces(env);
    this.project = projectOf(folder);
  }

  /** @throws T4aError `usage` with file and line */
  settings(): CrewSettings {
    return readCrewSettings(this.#places);
  }

  /** @param name of an agent @throws T4aError `over_limit`, `name_taken`, of `create`, `usage` */
  async spawn(
    client: Client,
    preset: AgentPreset,
    request: Pick<AgentRequest, 'id' | 'size'>,
    conversation: Conversation = begunConversation(preset),
  ): Promise<Started> {
    const caller = { pid: ownParent(), env: this.#env };
    const spawned = await spawnAgent(client, this.#places, {
      ...request,
      args: conversation.args,
      preset,
      project: this.project,
      caller,
      limits: this.settings().limits,
      tools: SERVER_TOOLS,
    });
    return { ...spawned, ...(await this.#keep(client, spawned, 'agent', preset, conversation.id)) };
  }

  /** @throws T4aError `over_limit`, of `create` */
  async run(client: Client, preset: Preset, request: Pick<AgentRequest, 'id' | 'size'>): Promise<Started> {
    const caller = { pid: ownParent(), env: this.#env };
    const begun = await runProcess(client, {
      ...request,
      preset,
      project: this.project,
      caller,
      limits: this.settings().limits,
    });
    return { ...begun, ...(await this.#keep(client, begun, 'process', preset)) };
  }

  /** What a person has started here, and why it cannot be started again as it was. */
  async resumable(
    client: Client,
  ): Promise<{ readonly roots: readonly Resumable[]; readonly problem: string | undefined }> {
    const { roots, problem } = readRoots(this.#places, this.project);
    const { terminals } = await client.call('list', {});
    const presets = this.presets();
    const isTrustedHere = (kind: PresetKind, preset: Preset): boolean => this.isTrusted(kind, preset);
    const all = roots.map((root): Resumable => {
      const isThere = terminals.some((one) => isRunning(root, one));
      const why = isThere ? undefined : whyNotAgain(root, presets, isTrustedHere);
      const of = presets.find(({ kind, name }) => kind === 'agent' && root.kind === kind && name === root.preset);
      const isAgain = !isThere && why === undefined && of?.preset !== undefined;
      const continues = isAgain ? whatContinues(of.preset as AgentPreset, root) : undefined;
      return { root, runs: isThere, continues, why };
    });
    return { roots: all, problem };
  }

  /** With the arguments and in the directory of before. @param isNew without its conversation @throws T4aError as {@link spawn} */
  async resume(client: Client, root: Root, size: AgentRequest['size'], isNew: boolean): Promise<Started> {
    const { id, kind, preset: name } = root;
    const { preset } = this.presetNamed(name, kind);
    const { terminals } = await client.call('list', {});
    if (terminals.some((one) => isRunning(root, one))) {
      throw new T4aError('name_taken', `${quote(id)} runs already.`);
    }
    const members = new Members(terminals, systemClock.wallNow());
    // One that has ended has its name still, and what it had started runs on under it: no other agent takes that over.
    const isTaken = members.hasTerminal(id) || members.isNamed(id);
    const request = { id: isTaken ? undefined : id, size };
    const started =
      kind === 'agent'
        ? await this.spawn(
            client,
            preset as AgentPreset,
            request,
            isNew ? undefined : continuedConversation(preset as AgentPreset, root),
          )
        : await this.run(client, preset, request);
    if (started.id !== id) removeRoots(this.#places, this.project, [id]);
    return started;
  }

  /** Ends it with all that it has started. @param force though another name has the keyboard @throws T4aError of `kill` */
  async close(client: Client, id: string, { force = false }: { readonly force?: boolean } = {}): Promise<void> {
    const { ended = [] } = await client.call('kill', { id, tree: true, ...(force ? { force } : {}) });
    for (const one of ended) removeGenerated(this.#places, one.id, client.socketPath);
    removeRoots(this.#places, this.project, [id, ...ended.map((one) => one.id)]);
  }

  /** It runs, whatever becomes of the file: then it is not resumed, and the caller says so. */
  async #keep(
    client: Client,
    { id, parent, session }: SpawnedAgent,
    kind: PresetKind,
    preset: Preset,
    conversation?: string,
  ): Promise<{ readonly warning?: string }> {
    if (parent !== null || session !== id) return {};
    const daemon = String(client.daemon.instance ?? client.daemon.pid);
    const { terminals } = await client.call('list', {});
    // Those of this daemon that have ended by themselves have done so before any reboot.
    const keeps = (root: Root): boolean =>
      root.daemon !== daemon || terminals.some((one) => one.id === root.id && one.alive);
    try {
      addRoot(this.#places, this.project, rootOf(this.project, daemon, id, kind, preset, conversation), keeps);
      return {};
    } catch (error) {
      if (!isT4aError(error)) throw error;
      return { warning: `"t4a crew resume" will not know it: ${error.message}` };
    }
  }

  get scratchpads(): Scratchpads {
    return new Scratchpads(this.#places, this.project);
  }

  presets(): ListedPreset[] {
    return listPresets(this.#places);
  }

  /** @param kind undefined: either, if one has the name @throws T4aError `usage` */
  presetNamed(name: string, kind?: PresetKind): { readonly kind: PresetKind; readonly preset: Preset } {
    const all = this.presets().filter((one) => kind === undefined || one.kind === kind);
    const found = all.filter((one) => one.name === name && one.error === undefined);
    const [first, second] = found;
    if (second !== undefined) {
      throw new T4aError('usage', `There is an agent and a process ${quote(name)}.`, {
        hint: 'Name the kind: --kind agent, or --kind process.',
      });
    }
    if (first?.preset !== undefined) return { kind: first.kind, preset: first.preset };
    const broken = all.find((one) => one.name === name);
    if (broken?.error !== undefined) throw new T4aError('usage', broken.error);
    throw unknownPreset(name, kind, all);
  }

  /** @throws T4aError `usage` */
  agentNamed(name: string): AgentPreset {
    return this.presetNamed(name, 'agent').preset as AgentPreset;
  }

  isTrusted(kind: PresetKind, preset: Preset): boolean {
    return isTrusted(readTrust(this.#places, this.project), kind, preset);
  }

  /** @throws T4aError `usage` */
  trust(kind: PresetKind, preset: Preset): void {
    grantTrust(this.#places, this.project, kind, preset);
  }

  /** @returns whether there was anything to revoke @throws T4aError `usage` */
  revoke(name: string, kind?: PresetKind): boolean {
    return revokeTrust(this.#places, this.project, kind, name);
  }

  /** What the file of the project says, and why it says nothing. */
  trusted(): { readonly presets: readonly TrustedPreset[]; readonly problem: string | undefined } {
    const { grants, problem } = readTrust(this.#places, this.project);
    const all = this.presets();
    const presets = grants.map(({ kind, preset: name, sha256 }): TrustedPreset => {
      const preset = all.find((one) => one.kind === kind && one.name === name && one.error === undefined)?.preset;
      const isSame = preset !== undefined && presetHash(kind, preset) === sha256;
      return { kind, name, state: preset === undefined ? 'gone' : isSame ? 'trusted' : 'changed', preset };
    });
    return { presets, problem };
  }
}

/** Another program may have its name by now. */
function isRunning(root: Root, { id, alive, labels }: ListedTerminal): boolean {
  return id === root.id && alive && labels[LABEL.session] === id && labels[LABEL.preset] === root.preset;
}

/** Those of all projects. */
export async function listCrew(client: Client): Promise<ListedMember[]> {
  const { terminals } = await client.call('list', {});
  const branches = treeOf(new Members(terminals, systemClock.wallNow()).all);
  return Promise.all(
    branches.map(async (branch) => ({ ...branch, question: await questionOf(client, branch.member.terminal) })),
  );
}

function unknownPreset(name: string, kind: PresetKind | undefined, all: readonly ListedPreset[]): T4aError {
  const names = all.flatMap((one) => (one.error === undefined ? [one.name] : []));
  const closest = nearestWords(name, names)[0];
  return new T4aError(
    'usage',
    `There is no preset ${quote(name)}${kind === undefined ? '' : ` of the kind "${kind}"`}.`,
    {
      hint: closest === undefined ? 't4a crew presets' : `Did you mean ${quote(closest)}?`,
      ...(closest === undefined ? {} : { closest }),
    },
  );
}
