/** Who may type: asked before each input of a client. A terminal has one from its first `control` on. */
import type { z } from 'zod';
import type { claimantShape } from '../../protocol/commands/control.js';
import { T4aError } from '../../protocol/errors.js';
import type { Call } from '../../rpc/service.js';
import { whyOver } from '../../rpc/restriction.js';
import { isByDoor } from '../../rpc/takers.js';

/** Who sends input, and by which command. */
export interface InputSender {
  readonly cmd: string;
  readonly as?: string | undefined;
  /** That of the request. */
  readonly connection?: object | undefined;
  /** Of a secret not even the length is kept. */
  readonly secret?: boolean;
  /** The input is written only if the terminal has had so many inputs. */
  readonly ifInputs?: number | undefined;
  /** The input is written only while this hold goes on. */
  readonly ifHold?: number | undefined;
  /** The answer of a person to a question: an agent that has control does not hinder it. */
  readonly isAnswer?: boolean;
  /** Aborted once a client that came by a door has gone: what it lets in is not typed any more. */
  readonly gone?: AbortSignal;
  /** Look before each write for a client that came by a door. @throws T4aError `not_allowed` once its right is over */
  readonly assertRight?: () => void;
  /** Amount of input that was typed, for a client that is refused the rest: "2 of 3 keys". Default: bytes. */
  readonly progress?: () => string;
  /** The rest of an input that has begun: it counts with that. */
  readonly isRest?: boolean;
}

/** Fields of a request that sends input. */
export interface InputConditions {
  readonly if_inputs?: number | undefined;
  readonly if_hold?: number | undefined;
}

export type Claimant = z.output<z.ZodObject<typeof claimantShape>>;

export interface InputGate {
  /** The name that may type, as far as the asker is concerned: another one than their own if they may not. Undefined for all. */
  holderFor(asker: Pick<InputSender, 'as' | 'connection'>): string | undefined;
  /** The holder, as clients are shown it. */
  readonly claimant: Claimant | null;
  /** As watchers are shown it, with the names in line. */
  readonly shown: (Claimant & { requests: string[] }) | null;
  /** @throws T4aError control_held, not_holder */
  admit(sender: InputSender): void;
  /** An act that is no input, such as the end of the program. @throws T4aError control_held */
  admitAct(asker: Pick<InputSender, 'as' | 'connection'>): void;
  /** Whether this name has control, or is in line for it, and no person. */
  isAgent(as: string): boolean;
  /** Bytes of an admitted input are about to be written. */
  onWrite(sender: InputSender, bytes: Uint8Array): void;
}

export function senderOf(
  call: Pick<Call, 'as' | 'cmd' | 'connection' | 'restriction' | 'signal'>,
  { if_inputs: ifInputs, if_hold: ifHold }: InputConditions,
  secret = false,
): InputSender {
  const { as, cmd, connection, restriction } = call;
  const isDoor = isByDoor(restriction) || restriction?.rights !== undefined;
  const door = isDoor ? { gone: call.signal, assertRight: () => assertRightOf(call) } : {};
  return { as, cmd, connection, secret, ifInputs, ifHold, ...door };
}

/** Reads the restriction anew: a connection may be lowered while its input is under way. */
function assertRightOf({ restriction }: Pick<Call, 'restriction'>): void {
  const over = restriction === undefined ? undefined : whyOver(restriction);
  if (over !== undefined) throw over;
}

/** For the reply: who goes by the number of inputs needs the next one. */
export function countOf(inputs: number, { if_inputs: wanted }: InputConditions): { inputs?: number } {
  return wanted === undefined ? {} : { inputs };
}

/** @throws T4aError others_typed */
export function checkInputs(id: string, { ifInputs }: InputSender, inputs: number): void {
  if (ifInputs === undefined || ifInputs === inputs) return;
  const message = `Terminal "${id}" has had ${inputs} inputs, not ${ifInputs}: nothing was written.`;
  throw new T4aError('others_typed', message, {
    field: 'if_inputs',
    hint: `Take "inputs" of t4a status ${id}, then look again: t4a text ${id}`,
  });
}

/** @throws T4aError not_holder: without a gate there has been no hold */
export function checkNoHold(id: string, { ifHold }: InputSender): void {
  if (ifHold !== undefined) throw holdIsOver(id, ifHold);
}

export function holdIsOver(id: string, number: number): T4aError {
  return new T4aError('not_holder', `Hold ${number} of terminal "${id}" is over: nothing was written.`, {
    field: 'if_hold',
    hint: `Look again, then t4a control ${id} take.`,
  });
}
