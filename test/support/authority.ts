/**
 * The judge of authority: random calls through a door by somebody with some rights, and an observer outside of t4a, who sees effects
 * alone (observed.ts). A call must have an answer; what is refused for a lack of rights names the right.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '../../src/client/client.js';
import { type Call, DrawnCalls } from './drawn-calls.js';
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
  readonly random: Random;
  readonly calls: number;
}

/** @param client of the observer, who makes what the calls are about and asks for nothing else */
export async function judge(client: Client, dir: string, judged: Judged): Promise<Judgement> {
  const { door, rights, traits } = judged;
  const victim = await Victim.start(client, dir, 'victim', door.made);
  // The newest of all: requests that name no terminal must not act on it.
  const bystander = await Victim.start(client, dir, 'hidden');
  const question = await Question.put(client);
  if (rights.isHeld) await victim.hold();
  await door.about?.(victim.id);
  const before = await observe(client, victim);
  const { unanswered, unexplained, heard, made } = await called(judged, dir, {
    id: victim.id,
    hidden: door.isOfOne === true ? bystander.id : undefined,
    ask: question.number,
    names: traits.givesNames === true ? ['ada', 'holder', 'asker', 'observer'] : ['ada'],
  });
  await haveEnded(client, before);
  const { typed, programs, ended } = permits(rights, traits.isPersons);
  const mayAnswer = traits.isPersons === true && rights.allow !== 'read';
  const after = await observe(client, victim);
  const beyond = [
    ...changesBeyond(before, after, rights),
    ...(mayAnswer || (await question.isOpen()) ? [] : ['answered the question of another']),
    ...(!rights.isHeld || traits.isPersons === true || !victim.isAlive || (await victim.isHeld())
      ? []
      : ['took control from a person']),
    ...(door.beyond?.() ?? []),
  ];
  await question.end();
  const { isAlive, text } = await victim.end();
  const other = await bystander.end();
  const started = made.filter(({ file }) => existsSync(file));
  beyond.push(
    ...(programs ? [] : started.map(({ call }) => `started a program: ${call}`)),
    ...(ended || isAlive ? [] : ['ended a program']),
    ...(typed || text === '' ? [] : [`typed ${JSON.stringify(text)}`]),
    ...((programs && door.isOfOne !== true) || other.isAlive ? [] : ['ended a program that was not named']),
    ...(other.text === '' ? [] : [`typed into a terminal that was not named: ${JSON.stringify(other.text)}`]),
    ...(door.isOfOne === true ? heard.filter(({ answer }) => answer.includes(`hidden-`)) : []).map(
      ({ call, answer }) => `heard of another terminal: ${call}: ${answer}`,
    ),
    ...(isRunning(client.daemon.pid) ? [] : ['ended the daemon']),
  );
  const effects = started.length + (text === '' ? 0 : 1) + (isAlive ? 0 : 1);
  return { unanswered, unexplained, beyond, effects };
}

async function called(
  { door, rights, traits, random, calls }: Judged,
  dir: string,
  target: ConstructorParameters<typeof DrawnCalls>[1],
) {
  const unanswered: string[] = [];
  const unexplained: string[] = [];
  const heard: { readonly call: string; readonly answer: string }[] = [];
  const made: { readonly file: string; readonly call: string }[] = [];
  const drawn = new DrawnCalls(random, target);
  for (let n = 1; n <= calls; n++) {
    const file = path.join(dir, `made-${Math.floor(random() * 2 ** 40)}`);
    const plain = plainCalls(target.id, file)[calls - n];
    const { name, input } = plain ?? drawn.next(file);
    const call = `${name} ${JSON.stringify(input)}`;
    made.push({ file, call });
    const answer = await answerTo(door.call(name, input, n));
    if (answer === undefined) unanswered.push(call);
    else heard.push({ call, answer });
    const needed = plain === undefined || traits.hasOwnCalls === true ? undefined : lacking(plain, rights, traits);
    if (needed !== undefined && answer?.match(needed) === null) unexplained.push(`${call}: ${answer}`);
  }
  return { unanswered, unexplained, heard, made };
}

/** The last calls do what the others may have been refused for another reason. */
function plainCalls(id: string, file: string): readonly Call[] {
  return [
    { name: 'kill', input: { id } },
    { name: 'create', input: { cmd_args: ['touch', file] } },
    { name: 'type', input: { id, text: 'x' } },
  ];
}

/** Of the crew its roles, and of a link to one terminal what it is for. */
const NEEDS_REACH = /needs the reach|is not for the role|to look at, and nothing else/;
const NEEDS_CONTROL = /control/;

/** How the refusal of a plain call names what its caller lacks. Undefined if it lacks nothing. */
function lacking({ name }: Call, rights: Rights, { isPersons }: DoorTraits): RegExp | undefined {
  const { allow, isHeld } = rights;
  const [level, acts] = name === 'type' ? [allow !== 'read', true] : [allow === 'create', name === 'kill'];
  if (rights.tools !== undefined) return undefined;
  if (!level) return NEEDS_REACH;
  return acts && isHeld && isPersons !== true ? NEEDS_CONTROL : undefined;
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
