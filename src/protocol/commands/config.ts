import { z } from 'zod';
import { defineCommand } from '../command.js';
import { MAX_SCROLLBACK_LINES } from '../limits.js';
import { timeoutMs } from '../vocabulary.js';

/** What can be set while the daemon runs; `config` without fields only reads. */
export const configShape = {
  idle_timeout_ms: timeoutMs.describe('Silence before `idle` is published, for terminals that do not say otherwise.'),
  scrollback: z.int().min(0).max(MAX_SCROLLBACK_LINES).describe('Lines kept above the viewport, for new terminals.'),
  max_terminals: z.int().min(1).max(10_000).describe('Terminals that may exist at once.'),
};

export type Config = z.infer<z.ZodObject<typeof configShape>>;

export const DEFAULT_CONFIG: Config = {
  idle_timeout_ms: 2000,
  scrollback: 10_000,
  max_terminals: 500,
};

export const config = defineCommand({
  name: 'config',
  summary: "Read or change the daemon's configuration.",
  params: z.object(configShape).partial().shape,
  reply: configShape,
  cli: { examples: ['config', 'config --idle-timeout-ms 500'] },
});
