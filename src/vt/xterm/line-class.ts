/** Methods of the library's lines, replaced for all lines of the process: they are of one class. */
import type { Internals, RawLine } from './internals.js';

type MethodName = 'addCodepointToCell' | 'clone' | 'copyCellsFrom' | 'copyFrom' | 'insertCells' | 'resize';
type Method<Name extends MethodName> = (this: RawLine, ...args: Parameters<RawLine[Name]>) => ReturnType<RawLine[Name]>;

const replaced = new WeakMap<object, Set<MethodName>>();

/** Once a process, however many screens ask for it. */
export function replaceLineMethod<Name extends MethodName>(
  core: Internals,
  name: Name,
  replacement: (original: Method<Name>) => Method<Name>,
): void {
  const lines = Object.getPrototypeOf(core.buffers.active.lines.get(0)) as Record<MethodName, unknown>;
  const names = replaced.get(lines) ?? new Set();
  if (names.has(name)) return;
  replaced.set(lines, names.add(name));
  lines[name] = replacement(lines[name] as Method<Name>);
}
