/**
 * The judge of authority: random calls through a door by somebody with some rights, and an observer outside of t4a, who sees effects
 * alone (observed.ts). A call must have an answer; what is refused for a lack of rights names the right.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Client } from '../../src/client/client.js';
import { type Call, DrawnCalls, type Target } from './drawn-calls.js';
import { ANSWER_MS, changesBeyond, type Observed, observe, Question, Victim } from './observed.js';
import { isRunning } from './processes.js';
import { permits, type Random, type Rights } from './rights.js';

export interface Door {
  /** Of the terminal that the calls are about, as it is made. */
  readonly made?: Readonly<Record<string, unknown>>;
  /** Of all other terminals the caller sees nothing. */
  readonly isOfOne?: boolean;
  /** Called once, before the calls: the terminal that they are about. */
  readonly about?: (id: string) => Promise<void>;
  /** Resolves with the answer, whatever it is: a text, or what JSON can have. */
  readonly call: (name: string, input: unknown, req: number) => Promise<unknown>;
  /** Effects of its own kind, once all calls are answered. */
  readonly beyond?: () => readonly string[];
}

/** Of a door, whoever comes through it. */
export interface DoorTraits {
  /** Whoever comes counts as a person. */
  readonly isPersons?: true;
  /** The names of callers are not their own to say. */
  readonly givesNames?: true;
  /** It has none of the calls of t4a, and so refuses none of them. */
  readonly hasOwnCalls?: true;
  /** It has calls of its own in place of all but the commonest. */
  readonly hasOwnNames?: true;
}

export interface Judgement {
  readonly unanswered: readonly string[];
  readonly beyond: readonly string[];
  /** Refusals that do not name what lacks. */
  readonly unexplained: readonly string[];
  readonly effects: number;
}

export interface Judged {
  readonly door: Door;
  readonly traits: DoorTraits;
  readonly rights: Rights;
  /** A terminal that no call names where the door is for all. */
  readonly hidden: Victim;
  readonly random: Random;
  readonly calls: number;
}

/** @param client of the observer, who makes what the calls are about and asks for nothing else */
export async function judge(client: Client, dir: string, judged: Judged): Promise<Judgement> {
  const { door, rights, traits, hidden } = judged;
  const made = door.made ?? (door.isOfOne === true ? { parent: hidden.id } : {});
  const victim = await Victim.start(client, dir, 'victim', made);
  const question = await Question.put(client);
  if (rights.isHeld) await victim.hold();
  await door.about?.(victim.id);
  const before = await observe(client, victim, rights);
  // Requests of a scope that has no terminal must not act on it.
  await hidden.use();
  const strayBefore = (await hidden.typed()).length;
  const { unanswered, unexplained, heard, files } = await called(client, judged, dir, {
    id: victim.id,
    hidden: door.isOfOne === true ? hidden.id : undefined,
    ask: question.number,
    names: traits.givesNames === true ? ['ada', 'holder', 'asker', 'observer'] : ['ada'],
  });
  await haveEnded(client, before);
  const { typed, programs, ended } = permits(rights, traits.isPersons);
  const mayAnswer = traits.isPersons === true && rights.allow !== 'read';
  const after = await observe(client, victim, rights);
  const beyond = [
    ...changesBeyond(before, after, rights),
    ...(mayAnswer || (await question.isOpen()) ? [] : ['answered the question of another']),
    ...(!rights.isHeld || traits.isPersons === true || !victim.isAlive || (await victim.isHeld())
      ? []
      : ['took control from a person']),
    ...(door.beyond?.() ?? []),
  ];
  await question.end();
  const { isAlive } = victim;
  const text = await victim.typed();
  await victim.end();
  // Without a scope a request means the terminal that was used last.
  const isScoped = traits.givesNames === true || door.isOfOne === true || rights.scope !== undefined;
  const strayText = isScoped ? (await hidden.typed()).slice(strayBefore) : '';
  const started = files.filter(({ file }) => existsSync(file));
  beyond.push(
    ...(programs ? [] : started.map(({ call }) => `started a program: ${call}`)),
    ...(ended || isAlive ? [] : ['ended a program']),
    ...(typed || text === '' ? [] : [`typed ${JSON.stringify(text)}`]),
    ...((programs && door.isOfOne !== true) || hidden.isAlive ? [] : ['ended a program that was not named']),
    ...(strayText === '' ? [] : [`typed into a terminal that was not named: ${JSON.stringify(strayText)}`]),
    ...(door.isOfOne === true ? heard.filter((one) => tellsOf(hidden.id, one)) : []).map(
      ({ call, answer }) => `heard of another terminal: ${call}: ${answer}`,
    ),
    ...(isRunning(client.daemon.pid) ? [] : ['ended the daemon']),
    ...((await client.call('ping', {})).pid === client.daemon.pid ? [] : ['replaced the daemon']),
  );
  const effects = started.length + (text === '' ? 0 : 1) + (isAlive ? 0 : 1);
  return { unanswered, unexplained, beyond, effects };
}

