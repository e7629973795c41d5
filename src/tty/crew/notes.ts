/** The scratchpads of the project, as files of persons and agents: looked at once a second, one of them is read for its preview. */
import { isT4aError } from '../../protocol/errors.js';
import type { ShellCrew } from './shell-crew.js';

export interface Preview {
  readonly name: string;
  readonly lines: readonly string[];
}

export class Notes {
  readonly #crew: Pick<ShellCrew, 'scratchpads' | 'scratchpad'>;
  #names: readonly string[] = [];
  /** Scratchpad of the preview, if the person has chosen one; else the last that was changed. */
  #chosen: string | undefined;
  #preview: Preview | undefined;
  #key = '';

  constructor(crew: Pick<ShellCrew, 'scratchpads' | 'scratchpad'>) {
    this.#crew = crew;
  }

  get names(): readonly string[] {
    return this.#names;
  }

  get preview(): Preview | undefined {
    return this.#preview;
  }

  choose(name: string): void {
    this.#chosen = name;
    this.look();
  }

  /** @returns whether they have changed */
  look(): boolean {
    const listed = this.#crew.scratchpads();
    const latest = listed.toSorted((one, other) => other.modifiedMs - one.modifiedMs)[0];
    const shown = listed.find(({ name }) => name === this.#chosen) ?? latest;
    const key = JSON.stringify([listed.map(({ name }) => name), shown]);
    if (key === this.#key) return false;
    this.#key = key;
    this.#names = listed.map(({ name }) => name);
    this.#preview = shown === undefined ? undefined : { name: shown.name, lines: this.lines(shown.name) };
    return true;
  }

  /** One that cannot be read says why. */
  lines(name: string): readonly string[] {
    try {
      return this.#crew.scratchpad(name).replaceAll('\t', '  ').split('\n');
    } catch (error) {
      if (!(error instanceof Error) || isT4aError(error)) throw error;
      return [error.message];
    }
  }
}
