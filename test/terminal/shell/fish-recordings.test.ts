/**
 * Output of real fish shells, byte for byte, after each input: 4.0 (A, C, D) and 4.9 (A, B, C, D), with and without the
 * injected script. The terminal answered DA1, DSR, OSC 11 and `CSI ? u`; host and home directory have other names.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CommandMarks } from './one-shell.js';

type Step = readonly [typed: string, printed: string];

function recording(name: string): readonly Step[] {
  const lines = readFileSync(new URL(`recordings/${name}.jsonl`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as Step);
}

// oxlint-disable-next-line no-control-regex
const OSC = /\x1b\](\d+);([^\x07\x1b]*)(?:\x07|\x1b\\)/g;

/** After each step: starts as `+name`, ends as `-code`, and the phase. */
function told(name: string): [typed: string, told: string][] {
  let isInner = false;
  const marks = new CommandMarks({ hasTerminal: (aid) => (aid === undefined ? undefined : !isInner) });
  return recording(name).map(([typed, printed]) => {
    if (typed === 'fish\r') isInner = true;
    const story: string[] = [];
    for (const [, code, data = ''] of printed.matchAll(OSC)) {
      for (const mark of marks.feed({ code: Number(code), data })) {
        if (mark.mark === 'command_start') story.push(`+${mark.command ?? ''}`);
        if (mark.mark === 'command_done') story.push(`-${mark.code ?? 'null'}`);
      }
    }
    if (typed.startsWith('exit')) isInner = false;
    return [typed, [...story, marks.phase].join(' ')];
  });
}

describe.each(['4.0', '4.9'])('fish %s', (version) => {
  test('with the injected marks reports each command once, and nothing else', () => {
    expect(told(`fish-${version}-injected`)).toEqual([
      ['', 'input'],
      ['true\r', '+true -0 input'],
      ['\r', 'input'],
      ['# comment\r', 'input'],
      ['typed\x03', 'input'],
      ['sh -c "exit 7"\r', '+sh -c "exit 7" -7 input'],
      ['echo )\r', 'input'],
      ['\x03', 'input'],
      ['cd /\r', '+cd / -0 input'],
      ['echo one\rsleep 0.2\rsh -c "exit 4"\r', '+echo one -0 +sleep 0.2 -0 +sh -c "exit 4" -4 input'],
      ['echo "unfin\r', 'input'],
      ['\x03', 'input'],
      ["read -P 'name? ' x\r", "+read -P 'name? ' x running"],
      ['me\r', '-0 input'],
      ['fish\r', version === '4.0' ? '+fish prompt' : '+fish input'],
      ['false\r', version === '4.0' ? '+false -1 prompt' : '+false -1 input'],
      ['exit 5\r', '+exit 5 -5 -5 input'],
      ['exit 3\r', '+exit 3 -3 done'],
    ]);
  });

  test('without the injected marks reports each command, but ends it early at a nested fish or a question', () => {
    const prompt = version === '4.0' ? 'prompt' : 'input';
    expect(told(`fish-${version}-plain`)).toEqual([
      ['', prompt],
      ['true\r', `+true -0 ${prompt}`],
      ['\r', prompt],
      ['# comment\r', prompt],
      ['typed\x03', prompt],
      ['sh -c "exit 7"\r', `+sh -c "exit 7" -7 ${prompt}`],
      ['echo )\r', prompt],
      ['\x03', prompt],
      ['cd /\r', `+cd / -0 ${prompt}`],
      ['echo one\rsleep 0.2\rsh -c "exit 4"\r', `+echo one -0 +sleep 0.2 -0 +sh -c "exit 4" -4 ${prompt}`],
      ['echo "unfin\r', prompt],
      ['\x03', prompt],
      ["read -P 'name? ' x\r", `+read -P 'name? ' x -null ${prompt}`],
      ['me\r', prompt],
      ['fish\r', `+fish -null ${prompt}`],
      ['false\r', `+false -1 ${prompt}`],
      ['exit 5\r', expect.stringMatching(/^\+exit 5 -5 .*(prompt|input)$/)],
      ['exit 3\r', '+exit 3 -3 done'],
    ]);
  });
});
