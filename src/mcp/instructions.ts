/** Instructions that a client puts before its model: how the tools work together. Names only those that the model has. */
import type { CommandName } from '../protocol/registry.js';

type Step = readonly [tool: CommandName, words: string];

const INTO: readonly CommandName[] = ['type', 'press', 'paste', 'send', 'mouse'];

const LOOKS: readonly Step[] = [
  ['screenshot', '`screenshot` for layout'],
  ['text', '`text` for exact lines'],
  ['grep', '`grep` for lines that match'],
];

export function instructionsOf(tools: readonly CommandName[]): string {
  const has = new Set(tools);
  const can = (steps: readonly Step[]): string[] => steps.flatMap(([tool, words]) => (has.has(tool) ? [words] : []));
  const isMaker = has.has('create') || has.has('run');
  const into = INTO.filter((tool) => has.has(tool)).map((tool) => `\`${tool}\``);
  const looks = can(LOOKS);
  const steps = [
    ...can([['create', '`create` a terminal']]),
    ...(into.length === 0 ? [] : [`${into.join(' or ')} into it`]),
    ...can([['wait', '`wait` for what should appear']]),
    ...(looks.length === 0 ? [] : [`look: ${looks.join(', ')}`]),
  ];
  const turn = steps.length < 2 ? steps.join('') : `${steps.slice(0, -1).join(', ')}, then ${steps.at(-1)}`;
  return [
    isMaker ? 'Real terminals.' : `Real terminals of others${has.has('list') ? ': `list` has them' : ''}.`,
    ...can([['run', '`run`: a command that ends by itself.']]),
    ...(turn === '' ? [] : [`${has.has('run') ? `Else: ${turn}` : capitalized(turn)}.`]),
    ...(has.has('create') ? can([['kill', 'Terminals stay until `kill`.']]) : []),
    ...(into.length === 0 ? [] : ['⟦ ⟧ mark what is selected.']),
  ].join(' ');
}

function capitalized(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
