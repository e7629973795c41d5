// docs/cli.md: the help of every command, as the CLI prints it, and what holds for all of them.

import { settings } from './command-table.mjs';

export function cliPage({ ERRORS, clientSettings, local }, table, { overviewHelp, commandHelp, flagDescription }) {
  return `# The command line

Generated from \`src/protocol\` and \`src/cli/argv/local-syntax.ts\` by \`npm run generate\`; not edited by hand. The same text is
printed by \`t4a help\` and \`t4a <command> --help\`.

${fenced(overviewHelp(table, local.GLOBAL_FLAGS))}
## What holds everywhere

- Standard output is data, standard error is for people, the exit status is the verdict.
- The output is text, on a terminal and in a pipe. With \`--json\` (or \`T4A_JSON=1\`, or \`json\` in the configuration) a command prints its reply
  as one line of JSON, and an error as one line of JSON on standard error. \`events\` prints JSON lines, \`screenshot\` in a pipe the picture.
- A command without an output form of its own prints its reply, one field a line.
- A flag's value follows it or an equals sign: \`--cols 120\`, \`--cols=120\`. A flag whose name ends in \`-ms\` may be written
  without that ending; its value is in milliseconds, or has a unit: \`500ms\`, \`5s\`, \`2m\`, \`1h\`. \`--no-\` before a switch turns it off. What follows \`--\` is never a flag.
- \`create\` and \`run\` pass the command line of the program on unchanged: after its first word, no word is a flag of t4a.
- ${startNoDaemon(table)} start no daemon. Every other command that sends a request starts one if none answers.
- \`@\` is the terminal that a command of the same scope made or named last. The scope is \`$T4A_SCOPE\`, or if that is absent the session of the shell, or for a
  command that leads a session of its own, its parent. Before a shell has made or named one, \`@\` is the latest of all; with \`$T4A_SCOPE\` it is that for
  commands that read alone, and others fail with \`terminal_not_found\`.
- Control characters in titles and names are printed as escapes, so that no program writes to your terminal through a table.
- Ctrl+C ends any command at once (status 130 in a shell). \`events\` ends quietly when its reader closes the pipe.

## Settings

Set lasting choices once: in the environment, or in \`$XDG_CONFIG_HOME/t4a/config.json\`, beside the fields of the
daemon's configuration ([\`config\`](protocol.md#config)). A flag overrides the environment, which overrides the file, which
overrides the default; \`t4a config\` prints each value and its source.

| in the file | in the environment | meaning |
|---|---|---|
${settings(clientSettings)
  .map((flag) => `| \`${flag.field}\` | \`T4A_${flag.field.toUpperCase()}\` | ${described(flag, flagDescription)} |\n`)
  .join('')}
## Exit status

| status | when |
|---|---|
| 0 | the request was answered |
| 1 | an error; \`grep\` and \`find\`: nothing was found; \`ask\`: the answer is no |
| 2 | the command line, or a field of the request, is wrong |
| 3 | a condition of \`--fail\` was met |
| 4 | the terminal is gone, or its process has ended |
| 5 | the act was done, and the look after it failed |
| 6 | the command has ended, and no status is known, as in a shell without marks |
| 123 | \`run\`: the command waits for input, and goes on |
| 124 | a deadline passed |
| 125 | an error, where the status may be that of a program |
| 126 | \`run\`: the program may not be executed |
| 127 | \`run\`: there is no such program |
| 128+n | a signal ended the command or the program: its number is n |

Where a wait, a turn or a \`run\` ends with a command or a program (\`run\`, \`--done\`, \`--exit\`, \`--wait done\`, \`--wait exit\`), the
status is its own, or 128 and the signal's number, so that \`t4a wait build --exit && deploy\` deploys no failed build. There an
error of t4a is 125. A program that ends before the condition of a wait is met is a failure of the wait, too: 4 if its own
status is 0. \`--no-status\` exits with 0 however it ended. With \`--json\` the reply has \`outcome\`, \`exit_code\` and \`signal\`.

The status of each error that is not 125:

| code | status | meaning |
|---|---|---|
${Object.entries(ERRORS)
  .map(([code, { exitStatus, meaning }]) => `| \`${code}\` | ${exitStatus} | ${meaning} |\n`)
  .join('')}
## Commands

${table.map((command) => `### t4a ${command.name}\n\n${fenced(commandHelp(command, []))}`).join('\n')}`;
}

/** `a`, `b` and `c`. */
function startNoDaemon(table) {
  const names = table.filter(({ startsNoDaemon }) => startsNoDaemon).map(({ name }) => `\`${name}\``);
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** The values, too, which help has in the place of the value. */
function described(flag, flagDescription) {
  const values = flag.values === undefined ? '' : ` One of ${flag.values.join(', ')}.`;
  return flagDescription(flag) + values;
}

const fenced = (text) => `\`\`\`text\n${text}\`\`\`\n`;
