/** The configuration in force, and the source of each field's value. */
import { DEFAULT_CONFIG, type Config, type ConfigSource } from '../protocol/commands/config.js';

export type ConfigSources = Readonly<Record<keyof Config, ConfigSource>>;

export class Settings {
  readonly #apply: (config: Config, changes: Partial<Config>) => void;
  #values: Config = DEFAULT_CONFIG;
  #sources = Object.fromEntries(Object.keys(DEFAULT_CONFIG).map((field) => [field, 'default'])) as ConfigSources;

  /** @param apply puts a new configuration into effect; nothing has changed if it throws */
  constructor(apply: (config: Config, changes: Partial<Config>) => void) {
    this.#apply = apply;
  }

  get values(): Config {
    return this.#values;
  }

  get sources(): ConfigSources {
    return this.#sources;
  }

  /** @param sources of the changed fields. Default: `request` */
  change(changes: Partial<Config>, sources?: Partial<ConfigSources>): Config {
    const config = { ...this.#values, ...changes };
    this.#apply(config, changes);
    this.#values = config;
    const origins = Object.keys(changes).map((field) => [field, sources?.[field as keyof Config] ?? 'request']);
    this.#sources = { ...this.#sources, ...Object.fromEntries(origins) };
    return config;
  }
}
