/** From which terminal a caller calls, as the system shows it, and which role that is. */
import { expect, test } from 'vitest';
import { identify } from '../../src/crew/identity.js';
import { type ListedTerminal, type Member, Members } from '../../src/crew/members.js';
import type { Processes } from '../../src/crew/processes.js';
import { mayAct, viewOf } from '../../src/crew/roles.js';
import { treeOf } from '../../src/crew/tree.js';

const TERMINALS = [
  { id: 'a', pid: 100, alive: true },
  { id: 'b', pid: 200, alive: true },
  { id: 'ended', pid: 300, alive: false },
  { id: 'film', pid: null, alive: true },
];

/** @param parents of pids @param terminals that their environments name; of others the system shows none */
function processes(
  parents: Readonly<Record<number, number>>,
  terminals: Readonly<Record<number, string>> = {},
): Processes {
  return {
    parentOf: (pid) => parents[pid],
    environmentOf: (pid) => (terminals[pid] === undefined ? undefined : new Set([`T4A_TERMINAL=${terminals[pid]}`])),
  };
}

const CHAIN = { 12: 11, 11: 100, 100: 1 };
const SOCKET = '/run/t4a.sock';

test.each<[string, Processes, Record<string, string>, string | undefined, string]>([
  ['in a terminal, whatever its variables', processes(CHAIN, { 100: 'a' }), { T4A_TERMINAL: 'b' }, 'a', 'parents'],
  ['with a cleared environment', processes(CHAIN, { 100: 'a' }), {}, 'a', 'parents'],
  ['if environments are not shown', processes(CHAIN), {}, 'a', 'parents'],
  ['below a pid that was given out again', processes(CHAIN, { 100: 'x' }), {}, undefined, 'nothing'],
  ['below the pid of an ended terminal', processes({ 12: 300 }), {}, undefined, 'nothing'],
  ['that has left the chain', processes({ 12: 1 }), { T4A_TERMINAL: 'b', T4A_SOCKET: SOCKET }, 'b', 'environment'],
  ['whose parents are not shown', processes({}), { T4A_TERMINAL: 'b' }, 'b', 'environment'],
  [
    'with the variables of another daemon',
    processes({}),
    { T4A_TERMINAL: 'b', T4A_SOCKET: '/other' },
    undefined,
    'nothing',
  ],
  ['with the variable of a terminal that is gone', processes({}), { T4A_TERMINAL: 'c' }, undefined, 'nothing'],
  ['whose parents go in a circle', processes({ 12: 13, 13: 12 }), {}, undefined, 'nothing'],
  ['of no terminal', processes({ 12: 1 }), {}, undefined, 'nothing'],
])('a caller %s', (_, system, env, terminal, by) => {
  expect(identify({ pid: 12, env }, TERMINALS, SOCKET, system)).toEqual({ terminal, by });
});

function listed(id: string, parent: string | null, labels: Record<string, string> = {}): ListedTerminal {
  const state = {
    id,
    parent,
    labels,
    alive: true,
    output_bytes: 1,
    created_at: 0,
    generation: 1,
    exit_code: null,
    signal: null,
  };
  return state as unknown as ListedTerminal;
}

const of = (session: string, kind = 'agent'): Record<string, string> => ({
  'crew.session': session,
  'crew.kind': kind,
});

const MEMBERS = new Members(
  [
    listed('root', null, of('root')),
    listed('shell', 'root', of('root', 'terminal')),
    listed('plain', 'shell'),
    listed('child', 'plain', of('root')),
    listed('orphan', 'closed', of('gone')),
    listed('other', null, of('other')),
    listed('circle', 'elcric', of('x')),
    listed('elcric', 'circle', of('x')),
    listed('nonsense', null, { 'crew.session': 'root', 'crew.kind': 'nonsense' }),
  ],
  1000,
);

test.each([
  ['root', 'orchestrator', 'root'],
  ['child', 'sub-agent', 'root'],
  // Its parent was closed under it.
  ['orphan', 'sub-agent', 'gone'],
  ['shell', 'process', 'root'],
  ['plain', 'process', 'root'],
  ['nonsense', 'process', null],
  ['missing', 'process', null],
  [undefined, 'process', null],
])('the terminal %s has the role %s in session %s', (id, role, session) => {
  const view = viewOf(MEMBERS, id, undefined);
  expect([view.role, view.session]).toEqual([role, session]);
});

test('one acts on what is below, at any depth and through terminals without labels, and not on oneself', () => {
  const acts = (from: string): string[] => {
    const view = viewOf(MEMBERS, from, undefined);
    return MEMBERS.all.filter((one) => mayAct(view, one, MEMBERS)).map(({ id }) => id);
  };
  expect(acts('root')).toEqual(['shell', 'child']);
  expect(acts('child')).toEqual([]);
  expect(acts('other')).toEqual([]);
});

test('members whose parents form a circle are in the tree, each once', () => {
  const member = (id: string, parent: string | null) => ({ id, parent }) as Member;
  const lines = treeOf([member('root', null), member('b', 'a'), member('a', 'b'), member('own', 'own')]);
  expect(lines.map(({ stem, member: { id } }) => stem + id)).toEqual(['root', 'b', '└─ a', 'own']);
});

test('the tree has each member once, below the one that started it', () => {
  const lines = treeOf(MEMBERS.all.filter(({ session }) => session !== 'x')).map(
    ({ stem, member }) => stem + member.id,
  );
  expect(lines).toEqual(['root', '└─ shell', '   └─ child', 'orphan', 'other']);
});