async function called(client: Client, judged: Judged, dir: string, target: Target) {
  const { door, rights, traits, random, calls, hidden } = judged;
  const unanswered: string[] = [];
  const unexplained: string[] = [];
  const heard: { readonly call: string; readonly answer: string }[] = [];
  const files: { readonly file: string; readonly call: string }[] = [];
  const drawn = new DrawnCalls(random, target);
  for (let n = 1; n <= calls; n++) {
    const file = path.join(dir, `made-${Math.floor(random() * 2 ** 40)}`);
    const plain = n === 1 ? { ...ofNoTerminal, req: n } : plainCalls(target, file)[calls - n];
    const { name, input, req } = plain ?? { ...drawn.next(file), req: n };
    const call = `${name} ${JSON.stringify(input)}`;
    files.push({ file, call });
    const answer = await answerTo(door.call(name, input, req));
    if (answer === undefined) unanswered.push(call);
    else heard.push({ call, answer });
    const needed = plain === undefined || traits.hasOwnCalls === true ? undefined : lacking(plain, rights, traits);
    if (needed !== undefined && answer?.match(needed) === null) unexplained.push(`${call}: ${answer}`);
  }
  if (door.isOfOne === true) heard.push(await overheard(client, door, target.id, hidden));
  return { unanswered, unexplained, heard, files };
}

/** The first: a scope that has had no terminal yet means none. */
const ofNoTerminal: Call = { name: 'type', input: { id: '@', text: 'x' } };

/** The last calls do what the others may have been refused for another reason. The numbers choose how they are written. */
function plainCalls({ id, ask }: Target, file: string): readonly (Call & { readonly req: number })[] {
  return [
    { name: 'kill', input: { id }, req: 6000 },
    { name: 'create', input: { cmd_args: ['touch', file] }, req: 6001 },
    { name: 'type', input: { id, text: 'x' }, req: 6002 },
    { name: 'run', input: { command: `touch ${file}` }, req: 6004 },
    { name: 'answer', input: { ask, text: 'yes' }, req: 6005 },
    { name: 'list', input: { cmd: 'create', cmd_args: ['touch', file] }, req: 6007 },
    { name: 'replace', input: { exec: '/usr/bin/touch', entry: file }, req: 6008 },
    { name: 'replace', input: {}, req: 6010 },
    { name: 'run', input: { resume: { id, elapsed_ms: 0 }, timeout_ms: 1, keep: false }, req: 6011 },
  ];
}

/** The answer to who waits for what others publish, while they do. */
async function overheard(client: Client, door: Door, id: string, hidden: Victim) {
  const input = { id, wait: { until: { published: 'told' }, timeout_ms: 1000 } };
  let answer: string | undefined;
  const asked = answerTo(door.call('text', input, 6006)).then((given = '') => (answer = given));
  while (answer === undefined) {
    await client.call('publish', { name: 'told', data: hidden.id });
    await Promise.race([asked, nextTurn()]);
  }
  return { call: `text ${JSON.stringify(input)}`, answer };
}

/** Of the crew its roles, and of a link to one terminal what it is for. */
const NEEDS_REACH = /needs the reach|is not for the role|to look at, and nothing else/;
const NEEDS_CONTROL = /control/i;
/** Tools do not have it. */
const NEEDS_PERSON = /needs a person|needs the reach|to look at, and nothing else|no tool/;

/** A refusal may repeat a name of the call that means nothing to it. */
function tellsOf(id: string, { call, answer }: { readonly call: string; readonly answer: string }): boolean {
  return answer.includes(id) && !(call.includes(id) && /not_found|can't find|no such/i.test(answer));
}

/** How the refusal of a plain call names what its caller lacks. Undefined if it lacks nothing. */
function lacking({ name, input }: Call, rights: Rights, traits: DoorTraits): RegExp | undefined {
  const { allow, isHeld, tools } = rights;
  const isPersons = traits.isPersons === true;
  if (name === 'replace') return traits.hasOwnNames === true ? undefined : NEEDS_PERSON;
  if (name === 'answer')
    return isPersons && allow !== 'read' ? undefined : traits.hasOwnNames === true ? undefined : NEEDS_PERSON;
  if (tools !== undefined || name === 'list') return undefined;
  if (!(name === 'type' ? allow !== 'read' : allow === 'create')) return NEEDS_REACH;
  const isOfHeld = isHeld && !isPersons && input !== ofNoTerminal.input;
  return isOfHeld && (name === 'type' || name === 'kill') ? NEEDS_CONTROL : undefined;
}

/** Programs that the calls have started make their file before they end. */
async function haveEnded(client: Client, { terminals: before }: Observed): Promise<void> {
  const { terminals } = await client.call('list', {});
  const started = terminals.filter(({ id, cmd }) => !Object.hasOwn(before, id) && cmd.join(' ').includes('touch'));
  const until = { event: 'exit' } as const;
  await Promise.allSettled(started.map(({ id }) => client.call('wait', { id, until, timeout_ms: ANSWER_MS })));
}

/** Undefined if there is none. */
async function answerTo(answer: Promise<unknown>): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ANSWER_MS);
  });
  try {
    const given = await Promise.race([answer, late]);
    if (given === undefined) return undefined;
    return given instanceof Error ? given.message : typeof given === 'string' ? given : JSON.stringify(given);
  } finally {
    clearTimeout(timer);
  }
}
