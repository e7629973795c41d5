/** What the person is asked before a preset is started: whether it is trusted, and the first prompt of an agent. */
import { Prompt, type PromptOptions } from '../attach/prompt.js';
import type { Preset, PresetKind } from '../crew/preset.js';
import type { ListedPreset } from '../crew/presets.js';
import type { ShellCrew } from './shell-crew.js';

export interface LaunchOptions {
  readonly crew: Pick<ShellCrew, 'project' | 'isTrusted' | 'trust'>;
  readonly open: (prompt: Prompt) => void;
  /** Keys wait until it is done. */
  readonly during: (act: () => Promise<void>) => void;
  readonly say: (message: string) => void;
  /** @param text first prompt; empty for none */
  readonly start: (kind: PresetKind, preset: Preset, text: string) => Promise<void>;
}

export class Launch {
  readonly #options: LaunchOptions;

  constructor(options: LaunchOptions) {
    this.#options = options;
  }

  begin({ kind, name, preset, error }: ListedPreset): void {
    const { crew, say } = this.#options;
    if (preset === undefined) return say(error ?? `The preset "${name}" is broken.`);
    if (crew.isTrusted(kind, preset)) return this.#askForPrompt(kind, preset);
    const card = (): readonly string[] => [
      ` The preset "${name}" is not trusted here:`,
      `   ${preset.argv.join(' ').replaceAll(/\s+/g, ' ')}`,
      `   in ${crew.project}`,
    ];
    this.#ask({ label: 'Trust it, and start it? (y/n)', isOneKey: true, card }, async (key) => {
      if (key !== 'y') return say(`"${name}" was not started.`);
      crew.trust(kind, preset);
      this.#askForPrompt(kind, preset);
    });
  }

  #askForPrompt(kind: PresetKind, preset: Preset): void {
    const { during, start } = this.#options;
    if (kind === 'process') during(() => start(kind, preset, ''));
    else this.#ask({ label: `First prompt of ${preset.name} (Enter for none):` }, (text) => start(kind, preset, text));
  }

  #ask(asked: Omit<PromptOptions, 'onAnswer'>, then: (answer: string) => Promise<void>): void {
    const { open, during } = this.#options;
    open(new Prompt({ ...asked, onAnswer: (answer) => during(() => then(answer)) }));
  }
}
