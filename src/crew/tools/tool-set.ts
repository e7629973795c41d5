/** The tools of the crew for one client of MCP: their schemas, and their calls. */
import { z } from 'zod';
import { systemClock } from '../../base/clock.js';
import { nearestWords } from '../../base/nearest.js';
import type { Client } from '../../client/client.js';
import { randomName } from '../../client/envelope.js';
import { quote } from '../../protocol/errors.js';
import { fieldError } from '../../protocol/field-error.js';
import type { ToolResult } from '../../tools/call-tool.js';
import type { ListedTool } from '../../tools/formats.js';
import type { ObjectSchema } from '../../tools/json-schema.js';
import { Background } from '../background.js';
import { type Caller, identify } from '../identity.js';
import type { ServerTools } from '../inject.js';
import { Members } from '../members.js';
import { crewPlaces } from '../places.js';
import { systemProcesses } from '../processes.js';
import { type CallerView, type Role, viewOf } from '../roles.js';
import { projectOf } from '../trust.js';
import type { CrewTool } from './define-tool.js';
import { help, requestHumanAttention, selectProcess, sendMessage, whoami } from './coordination.js';
import {
  getProcessOutput,
  getProcessPorts,
  getProcessRawOutput,
  getProcessStatus,
  getProjectStatus,
  listProcesses,
  searchOutput,
  waitForPattern,
} from './inspection.js';
import {
  closeProcess,
  renameProcess,
  restartProcess,
  spawnAgentTool,
  spawnProcess,
  startProcess,
  stopProcess,
} from './processes.js';
import { scratchpadAppend, scratchpadDelete, scratchpadList, scratchpadRead, scratchpadWrite } from './scratchpads.js';
import { sendInput } from './send-input.js';
import { timerCancel, timerFireWhenIdleAll, timerFireWhenIdleAny, timerList, timerWait } from './timers.js';
import { ToolCall } from './tool-call.js';
import { ToolError, toolError } from './tool-error.js';

export const CREW_TOOLS: readonly CrewTool[] = [
  spawnAgentTool,
  spawnProcess,
  startProcess,
  restartProcess,
  stopProcess,
  closeProcess,
  renameProcess,
  listProcesses,
  getProcessStatus,
  getProjectStatus,
  getProcessOutput,
  getProcessRawOutput,
  searchOutput,
  waitForPattern,
  getProcessPorts,
  sendInput,
  sendMessage,
  requestHumanAttention,
  selectProcess,
  whoami,
  help,
  timerWait,
  timerFireWhenIdleAny,
  timerFireWhenIdleAll,
  timerCancel,
  timerList,
  scratchpadList,
  scratchpadRead,
  scratchpadWrite,
  scratchpadAppend,
  scratchpadDelete,
];

/** By what they do, for the approval of those that read. */
export const SERVER_TOOLS: ServerTools = {
  reading: CREW_TOOLS.filter(({ effect }) => effect === 'read').map(({ name }) => name),
  all: CREW_TOOLS.map(({ name }) => name),
};

const SPAWNS: ReadonlySet<string> = new Set([spawnAgentTool.name, spawnProcess.name]);

const MINUTE_MS = 60_000;

/** Of the server, for a model that has the tools. */
export const CREW_INSTRUCTIONS =
  'Agents and processes in real terminals. get_project_status first: it shows your role. Start agents with spawn_agent, programs with spawn_process. A child that asks is in the state waiting: get_process_status has its question, send_input with if_entry answers it.';

export interface CrewToolsOptions {
  /** Connects once, and again if that failed. */
  readonly client: () => Promise<Client>;
  readonly caller: Caller;
  readonly folder: string;
  /** The caller is in no terminal, and is the orchestrator of a session of its own. */
  readonly isExternal?: boolean | undefined;
}

export interface CrewCallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((seconds: number) => void) | undefined;
}

export class CrewTools {
  readonly #options: CrewToolsOptions;
  readonly #external: string | undefined;
  /** Of this client: a member that was closed is in no list any more. */
  #spawnedMs: { readonly ms: number }[] = [];
  readonly #background: Background;

  constructor(options: CrewToolsOptions) {
    this.#options = options;
    this.#background = new Background(options.client);
    this.#external = options.isExternal === true ? `external-${randomName().slice(1)}` : undefined;
  }

  readonly instructions = CREW_INSTRUCTIONS;

  static schemas(): ListedTool[] {
    return CREW_TOOLS.map(mcpTool);
  }

