import { z } from 'zod';
import { defineCommand } from '../command.js';
import { MAX_SCROLLBACK_LINES } from '../limits.js';
import { timeoutMs } from '../vocabulary.js';

const color = z.string().regex(/^#[0-9a-fA-F]{6}$/, '"#rrggbb"');

/** A theme of one's own. */
export const themeShape = {
  foreground: color,
  background: color,
  cursor: color.optional().describe('Default: the foreground.'),
  ansi: z.array(color).length(16).describe('The colours 0 to 15; the others are fixed.'),
};

const MAX_THEMES = 64;

/** What can be set while the daemon runs; `config` without fields only reads. */
export const configShape = {
  idle_timeout_ms: timeoutMs.describe('Silence before `idle` is published, for terminals that do not say otherwise.'),
  scrollback: z.int().min(0).max(MAX_SCROLLBACK_LINES).describe('Lines kept above the viewport, for new terminals.'),
  max_terminals: z.int().min(1).max(10_000).describe('Terminals that may exist at once.'),
  theme: z.string().min(1).max(64).describe('Colours of pictures, and those that programs are told when they ask.'),
  themes: z
    .record(z.string().regex(/^[a-z0-9-]{1,64}$/, 'lower-case letters, digits and "-"'), z.strictObject(themeShape))
    .refine((themes) => Object.keys(themes).length <= MAX_THEMES, `at most ${MAX_THEMES} themes`)
    .describe('Themes of your own, by name, besides dark, light, tokyo-night, solarized, gruvbox and xterm.'),
};

export type Config = z.infer<z.ZodObject<typeof configShape>>;

export const DEFAULT_CONFIG: Config = {
  idle_timeout_ms: 2000,
  scrollback: 10_000,
  max_terminals: 500,
  theme: 'dark',
  themes: {},
};

export const config = defineCommand({
  name: 'config',
  summary: "Read or change the daemon's configuration.",
  params: z.object(configShape).partial().shape,
  reply: configShape,
  cli: { examples: ['config', 'config --idle-timeout-ms 500', 'config --theme light'] },
});
