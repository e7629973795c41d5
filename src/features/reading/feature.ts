/** Reading of terminals as texts, lines and bytes. */
import type { StreamedRuns } from '../../terminal/streamed-runs.js';
import { forgetBlocks } from '../../vt/block-cache.js';
import type { Feature } from '../feature.js';
import type { LookingCore } from '../pictures/looking-core.js';
import { commands } from './commands.js';
import { cursor } from './cursor.js';
import { find } from './find.js';
import { grep } from './grep.js';
import { lastLooks } from './last-looks.js';
import { output } from './output.js';
import { ports } from './ports.js';
import { text } from './text.js';

type Name = 'text' | 'grep' | 'find' | 'cursor' | 'commands' | 'output' | 'ports';

export function readingFeature(core: LookingCore, streamedRuns: StreamedRuns): Feature<Name> {
  return {
    handlers: {
      text: text(core),
      grep: grep(core),
      find: find(core),
      cursor: cursor(core),
      commands: commands(core),
      output: output(core, streamedRuns),
      ports: ports(core),
    },
    dropCaches() {
      lastLooks.clear();
      for (const { screen } of core.terminals.all()) forgetBlocks(screen);
    },
  };
}
