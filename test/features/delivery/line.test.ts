/** Prompts that wait in line, by how often the screen is read for them. */
import { expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { Delivery } from '../../../src/features/delivery/delivery.js';
import { lineOf } from '../../../src/features/delivery/line.js';
import { PromptLooks } from '../../../src/features/delivery/prompt-look.js';
import { PromptText } from '../../../src/features/delivery/prompt-text.js';
import type { Receipt } from '../../../src/features/delivery/receipts.js';
import type { RulesFeature } from '../../../src/features/rules/feature.js';
import type { Params } from '../../../src/protocol/registry.js';
import type { Terminal } from '../../../src/terminal/terminal.js';
import { ownTerminal, print } from '../../support/own-terminal.js';

const rules = {
  activity: () => ({ profiles: [], of: () => undefined, watch: () => {} }),
} as unknown as RulesFeature;

function deliver(terminal: Terminal): Promise<Receipt> {
  const text = new PromptText('fix the tests');
  const params = {
    id: terminal.id,
    text: text.text,
    submit: true,
    on_question: 'wait',
    on_draft: 'wait',
    timeout_ms: 300,
  } as Params<'deliver'>;
  const sender = { cmd: 'deliver', connection: {} };
  const { signal } = new AbortController();
  return lineOf(terminal).within(
    terminal.id,
    (line) => new Delivery({ terminal, rules, line, text, params, sender, signal }),
  );
}

it('prompts that wait for a screen that was read do not read it again', async () => {
  const terminal = ownTerminal({ clock: systemClock });
  await print(terminal, 'src/file.ts:1');
  const { tail } = await deliver(terminal);
  const reads = vi.spyOn(terminal.screen, 'snapshot');
  const receipts = await Promise.all(Array.from({ length: 20 }, () => deliver(terminal)));
  expect(receipts.map(({ outcome }) => outcome)).toEqual(receipts.map(() => 'not_ready'));
  expect(receipts.map(({ tail }) => tail)).toEqual(receipts.map(() => tail));
  expect(tail).toEqual(['src/file.ts:1']);
  expect(reads.mock.calls).toEqual([]);
});

it('a screen that has changed is read anew', async () => {
  const terminal = ownTerminal({ clock: systemClock });
  const looks = [new PromptLooks(terminal, rules), new PromptLooks(terminal, rules)];
  const reads = vi.spyOn(terminal.screen, 'snapshot');
  for (const word of ['one', ' two']) {
    await print(terminal, word);
    reads.mockClear();
    const seen = looks.map((look) => look.now().box?.lines);
    expect(seen[0]).toEqual(seen[1]);
    expect(reads.mock.calls).toHaveLength(1);
  }
  expect(looks[0]?.now().box?.lines).toEqual(['one two']);
});
