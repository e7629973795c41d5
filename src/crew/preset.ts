/** What a preset may say: how an agent or a process is started. The names of placeholders are those of inject.ts. */
import { z } from 'zod';
import { environment, terminalName } from '../protocol/vocabulary.js';
import { CONVERSATION, misplaced } from './template.js';

export const PRESET_KINDS = ['agent', 'process'] as const;

export type PresetKind = (typeof PRESET_KINDS)[number];

/** Which tools an agent may call without asking the person. */
export const APPROVALS = ['none', 'reading', 'all'] as const;

export type Approval = (typeof APPROVALS)[number];

const MAX_ARGUMENTS = 256;
const MAX_LENGTH = 16_384;

const word = z
  .string()
  .max(MAX_LENGTH)
  .regex(/^[^\0]*$/, 'no NUL');

const template = word.refine((text) => misplaced(text) === undefined, {
  error: ({ input }) => `there is no placeholder ${misplaced(String(input)) ?? ''}`,
});

export const presetName = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[^\s\p{C}](?:[^\p{C}]*[^\s\p{C}])?$/u, 'no control characters, and no blanks at its ends');

const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'the name of a variable');

/** JSON in which each text may hold placeholders. */
const jsonTemplate = z.record(z.string(), z.json());

const argv = z.array(word).min(1).max(MAX_ARGUMENTS);

const common = {
  name: presetName.describe('Name of the preset. One of the shipped presets is changed by its name.'),
  argv: argv.describe('Program and arguments.'),
  rules: terminalName.optional().describe('Rules for entries, as of `create`.'),
  env: environment.optional().describe('Variables on top of those of the caller.'),
  working_dir: word.min(1).optional().describe('Where it starts, from the folder of the project.'),
};

const mcp = z.strictObject({
  approve: z
    .array(template)
    .max(MAX_ARGUMENTS)
    .optional()
    .describe('Arguments that approve tools, left out if none is; before `args`.'),
  args: z
    .array(template)
    .max(MAX_ARGUMENTS)
    .optional()
    .describe('Arguments that name the server, after those of `argv`.'),
  env: z
    .record(variable, jsonTemplate)
    .optional()
    .describe('Variables that hold JSON: this is merged into what they hold.'),
  file: z
    .strictObject({
      env: variable.describe('Variable that names the file.'),
      copy_of: word.optional().describe('File that is copied if the variable names none.'),
      json: jsonTemplate.describe('Merged into the copy.'),
      unless_roots: word
        .min(1)
        .optional()
        .describe(
          'For a program that reads the file only if root owns it and every folder above it: what a person enters once instead.',
        ),
    })
    .optional()
    .describe('A file of JSON that is written for this agent alone.'),
});

const words = z.array(word).max(MAX_ARGUMENTS);

const conversation = z
  .strictObject({
    begin: words
      .refine((all) => all.some((one) => one.includes(CONVERSATION)), { error: `one of them has ${CONVERSATION}` })
      .optional()
      .describe('Arguments that give a new conversation an id.'),
    resume: words
      .min(1)
      .describe('Arguments that go on with it; without `begin` with the newest one of the directory.'),
    unless: words.optional().describe('Words of `argv` that choose a conversation already: then neither is added.'),
  })
  .refine(({ begin, resume }) => (begin !== undefined) === resume.some((one) => one.includes(CONVERSATION)), {
    error: `"resume" has ${CONVERSATION} where "begin" has it, and only there`,
    path: ['resume'],
  });

const approval = z.enum(APPROVALS).describe('Tools that the agent calls without asking. Default: those that read.');

export const agentPreset = z.strictObject({
  ...common,
  mcp: mcp.optional().describe('How the agent gets the tools of t4a; absent: it does not.'),
  approve: approval.default('reading'),
  conversation: conversation
    .optional()
    .describe('How a conversation is continued by `t4a crew resume`; after the arguments of `mcp`.'),
  composer: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe('Pattern of a line: it is on the screen while the agent takes a prompt. For agents without rules.'),
  trim: z
    .strictObject({ top: z.string().min(1).max(1000).optional(), bottom: z.string().min(1).max(1000).optional() })
    .optional()
    .describe('Patterns of lines: those above `top` and from `bottom` on are left out of what others read.'),
});

export const processPreset = z.strictObject({
  ...common,
  env_names: z
    .array(variable)
    .max(MAX_ARGUMENTS)
    .optional()
    .describe('Variables that an agent may set as well, beside harmless ones.'),
});

export type AgentPreset = z.output<typeof agentPreset>;
export type ProcessPreset = z.output<typeof processPreset>;
export type Preset = AgentPreset | ProcessPreset;
export type McpInjection = z.output<typeof mcp>;

/** The form of a file: what it leaves out is that of the shipped preset of its name. */
const FILE_FORMS = {
  // Without the default, which would be over the shipped preset's.
  agent: agentPreset.extend({ approve: approval.optional() }),
  process: processPreset,
};

const given = { name: presetName, disabled: z.boolean().optional() };

export function fileForm(kind: PresetKind): z.ZodObject {
  return FILE_FORMS[kind].partial().extend(given);
}

export function wholeForm(kind: PresetKind): z.ZodObject {
  return kind === 'agent' ? agentPreset : processPreset;
}
