/**
 * Writes a secret only while a program certainly reads a line without echo.
 *
 * Reading the terminal's flags with `stty` takes some 2 ms, in which a program may go on and turn echo on. So its
 * reading threads are checked before and after that, the second time in the same step as the write: threads that have
 * slept all the while have changed nothing. The remaining gaps are in docs/security.md, "Not claimed": a time limit
 * that expires between that check and the kernel's delivery of the line, other processes that set the flags, set-uid
 * programs, systems without /proc.
 *
 * The secret and its Enter are one write: between two writes the program may stop asking, and the rest would be typed
 * ahead.
 */
import type { Clock } from '../../base/clock.js';
import { type InputSecrecy, inputSecrecy } from '../../events/secrecy.js';
import type { AwaitingInput } from '../../events/awaiting-input.js';
import { T4aError, quote } from '../../protocol/errors.js';
import { MAX_SECRET_BYTES } from '../../protocol/input.js';
import { haveSlept, sleepingReaders } from '../../terminal/system/proc/sleeping-readers.js';
import { enterKey } from './submit.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { InputWriter } from '../../terminal/input/terminal-input.js';

/** For a program that has yet to print its prompt, for example after the previous line; other input waits until then. */
const PROMPT_LIMIT_MS = 1000;
const PROBE_GAP_MS = 30;

export interface SecretFields {
  readonly secret: boolean;
  readonly even_if_shown: boolean;
}

/** @param bytes the text, without Enter @throws T4aError invalid_field */
export function mustBeHidden(
  { secret, even_if_shown: evenIfShown }: SecretFields,
  bytes: Uint8Array,
  field: string,
): boolean {
  if (evenIfShown && !secret) {
    throw new T4aError('invalid_field', '"even_if_shown" goes with "secret": true.', {
      field: 'even_if_shown',
      hint: 'Without "secret" the text is written in any case.',
    });
  }
  if (!secret || evenIfShown) return false;
  assertOneLine(bytes, field);
  return true;
}

/** Text after the end of the line would be typed ahead, where the kernel or the next program echoes it. */
function assertOneLine(bytes: Uint8Array, field: string): void {
  const line = Buffer.from(bytes)
    .toString('latin1')
    .replace(/(?:\r\n?|\n)$/, '');
  // Tab is the only control character that neither ends nor edits a line.
  // oxlint-disable-next-line no-control-regex
  const isOneLine = !/[\x00-\x08\x0a-\x1f\x7f]/.test(line);
  if (isOneLine && line.length <= MAX_SECRET_BYTES) return;
  const why = isOneLine ? `is ${line.length} bytes, and a line has at most ${MAX_SECRET_BYTES}` : 'holds control keys';
  throw new T4aError('invalid_field', `The secret in "${field}" ${why}: its end could be shown.`, {
    field,
    hint: 'Give one line.',
  });
}

export interface SecretWrite {
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly writer: InputWriter;
  readonly bytes: Uint8Array;
  readonly signal: AbortSignal;
}

/** Like `beginText` in submit.ts, but the whole text is written in the second step. */
export async function beginSecret<Facts extends { readonly bytes_sent: number }>(
  secret: SecretWrite,
  facts: Facts,
  submit: boolean,
): Promise<() => Promise<Facts>> {
  const enter = submit ? enterKey(secret.terminal) : new Uint8Array();
  return async () => {
    await writeSecret({ ...secret, bytes: Buffer.concat([secret.bytes, enter]) });
    return { ...facts, bytes_sent: facts.bytes_sent + enter.length };
  };
}

/** Resolves once the kernel has all bytes. @throws T4aError would_echo; the writer's errors */
export async function writeSecret({ terminal, clock, writer, bytes, signal }: SecretWrite): Promise<void> {
  const { detectors, input } = terminal;
  const deadlineMs = clock.now() + PROMPT_LIMIT_MS;
  for (;;) {
    // Even on a busy machine the last probe comes after the deadline, so a prompt that is there is seen.
    const isLastProbe = clock.now() >= deadlineMs;
    const reader = await detectors.probeInput();
    const group = terminal.foregroundGroup;
    const readers = sleepingReaders(terminal);
    const flags = await terminal.flags();
    signal.throwIfAborted();
    if (!terminal.alive) throw terminal.exitedError();
    const secrecy = flags === undefined ? 'unknown' : inputSecrecy(flags, detectors.shell.atPrompt);
    const isRead = !detectors.tellsAwaitingInput || (reader !== undefined && readers.length > 0);
    const isCertain = secrecy === 'hidden' && isRead && input.pendingBytes === 0;
    // No await, and no more checks than necessary, between this check and the write.
    if (isCertain && terminal.foregroundGroup === group && haveSlept(readers)) return writer.write(bytes);
    if (isLastProbe || (reader !== undefined && secrecy !== 'hidden')) throw wouldEcho(terminal, secrecy, reader);
    await writer.pause(PROBE_GAP_MS);
  }
}

function wouldEcho({ id }: Terminal, secrecy: InputSecrecy, reader: AwaitingInput | undefined): T4aError {
  const program = reader === undefined ? 'the program' : quote(reader.process);
  const [why, hint] = {
    shown: [`In terminal "${id}" ${program} shows what is typed`, `t4a wait ${id} --input-kind password`],
    unknown: [
      `It is unknown whether ${program} in terminal "${id}" shows what is typed`,
      'It draws its own input, like shells, ssh, tmux and prompts of stars. A person who has checked the prompt may add --even-if-shown.',
    ],
    hidden: [`No program in terminal "${id}" reads a line now`, `t4a wait ${id} --input-kind password`],
  }[secrecy] as [string, string];
  return new T4aError('would_echo', `${why}: the secret was not written.`, { hint });
}
