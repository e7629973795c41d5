/** Questions to the person before a preset is started: whether it is trusted, and the first prompt of an agent. */
import type { TtyApp } from '../tty-app.js';
import type { Preset, PresetKind } from '../../crew/preset.js';
import type { ListedPreset } from '../../crew/presets.js';
import type { ShellCrew } from './shell-crew.js';

export interface PresetLaunchOptions {
  readonly crew: Pick<ShellCrew, 'project' | 'isTrusted' | 'trust'>;
  readonly app: TtyApp;
  /** @param text first prompt; empty for none */
  readonly start: (kind: PresetKind, preset: Preset, text: string) => Promise<void>;
}

export class PresetLaunch {
  readonly #options: PresetLaunchOptions;

  constructor(options: PresetLaunchOptions) {
    this.#options = options;
  }

  begin({ kind, name, preset, error }: ListedPreset): void {
    const { app, crew } = this.#options;
    if (preset === undefined) return app.say(error ?? `The preset "${name}" is broken.`);
    if (crew.isTrusted(kind, preset)) return this.#askForPrompt(kind, preset);
    const card = (): readonly string[] => [
      ` The preset "${name}" is not trusted here:`,
      `   ${preset.argv.join(' ').replaceAll(/\s+/g, ' ')}`,
      `   in ${crew.project}`,
    ];
    app.ask({ label: 'Trust it, and start it? (y/n)', isOneKey: true, card }, async (key) => {
      if (key !== 'y') return app.say(`"${name}" was not started.`);
      crew.trust(kind, preset);
      this.#askForPrompt(kind, preset);
    });
  }

  #askForPrompt(kind: PresetKind, preset: Preset): void {
    const { app, start } = this.#options;
    if (kind === 'process') void app.during(() => start(kind, preset, ''));
    else app.ask({ label: `First prompt of ${preset.name} (Enter for none):` }, (text) => start(kind, preset, text));
  }
}
