/** The list of commands; any key closes it. */
import { LEADER_KEYS } from './leader-keys.js';
import type { Panel } from './panel.js';
import type { StatusLine } from './status-line.js';

export class HelpPanel implements Panel {
  readonly status: StatusLine = { left: ' Commands', right: 'any key: close ', look: 'message' };

  overlay(): readonly string[] {
    const width = Math.max(...LEADER_KEYS.map(({ label }) => label.length));
    return LEADER_KEYS.map(({ label, help }) => ` Ctrl+B ${label.padEnd(width)}  ${help}`);
  }

  take(): boolean {
    return true;
  }
}
