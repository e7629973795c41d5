/** What the person has chosen for all pages of this browser, which keeps it. */
import type { ThemeName } from './palette.js';

const THEME = 't4a-theme';
/** The person was asked whether to be called, and has answered. */
const CALLS = 't4a-calls';
/** The commands of shells are not shown beside the rows. */
const NO_BLOCKS = 't4a-no-blocks';

export class Preferences {
  theme: ThemeName = initialTheme();

  toggleTheme(): void {
    this.theme = this.theme === 'dark' ? 'light' : 'dark';
    localStorage.setItem(THEME, this.theme);
  }

  get hidesBlocks(): boolean {
    return localStorage.getItem(NO_BLOCKS) !== null;
  }

  toggleBlocks(): void {
    if (this.hidesBlocks) localStorage.removeItem(NO_BLOCKS);
    else localStorage.setItem(NO_BLOCKS, 'yes');
  }

  /** The person has answered whether to be called. */
  get hasChosenCalls(): boolean {
    return localStorage.getItem(CALLS) !== null;
  }

  chooseCalls(wanted: boolean): void {
    localStorage.setItem(CALLS, wanted ? 'yes' : 'no');
  }
}

function initialTheme(): ThemeName {
  const stored = localStorage.getItem(THEME);
  if (stored === 'dark' || stored === 'light') return stored;
  return matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
}
