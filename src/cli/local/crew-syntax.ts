/** The command of the crew, as the command line answers it. */
import type { CommandSyntax } from '../argv/syntax.js';

export const CREW_COMMANDS: readonly CommandSyntax[] = [
  {
    name: 'crew',
    group: 'models',
    summary: 'Start coding agents that have the tools of t4a, by presets.',
    local: true,
    positionals: [
      { field: 'action', label: 'action', type: 'string', values: ['presets'] },
      { field: 'words', label: 'argument', type: 'string', optional: true, rest: true },
    ],
    flags: [],
    notes:
      'presets lists how agents and processes are started: the shipped presets, and those of $XDG_CONFIG_HOME/t4a/presets/agents and …/processes, merged by name. Nothing is read from a project.',
    examples: ['crew presets', 'crew presets --json'],
  },
];
