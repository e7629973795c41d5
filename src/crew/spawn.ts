/** Starts an agent by its preset: a terminal with labels, rules and the tools of t4a. */
import { dirname, join, resolve } from 'node:path';
import { systemClock } from '../base/clock.js';
import { errnoOf } from '../base/errno.js';
import { openSettingsFile, RefusedFile } from '../base/settings-file.js';
import { callersPlace } from '../client/callers-place.js';
import type { Client } from '../client/client.js';
import { defaultDaemonEntry } from '../client/paths.js';
import { isT4aError, T4aError, quote } from '../protocol/errors.js';
import { MAX_NAME_LENGTH } from '../protocol/limits.js';
import { type IfFile, terminalName } from '../protocol/vocabulary.js';
import { generatedFolder, removeGenerated, whyUnread, writeGenerated } from './generated-files.js';
import { type Caller, identify } from './identity.js';
import { inject, type ServerTools } from './inject.js';
import { checkSpawn, type Limits, noteStart } from './limits.js';
import { LABEL, type ListedTerminal, type MemberKind, Members } from './members.js';
import { type CrewPlaces, handedOver, PLACES_VARIABLE } from './places.js';
import type { AgentPreset, Preset, ProcessPreset } from './preset.js';
import { systemProcesses } from './processes.js';
import { type CallerView, viewOf } from './roles.js';
import { shareRoots } from './roots.js';
import type { McpServer } from './template.js';

export interface AgentRequest {
  readonly preset: AgentPreset;
  /** That lets it start. */
  readonly ifFile?: IfFile | undefined;
  /** Behind those of the preset. */
  readonly args?: readonly string[] | undefined;
  /** Real path of the folder of the project. */
  readonly project: string;
  readonly caller: Caller;
  /** Id of the terminal. Default: made of the name of the preset, with a number. */
  readonly id?: string | undefined;
  /** Name for people. Default: the id. */
  readonly name?: string | undefined;
  /** Default: as the caller's process shows. */
  readonly within?: CallerView | undefined;
  readonly size: { readonly cols: number; readonly rows: number };
  readonly limits: Limits;
  /** Of the server that the agent gets. */
  readonly tools: ServerTools;
  readonly signal?: AbortSignal | undefined;
}

export interface SpawnedAgent {
  readonly id: string;
  readonly name: string;
  readonly session: string;
  readonly parent: string | null;
  /** Reason for which the agent may lack the tools of t4a. */
  readonly warning?: string;
}

/** Names that are tried: others may take one in between. */
const MAX_TRIES = 20;

/** @throws T4aError `over_limit`, `name_taken`, of `create`, `usage` */
export function spawnAgent(client: Client, places: CrewPlaces, request: AgentRequest): Promise<SpawnedAgent> {
  return startMember(client, request, true, (place) => start(client, places, request, place));
}

export type ProcessRequest = Pick<AgentRequest, 'id' | 'project' | 'caller' | 'size' | 'limits'> & {
  readonly preset: ProcessPreset;
};

/** A program of a person's, below no agent. @throws T4aError as of {@link spawnAgent} */
export function runProcess(client: Client, request: ProcessRequest): Promise<SpawnedAgent> {
  const { preset, project, caller, size } = request;
  return startMember(client, request, false, async ({ id, view, within }) => {
    const session = view.session ?? id;
    await client.call('create', {
      cmd_args: [...preset.argv],
      name: id,
      ...size,
      ...callersPlace(resolve(project, preset.working_dir ?? '.'), caller.env, preset.env),
      ...(within === undefined ? {} : { parent: within }),
      ...(preset.rules === undefined ? {} : { rules: preset.rules }),
      labels: memberLabels({ session, kind: 'command', preset: preset.name, name: id, project }),
    });
    return { id, name: id, session, parent: view.member?.id ?? null };
  });
}

type MemberRequest = Pick<AgentRequest, 'caller' | 'id' | 'within' | 'signal' | 'limits'> & {
  readonly preset: Pick<Preset, 'name'>;
};

async function startMember(
  client: Client,
  request: MemberRequest,
  isAgent: boolean,
  begin: (place: Place) => Promise<SpawnedAgent>,
): Promise<SpawnedAgent> {
  const { caller, preset, signal } = request;
  const options = signal === undefined ? {} : { signal };
  for (let tries = 1; ; tries++) {
    const { terminals } = await client.call('list', {}, options);
    const nowMs = systemClock.wallNow();
    const members = new Members(terminals, nowMs);
    const terminal = request.within === undefined ? terminalOf(caller, terminals, client) : request.within.member?.id;
    const view = request.within ?? viewOf(members, terminal, undefined);
    const bounds = { limits: request.limits, nowMs };
    checkSpawn(members, view, isAgent, bounds);
    const id = request.id === undefined ? freeId(preset.name, members) : checkedId(request.id, members);
    try {
      const begun = await begin({ id, view, within: terminal });
      await noteStart(client, members, view.session, bounds);
      return begun;
    } catch (error) {
      // Another caller has taken it since the list.
      const isTaken = isT4aError(error) && error.code === 'name_taken';
      if (!isTaken || request.id !== undefined || tries === MAX_TRIES) throw error;
    }
  }
}

