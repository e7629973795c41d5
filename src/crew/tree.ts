/** Members in the order in which people read them: each below the one that started it. */
import type { Member } from './members.js';

export interface Branch {
  readonly member: Member;
  /** Box-drawing characters before its name; empty for a root. */
  readonly stem: string;
}

/** One whose parent is gone stands where a root stands, and so does the first of those whose parents form a circle. */
export function treeOf(members: readonly Member[]): Branch[] {
  const ids = new Set(members.map(({ id }) => id));
  const children = new Map<string | null, Member[]>();
  for (const member of members) {
    const parent = member.parent !== null && ids.has(member.parent) ? member.parent : null;
    children.set(parent, [...(children.get(parent) ?? []), member]);
  }
  const branches: Branch[] = [];
  const placed = new Set<string>();
  const walk = (parent: string, stem: string): void => {
    placed.add(parent);
    const own = (children.get(parent) ?? []).filter(({ id }) => !placed.has(id));
    for (const [i, member] of own.entries()) {
      const isLast = i === own.length - 1;
      branches.push({ member, stem: `${stem}${isLast ? '└─ ' : '├─ '}` });
      walk(member.id, `${stem}${isLast ? '   ' : '│  '}`);
    }
  };
  for (const root of [...(children.get(null) ?? []), ...members]) {
    if (placed.has(root.id)) continue;
    branches.push({ member: root, stem: '' });
    walk(root.id, '');
  }
  return branches;
}
