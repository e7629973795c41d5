/** Pictures of terminals: `screenshot`; the next one is drawn ahead. */
import type { Core } from '../core.js';
import type { Feature } from '../feature.js';
import { capture, findMarks } from './capture.js';
import type { LookingCore, Looks } from './looking-core.js';
import { Pictures } from './pictures.js';
import { MAX_MARKING_MS, Prefetch, PREFETCH_EVENTS } from './prefetch.js';
import { screenshot } from './screenshot.js';
import { Themes } from './themes.js';

export function makeLooks(core: Core, fontsDir: string): Looks {
  const themes = new Themes(core.config);
  const pictures = new Pictures(fontsDir, themes, () => core.config);
  return {
    themes,
    pictures,
    prefetch: new Prefetch(async (terminal, params) => {
      if (terminal.state.kind === 'removed') return;
      const marked = await findMarks(capture(terminal, params), core.work, AbortSignal.timeout(MAX_MARKING_MS));
      await pictures.draw(marked, params);
    }),
  };
}

export function picturesFeature(core: LookingCore): Feature<'screenshot'> {
  const { pictures, prefetch } = core.looks;
  return {
    handlers: { screenshot: screenshot(core) },
    observe: (terminal) => ({ onEvent: ({ event }) => void (PREFETCH_EVENTS.has(event) && prefetch.start(terminal)) }),
    dropCaches: () => pictures.dropCaches(),
  };
}
