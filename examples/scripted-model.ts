/** Answers as a model would, from a script. It reads what it was told: without the right results it does not go on. */

export type Block =
  | { type: 'text'; text: string }
  | { type: 'image'; source: { type: 'base64'; media_type: string; data: string } }
  | { type: 'tool_use'; id: string; name: string; input: Record<string, unknown> }
  | { type: 'tool_result'; tool_use_id: string; content: Block[]; is_error: boolean };

interface Request {
  readonly messages: readonly { readonly role: string; readonly content: string | readonly Block[] }[];
  readonly tools: readonly object[];
}

export interface Model {
  create(request: Request): Promise<{ content: Block[] }>;
}

interface Step {
  /** What the last results must have in them. */
  readonly expects?: RegExp;
  readonly says: string;
  readonly calls?: readonly (readonly [tool: string, input: Record<string, unknown>])[];
}

const SCRIPT: readonly Step[] = [
  { says: 'I will start a prompt.', calls: [['t4a_create', { name: 'repl', cmd_args: ['python3', '-q'] }]] },
  { expects: /Screen repl@/, says: 'Is it ready?', calls: [['t4a_wait', { id: 'repl', for: '>>>' }]] },
  {
    expects: /^matched/,
    says: 'It is.',
    calls: [
      ['t4a_type', { id: 'rpel', text: '6 * 7', submit: true }],
      ['t4a_type', { id: 'repl', text: '6 * 7', submit: true }],
      ['t4a_wait', { id: 'repl', until: { regex: '^42' } }],
    ],
  },
  // One of the names was mistyped: the error named the right one.
  { expects: /Closest: repl[^]*matched/, says: 'Let me look.', calls: [['t4a_screenshot', { id: 'repl' }]] },
  { expects: /\[image\/png\]/, says: 'I see 42.', calls: [['t4a_kill', { id: 'repl' }]] },
  { expects: /Ended repl/, says: 'The answer is 42.' },
];

export function scriptedModel(script: readonly Step[] = SCRIPT): Model {
  let at = 0;
  return {
    create({ messages, tools }) {
      const step = script[at++];
      if (step === undefined || tools.length === 0) throw new Error('The script has no such turn.');
      const told = textOf(messages.at(-1)?.content ?? '');
      if (step.expects?.test(told) === false)
        throw new Error(`Step ${at} expected ${step.expects}, and was told: ${told}`);
      const calls = (step.calls ?? []).map(([name, input], i): Block => ({
        type: 'tool_use',
        id: `call-${at}-${i}`,
        name,
        input,
      }));
      return Promise.resolve({ content: [{ type: 'text', text: step.says }, ...calls] });
    },
  };
}

function textOf(content: string | readonly Block[]): string {
  if (typeof content === 'string') return content;
  return content
    .map((block) => {
      if (block.type === 'text') return block.text;
      if (block.type === 'image') return `[${block.source.media_type}]`;
      return block.type === 'tool_result' ? textOf(block.content) : '';
    })
    .join('\n');
}
