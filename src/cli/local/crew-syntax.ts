/** The command of the crew, as the command line answers it. */
import type { CommandSyntax } from '../argv/syntax.js';

export const CREW_COMMANDS: readonly CommandSyntax[] = [
  {
    name: 'crew',
    group: 'models',
    summary: 'Start coding agents that have the tools of t4a, by presets.',
    local: true,
    positionals: [
      { field: 'action', label: 'action', type: 'string', values: ['presets', 'trust'] },
      { field: 'words', label: 'argument', type: 'string', optional: true, rest: true },
    ],
    flags: [
      {
        flag: 'kind',
        field: 'kind',
        type: 'string',
        description: 'Kind of the preset, where an agent and a process have the name.',
        values: ['agent', 'process'],
        local: true,
      },
      {
        flag: 'revoke',
        field: 'revoke',
        type: 'string',
        placeholder: 'name',
        description: 'With trust: trust this preset no longer.',
        local: true,
      },
      { flag: 'list', field: 'list', type: 'boolean', description: 'With trust: list what is trusted.', local: true },
    ],
    notes:
      'presets lists how agents and processes are started: the shipped presets, and those of $XDG_CONFIG_HOME/t4a/presets/agents and …/processes, merged by name. Nothing is read from a project. trust lets a preset start in the project, which is the current directory; an edit of the preset asks again. It prevents accidents: programs that run as you can trust a preset as well.',
    examples: [
      'crew presets',
      'crew presets --json',
      'crew trust claude',
      'crew trust --revoke claude',
      'crew trust --list',
    ],
  },
];
