/** Turns of a model that need a person: each program has its own names for the same tools. */
import type { Part } from '../../scripts/agents/interfaces.mjs';
import { commandCall } from '../../scripts/agents/scripted-model.mjs';
import type { Plan } from './model.js';

const WHY = 'The script wants it';
/** codex has one of these. */
const SHELLS: Readonly<Record<string, string>> = { exec_command: 'cmd', shell_command: 'command' };
const WORD_MS = 150;

/** One command, or two at once, after a sentence and a pause. */
export function commands(lines: readonly string[], pauseMs = 0): Plan {
  return ({ tools }) => [
    { text: 'I will run it.' },
    ...paused(pauseMs),
    ...lines.map((line): Part => ({ call: commandCall(tools, line, WHY) })),
  ];
}

/** @param file a new one, in the folder of the project */
export function edit(file: string, folder: string): Plan {
  return ({ tools }) => [{ text: 'I will write it.' }, { call: editCall(tools, file, folder) }];
}

/** Words for so long. */
export function slowly(forMs: number): Plan {
  const count = Math.ceil(forMs / WORD_MS);
  return () => Array.from({ length: count }, (_, at): Part[] => [{ text: `word ${at} ` }, { pauseMs: WORD_MS }]).flat();
}

export function failing(status: number): Plan {
  return () => [{ status }];
}

function paused(ms: number): Part[] {
  return ms === 0 ? [] : [{ pauseMs: ms }];
}

function editCall(tools: readonly string[], file: string, folder: string): { name: string; input: unknown } {
  const [file_path, content] = [`${folder}/${file}`, 'one\ntwo\n'];
  if (tools.includes('Write')) return { name: 'Write', input: { file_path, content } };
  if (tools.includes('write_file')) return { name: 'write_file', input: { file_path, content } };
  if (tools.includes('write')) return { name: 'write', input: { filePath: file_path, content } };
  const patch = `*** Begin Patch\n*** Add File: ${file}\n+one\n+two\n*** End Patch\n`;
  if (tools.includes('apply_patch')) return { name: 'apply_patch', input: patch };
  return patchCall(tools, patch);
}

/** codex takes a patch as a command, too, and asks for the patch itself. */
function patchCall(tools: readonly string[], patch: string): { name: string; input: unknown } {
  const found = Object.entries(SHELLS).find(([name]) => tools.includes(name));
  if (found === undefined) throw new Error(`no tool for an edit among ${tools.join(', ')}`);
  const [name, key] = found;
  return { name, input: { [key]: `apply_patch <<'EOF'\n${patch}EOF\n` } };
}
