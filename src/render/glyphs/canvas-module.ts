/** Loads @napi-rs/canvas, or says why there is none: its build for a platform is an optional package of its own, which installers may leave out. */
import type * as CanvasModule from '@napi-rs/canvas';
import { createRequire } from 'node:module';
import { errnoOf } from '../../base/errno.js';
import { T4aError } from '../../protocol/errors.js';

/** @throws T4aError render_failed */
export function loadCanvas(): typeof CanvasModule {
  try {
    return createRequire(import.meta.url)('@napi-rs/canvas') as typeof CanvasModule;
  } catch (error) {
    const says = `This picture needs the package @napi-rs/canvas, ${whatIsWrong(error)}.`;
    throw new T4aError('render_failed', says, {
      hint: 'Reinstall t4a, with its optional packages (npm install --include=optional), or ask for svg.',
      field: 'format',
    });
  }
}

function whatIsWrong(error: unknown): string {
  // ENOENT: it was there when Node last looked.
  if (['MODULE_NOT_FOUND', 'ENOENT'].includes(errnoOf(error) ?? '')) return 'which is not installed';
  const platform = `${process.platform}-${process.arch}`;
  // What it has looked for, one after the other; one may be there.
  const attempts = causes(error);
  const misfit = attempts.find((attempt) => errnoOf(attempt) === 'ERR_DLOPEN_FAILED');
  if (misfit !== undefined) return `whose build for ${platform} does not load here: ${firstLine(misfit)}`;
  return attempts.some((attempt) => errnoOf(attempt) === 'MODULE_NOT_FOUND')
    ? `whose build for ${platform} is not installed`
    : `which cannot be loaded: ${firstLine(error)}`;
}

function firstLine(error: unknown): string {
  const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return first.replace(/\.$/, '');
}

function causes(error: unknown): Error[] {
  const all: Error[] = [];
  for (let at = error; at instanceof Error && !all.includes(at); at = at.cause) all.push(at);
  return all;
}
