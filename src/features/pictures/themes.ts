/** The themes by name: those that come with the renderer, and those of the configuration. */
import { nearestWords } from '../../base/nearest.js';
import type { Config } from '../../protocol/commands/config.js';
import { T4aError, quote } from '../../protocol/errors.js';
import { THEMES, type Theme, paletteOf } from '../../render/theme.js';
import type { ReportedColors } from '../../vt/snapshot.js';

export class Themes {
  #config: Pick<Config, 'theme' | 'themes'>;
  /** Made once for each definition: the renderer keeps what it has drawn by a theme's identity. */
  readonly #own = new Map<string, { readonly definition: Config['themes'][string]; readonly theme: Theme }>();

  constructor(config: Pick<Config, 'theme' | 'themes'>) {
    this.#config = config;
  }

  /** The configuration's. */
  get current(): Theme {
    return this.named(this.#config.theme);
  }

  /** @throws T4aError invalid_field where the theme that is chosen is not there */
  configure(config: Pick<Config, 'theme' | 'themes'>): void {
    const before = this.#config;
    this.#config = config;
    try {
      this.named(config.theme);
    } catch (error) {
      this.#config = before;
      throw error;
    }
  }

  /** @throws T4aError invalid_field */
  named(name: string): Theme {
    const definition = Object.hasOwn(this.#config.themes, name) ? this.#config.themes[name] : undefined;
    if (definition !== undefined) return this.#ownTheme(name, definition);
    const theme = THEMES.get(name);
    if (theme !== undefined) return theme;
    const names = [...THEMES.keys(), ...Object.keys(this.#config.themes)];
    const closest = nearestWords(name, names)[0];
    throw new T4aError('invalid_field', `There is no theme ${quote(name)}.`, {
      field: 'theme',
      hint: closest === undefined ? `One of: ${names.join(', ')}.` : `Did you mean "${closest}"?`,
      ...(closest === undefined ? {} : { closest }),
    });
  }

  #ownTheme(name: string, definition: Config['themes'][string]): Theme {
    const known = this.#own.get(name);
    if (known?.definition === definition) return known.theme;
    const { foreground, background, cursor = foreground, ansi } = definition;
    const theme: Theme = {
      name,
      foreground: parseColor(foreground),
      background: parseColor(background),
      cursor: parseColor(cursor),
      ansi: ansi.map(parseColor),
    };
    this.#own.set(name, { definition, theme });
    return theme;
  }
}

/** The colours that programs get as answers to their queries: those of the current theme, as in pictures. */
export function reportedColors(themes: Themes): ReportedColors {
  return {
    get foreground() {
      return themes.current.foreground;
    },
    get background() {
      return themes.current.background;
    },
    get cursor() {
      return themes.current.cursor;
    },
    get palette() {
      return paletteOf(themes.current);
    },
  };
}

function parseColor(hex: string): number {
  return Number.parseInt(hex.slice(1), 16);
}