interface Place {
  readonly id: string;
  readonly view: CallerView;
  /** Terminal that the caller is in, a member or not. */
  readonly within: string | undefined;
}

async function start(
  client: Client,
  places: CrewPlaces,
  { preset, ifFile, args = [], project, caller, name, size, tools, signal }: AgentRequest,
  { id, view, within }: Place,
): Promise<SpawnedAgent> {
  const { argv, env, files } = inject(preset, {
    server: ownServer(client.socketPath, id, places),
    tools,
    env: caller.env,
    folder: generatedFolder(places, id),
    readFile: textOf,
  });
  const cwd = resolve(project, preset.working_dir ?? '.');
  const session = view.session ?? id;
  try {
    for (const file of files) writeGenerated(file.path, file.text);
    await client.call(
      'create',
      {
        cmd_args: [...argv, ...args],
        name: id,
        ...size,
        ...callersPlace(cwd, caller.env, env),
        ...(within === undefined ? {} : { parent: within }),
        ...(preset.rules === undefined ? {} : { rules: preset.rules }),
        ...(ifFile === undefined ? {} : { if_file: ifFile }),
        labels: memberLabels({ session, kind: 'agent', preset: preset.name, name: name ?? id, project }),
      },
      signal === undefined ? {} : { signal },
    );
  } catch (error) {
    const isOthers = isT4aError(error) && error.code === 'name_taken';
    if (!isOthers) removeGenerated(places, id, client.socketPath);
    throw error;
  }
  try {
    shareRoots(places, project, id, preset);
  } catch (error) {
    // The agent runs. A file that cannot be written cannot be resumed from as it should be, and says so then.
    if (!isT4aError(error)) throw error;
  }
  const warning = whyUnread(preset.name, files);
  return { id, name: name ?? id, session, parent: view.member?.id ?? null, ...(warning && { warning }) };
}

function memberLabels(member: {
  readonly session: string;
  readonly kind: MemberKind;
  readonly preset: string;
  readonly name: string;
  readonly project: string;
}): Readonly<Record<string, string>> {
  return {
    [LABEL.session]: member.session,
    [LABEL.kind]: member.kind,
    [LABEL.preset]: member.preset,
    [LABEL.name]: member.name,
    ...projectLabel(member.project),
  };
}

/** A label has no control characters, and has a bound; a project has neither. */
export function projectLabel(project: string): Readonly<Record<string, string>> {
  return project.length > 1024 || /\p{Cc}/u.test(project) ? {} : { [LABEL.project]: project };
}

/** The first that is free, made of the name. */
export function freeId(name: string, members: Members): string {
  const base = name.replaceAll(/[^\w.-]+/g, '-').replace(/^[.-]+|-+$/g, '') || 'process';
  const short = base.slice(0, MAX_NAME_LENGTH - NUMBER_LENGTH);
  for (let n = 1; ; n++) {
    const id = `${short}-${n}`;
    if (!members.hasTerminal(id) && !members.isNamed(id)) return id;
  }
}

const NUMBER_LENGTH = 6;

/** @throws T4aError `name_taken`, `usage` */
function checkedId(id: string, members: Members): string {
  if (!terminalName.safeParse(id).success) {
    throw new T4aError('usage', `${quote(id)} cannot be the name of a terminal.`, {
      hint: 'It has letters, digits, "_", "." and "-" only, and begins with a letter, a digit or "_".',
    });
  }
  const hint = 'Choose another name.';
  if (members.hasTerminal(id)) throw new T4aError('name_taken', `There is a terminal ${quote(id)} already.`, { hint });
  if (members.isNamed(id)) throw new T4aError('name_taken', `Terminals of a closed ${quote(id)} are left.`, { hint });
  return id;
}

function terminalOf(caller: Caller, terminals: readonly ListedTerminal[], { socketPath }: Client): string | undefined {
  return identify(caller, terminals, socketPath, systemProcesses()).terminal;
}

/** This very program, wherever the agent runs. */
function ownServer(socketPath: string, terminal: string, places: CrewPlaces): McpServer {
  return {
    exe: process.execPath,
    args: [join(dirname(defaultDaemonEntry()), 'cli.cjs'), 'mcp', '--profile', 'crew'],
    env: { T4A_SOCKET: socketPath, T4A_TERMINAL: terminal, [PLACES_VARIABLE]: handedOver(places) },
  };
}

/** @throws T4aError `usage` */
function textOf(path: string): string | undefined {
  try {
    return openSettingsFile(path).text;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    const says = error instanceof RefusedFile ? error.message : `cannot be read (${errnoOf(error) ?? String(error)})`;
    throw new T4aError('usage', `${JSON.stringify(path)} ${says}.`);
  }
}
