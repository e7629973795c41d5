/** Pictures of terminals: `screenshot`; the next one is drawn ahead. */
import type { PictureParams } from '../../protocol/picture.js';
import type { Call } from '../../rpc/service.js';
import { type Core, isMasked } from '../core.js';
import type { Feature } from '../feature.js';
import { capture, type Capture, findMarks } from './capture.js';
import type { LookingCore, Looks } from './looking-core.js';
import { Pictures } from './pictures.js';
import { MAX_MARKING_MS, Prefetch, PREFETCH_EVENTS } from './prefetch.js';
import { screenshot } from './screenshot.js';
import { Themes } from './themes.js';

export function makeLooks(core: Core, fontsDir: string): Looks {
  const themes = new Themes(core.config);
  const pictures = new Pictures(fontsDir, themes, () => core.config);
  const draw = async (captured: Capture, params: PictureParams, signal: AbortSignal, call?: Call) =>
    pictures.draw(await findMarks(await shownTo(core, captured, call), core.work, signal), params, call);
  return {
    themes,
    pictures,
    draw: (captured, params, call) => draw(captured, params, call.signal, call),
    shown: async (seen, call) => (await shownTo(core, seen, call)).snapshot,
    prefetch: new Prefetch(async (terminal, params) => {
      if (terminal.state.kind === 'removed') return;
      await draw(capture(terminal, params), params, AbortSignal.timeout(MAX_MARKING_MS));
    }),
  };
}

async function shownTo<T extends Pick<Capture, 'terminal' | 'snapshot' | 'over'>>(
  core: Core,
  captured: T,
  call: Call | undefined,
): Promise<T> {
  if (call === undefined || !isMasked(core, call)) return captured;
  return (await import('./masked-capture.js')).maskedCapture(core, captured);
}

export function picturesFeature(core: LookingCore): Feature<'screenshot'> {
  const { pictures, prefetch } = core.looks;
  return {
    handlers: { screenshot: screenshot(core) },
    observe: (terminal) => ({ onEvent: ({ event }) => void (PREFETCH_EVENTS.has(event) && prefetch.start(terminal)) }),
    dropCaches: () => pictures.dropCaches(),
  };
}