  /** An error of the call is a result too: the model reads it. @throws what is none, and the reason of the signal */
  async call(name: string, input: unknown, options: CrewCallOptions = {}): Promise<ToolResult> {
    try {
      const tool = CREW_TOOLS.find((one) => one.name === name);
      if (tool === undefined) throw unknownTool(name);
      return { content: [textOf(await this.#run(tool, input ?? {}, options))], isError: false };
    } catch (error) {
      options.signal?.throwIfAborted();
      const { code, message, hint, more } = toolError(error);
      const said = { code, message, ...(hint === undefined ? {} : { hint }), ...more };
      return { content: [textOf({ error: said })], isError: true };
    }
  }

  /** Timers, and what waits for answers of persons, end with it. */
  close(): void {
    this.#background.close();
  }

  async #run(tool: CrewTool, input: object, { signal, progress }: CrewCallOptions): Promise<object> {
    const client = await this.#options.client();
    const options = signal === undefined ? {} : { signal };
    const { terminals } = await client.call('list', {}, options);
    const members = new Members(terminals, systemClock.wallNow());
    const { caller } = this.#options;
    const identity = identify(caller, terminals, client.socketPath, systemProcesses());
    const view = viewOf(members, identity.terminal, this.#external);
    checkRole(tool, view);
    const params = tool.params.safeParse(input);
    if (!params.success) {
      const owner = { name: tool.name, schema: tool.params, hint: '' };
      throw new ToolError('invalid_field', fieldError(owner, params.error, input as Record<string, unknown>).message);
    }
    const places = crewPlaces(caller.env);
    const call = new ToolCall({
      client,
      places,
      caller,
      members,
      view,
      project: projectOf(rootProject(members, view) ?? this.#options.folder),
      signal,
      progress,
      tools: SERVER_TOOLS,
      background: this.#background,
      available: CREW_TOOLS.filter(({ role }) => role.includes(view.role)).map((one) => one.name),
    });
    const run = (): Promise<object> => tool.run(call, params.data as never);
    return tool.result.parse(await (SPAWNS.has(tool.name) ? this.#spawn(run, call) : run()));
  }

  /** @throws ToolError `limit_reached` */
  async #spawn(run: () => Promise<object>, { limits, signal }: ToolCall): Promise<object> {
    const nowMs = systemClock.now();
    this.#spawnedMs = this.#spawnedMs.filter(({ ms }) => nowMs - ms < MINUTE_MS);
    if (this.#spawnedMs.length >= limits.spawnsAMinute) {
      throw new ToolError('limit_reached', `You have started ${this.#spawnedMs.length} within a minute.`, 'Wait.');
    }
    const own = { ms: nowMs };
    this.#spawnedMs.push(own);
    try {
      return await run();
    } catch (error) {
      // Before it was started. Of one that was given up, that is unknown.
      const isStarted = error instanceof ToolError && 'process_id' in error.more;
      if (!isStarted && signal?.aborted !== true) this.#spawnedMs = this.#spawnedMs.filter((one) => one !== own);
      throw error;
    }
  }
}

/** @throws ToolError `role_forbidden` */
function checkRole({ name, role }: CrewTool, view: CallerView): void {
  if (role.includes(view.role)) return;
  throw new ToolError('role_forbidden', `${name} is not for the role "${view.role}".`, HINTS[view.role]);
}

const HINTS: Readonly<Record<Role, string>> = {
  orchestrator: '',
  'sub-agent': 'Ask the agent that started you, or use subagents of your own program.',
  process:
    'You look only: t4a knows no agent by whose terminal you were started. A person can start you by "t4a crew spawn", or the server with --external.',
};

function rootProject(members: Members, { session, member }: CallerView): string | undefined {
  return (session === null ? undefined : members.member(session)?.project) ?? member?.project;
}

function unknownTool(name: string): ToolError {
  const names = CREW_TOOLS.map((one) => one.name);
  const closest = nearestWords(name, names)[0];
  return new ToolError(
    'unknown_tool',
    `There is no tool ${quote(name)}.`,
    closest === undefined ? undefined : `Did you mean "${closest}"?`,
  );
}

function textOf(value: object): { readonly type: 'text'; readonly text: string } {
  return { type: 'text', text: JSON.stringify(value) };
}

export function mcpTool({ name, brief, effect, params }: CrewTool): ListedTool {
  const title = name.replaceAll('_', ' ');
  return {
    name,
    title: title.charAt(0).toUpperCase() + title.slice(1),
    description: brief,
    inputSchema: withoutNoise(z.toJSONSchema(params, { io: 'input' })) as ObjectSchema,
    // Those of the others are the defaults of MCP: they may destroy, and reach out.
    ...(effect === 'read' ? { annotations: { readOnlyHint: true, openWorldHint: false } } : {}),
  };
}

/** What says nothing to a model. */
function withoutNoise(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutNoise);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]): [string, unknown][] =>
      key === '$schema' || value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER
        ? []
        : [[key, withoutNoise(value)]],
    ),
  );
}
