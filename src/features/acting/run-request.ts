/** What both kinds of a run take from their request: its words or its line, its picture, and how it goes on in another daemon. */
import { T4aError } from '../../protocol/errors.js';
import { MAX_TIMEOUT_MS } from '../../protocol/limits.js';
import { defaultPicture, type PictureParams } from '../../protocol/picture.js';
import type { Params } from '../../protocol/registry.js';
import type { Call } from '../../rpc/service.js';
import type { StreamedRuns } from '../../terminal/streamed-runs.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { Launcher } from '../core.js';
import { type Capture, capture } from '../pictures/capture.js';
import type { LookingCore } from '../pictures/looking-core.js';
import { failedLook } from '../reading/failed-look.js';

export interface RunOwner {
  readonly core: LookingCore;
  readonly launcher: Launcher;
  readonly streamedRuns: StreamedRuns;
}

/** @throws T4aError invalid_field */
export function exactlyOne<T>(
  { cmd_args: words, command }: Params<'run'>,
  ofWords: (words: readonly string[]) => T,
  ofLine: (line: string) => T,
): T {
  if (words !== undefined && command === undefined) return ofWords(words);
  if (words === undefined && command !== undefined) return ofLine(command);
  throw new T4aError('invalid_field', 'Exactly one of "cmd_args" and "command" is needed.', {
    field: 'cmd_args',
    hint: 'For example t4a run -- make test, or t4a run --command "make 2>&1 | tail".',
  });
}

/** The fields that have a value. */
export function given<T extends object>(fields: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as ReturnType<
    typeof given<T>
  >;
}

/** The program goes on there, and so does the run. */
export function inAnotherDaemon(error: T4aError, { id }: Terminal, params: Params<'run'>, elapsedMs: number): T4aError {
  const { timeout_ms: timeoutMs, on_timeout, max_lines, max_length, screenshot, keep, keep_omitted, stream } = params;
  const left = timeoutMs === undefined ? {} : { timeout_ms: Math.max(1, Math.round(timeoutMs - elapsedMs)) };
  const fields = given({ on_timeout, max_lines, max_length, screenshot, keep, keep_omitted, stream });
  const resume = {
    cmd: 'run',
    ...fields,
    ...left,
    resume: { id, elapsed_ms: Math.min(Math.round(elapsedMs), MAX_TIMEOUT_MS) },
  };
  return new T4aError(error.code, error.message, { ...error.details, acted: true, resume });
}

/** Nothing was typed: it is asked again. */
export function notWritten(
  error: T4aError,
  { timeout_ms: timeoutMs, ...params }: Params<'run'>,
  elapsedMs: number,
): T4aError {
  const left = timeoutMs === undefined ? {} : { timeout_ms: Math.max(1, Math.round(timeoutMs - elapsedMs)) };
  return new T4aError(error.code, error.message, {
    ...error.details,
    acted: false,
    resume: { cmd: 'run', ...given(params), ...left },
  });
}

export type RequestedPicture = { readonly capture: Capture; readonly params: PictureParams } | undefined;

export function requestedPicture(terminal: Terminal, { screenshot }: Params<'run'>): RequestedPicture {
  if (screenshot === false) return undefined;
  const params = screenshot === true ? defaultPicture() : screenshot;
  return { capture: capture(terminal, params), params };
}

export async function drawnPicture(core: LookingCore, picture: RequestedPicture, call: Call) {
  if (picture === undefined) return { facts: {}, bytes: {} };
  try {
    const { facts, bytes } = await core.looks.draw(picture.capture, picture.params, call);
    return { facts, bytes: { bytes } };
  } catch (error) {
    return { facts: { observed: failedLook(error, call.signal) }, bytes: {} };
  }
}
