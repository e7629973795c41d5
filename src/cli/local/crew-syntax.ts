/** The command of the crew, as the command line answers it. */
import type { CommandSyntax } from '../argv/syntax.js';

export const CREW_COMMANDS: readonly CommandSyntax[] = [
  {
    name: 'crew',
    group: 'models',
    summary: 'Show the crew of a project, and start coding agents that have the tools of t4a, by presets.',
    local: true,
    positionals: [
      {
        field: 'action',
        label: 'action',
        type: 'string',
        optional: true,
        values: ['spawn', 'list', 'resume', 'presets', 'trust'],
      },
      { field: 'words', label: 'argument', type: 'string', optional: true, rest: true },
    ],
    settings: { cols: 'cols', rows: 'rows' },
    flags: [
      {
        flag: 'name',
        field: 'name',
        type: 'string',
        description: 'With spawn: name of the terminal. Default: that of the preset, with a number.',
        local: true,
      },
      {
        flag: 'cols',
        field: 'cols',
        type: 'integer',
        minimum: 2,
        description: 'With spawn and resume: columns. Default: those of your terminal, else 120.',
        local: true,
      },
      {
        flag: 'rows',
        field: 'rows',
        type: 'integer',
        minimum: 1,
        description: 'With spawn and resume: rows. Default: those of your terminal, else 40.',
        local: true,
      },
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
      {
        flag: 'on-exit',
        field: 'on_exit',
        type: 'string',
        description: 'Of the shell: end the crew with it, even if it is killed. Default: keep.',
        values: ['keep', 'end'],
        local: true,
      },
      {
        flag: 'list',
        field: 'list',
        type: 'boolean',
        description: 'With trust: list what is trusted. With resume: what would be started.',
        local: true,
      },
    ],
    notes:
      'Without an action: the shell of the crew, in your terminal. A tab for each agent and process of the current directory, one of them below at the exact size of what is left, beside it who waits for you, the tree and the scratchpads; Ctrl+K opens the palette (go to, answer, spawn, run, close, leave), and Ctrl+K twice is one for the program. The crew goes on without the shell, unless --on-exit is end. spawn starts an agent in the current directory, with the tools of t4a, and gives it the text as its first prompt, as deliver does. It prints the id of the terminal, and exits with 1 if the prompt was not delivered; of an agent without a rule for its box it is enough that Enter was pressed. list shows agents and what they started as a tree, with what their rules show of them. resume starts again what was started in this directory from the command line or the shell and has not been closed there, after a reboot for example: with the same arguments and directory, if the preset still says the same and is trusted; conversations begin anew. presets lists how agents and processes are started: the shipped presets, and those of $XDG_CONFIG_HOME/t4a/presets/agents and …/processes, merged by name. Nothing is read from a project. trust lets a preset start in the project, which is the current directory; an edit of the preset asks again. It prevents accidents: programs that run as you can trust a preset as well.',
    examples: [
      'crew',
      'crew --on-exit end',
      'crew spawn claude',
      'crew spawn claude "fix the tests"',
      'crew list',
      'crew resume --list',
      'crew resume',
      'crew presets',
      'crew presets --json',
      'crew trust claude',
      'crew trust --revoke claude',
      'crew trust --list',
    ],
  },
];
