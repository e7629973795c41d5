/** Entries of real programs in terminals of a real daemon. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { changesIn } from '../../src/protocol/entry-lines.js';
import { streamCli } from '../support/cli.js';
import { runCliHere } from '../support/cli-in-process.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { itNeeds } from '../support/programs.js';
import { runsOf } from '../support/trial.js';
import { tempDir } from '../support/temp-dir.js';
import { EventStream } from '../support/wait-for.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

interface Entry {
  readonly id: string;
  readonly kind: string;
  readonly version: number;
  readonly open: boolean;
  readonly data: Readonly<Record<string, unknown>>;
}

const UNTIL_EXIT = { until: { exit: true } };

async function entriesOf(from: TestDaemon, id: unknown, fields: object = {}): Promise<Entry[]> {
  return (await request(from, { cmd: 'entries', id, ...fields }))['entries'] as Entry[];
}

/** A daemon with a rules file of the test's. */
async function withRules(file: object | string): Promise<{ own: TestDaemon; save: (next: object | string) => void }> {
  const { path: dir } = tempDir();
  mkdirSync(path.join(dir, 't4a'));
  const save = (next: object | string): void =>
    writeFileSync(path.join(dir, 't4a/rules.json'), typeof next === 'string' ? next : JSON.stringify(next));
  save(file);
  const own = await startDaemon({ env: { XDG_CONFIG_HOME: dir } });
  onTestFinished(() => own.stop());
  return { own, save };
}

const file = (...rules: readonly object[]): object => ({
  version: 1,
  profiles: [{ id: 'mine', match: { command_regex: '(^|/)sh$' }, rules }],
});
const ERROR = { id: 'error', start: '^ERROR (?P<what>.*)', emit: { kind: 'error' } };

describe('a terminal whose rules were chosen by name', () => {
  it('has each of 40 errors once, in order, while they scroll through', async () => {
    const script = 'for i in $(seq 40); do seq 30; echo "a.c:$i:7: error: no $i"; sleep 0.01; done';
    const created = { cmd: 'create', cmd_args: ['sh', '-c', script], rules: 'generic', wait: UNTIL_EXIT };
    const { id } = await request(daemon, created);
    const entries = await entriesOf(daemon, id);
    expect(entries.map(({ data }) => data['line'])).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
    expect(entries.every(({ kind, open }) => kind === 'diagnostic' && !open)).toBe(true);
  });

  itNeeds('python3')('has the error of python3 once, between many lines', async () => {
    const program = 'import sys\nfor i in range(500): print("line", i)\nopen("/no/such")';
    const created = { cmd: 'create', cmd_args: ['python3', '-c', program], rules: 'generic', wait: UNTIL_EXIT };
    const { id } = await request(daemon, created);
    const data = { error: 'FileNotFoundError', message: "[Errno 2] No such file or directory: '/no/such'" };
    expect(await entriesOf(daemon, id)).toMatchObject([{ kind: 'panic', open: false, data }]);
  });

  itNeeds('node')('has the summary of a test runner', async () => {
    const { path: dir, join } = tempDir();
    writeFileSync(join('a.test.mjs'), "import test from 'node:test';\ntest('adds', () => {});\n");
    const cmd_args = [process.execPath, '--test', join('a.test.mjs')];
    const { id } = await request(daemon, { cmd: 'create', cmd_args, cwd: dir, rules: 'generic', wait: UNTIL_EXIT });
    const summary = { total: 1, passed: 1, failed: 0 };
    expect(await entriesOf(daemon, id)).toMatchObject([{ kind: 'test_summary', open: false, data: summary }]);
  });

  it('has no entries any more of what is forgotten, and readers get a gap', async () => {
    const script = 'echo "a.c:1:1: error: no hunter2"';
    const created = { cmd: 'create', cmd_args: ['sh', '-c', script], rules: 'generic', wait: UNTIL_EXIT };
    const { id } = await request(daemon, created);
    expect(JSON.stringify(await entriesOf(daemon, id))).toContain('hunter2');
    expect(await request(daemon, { cmd: 'forget', id })).toMatchObject({ ok: true, files: [] });
    expect(await request(daemon, { cmd: 'entries', id, since: 0 })).toMatchObject({ entries: [], gap: true });
  });

  it('has its last entries before the event of its end', async () => {
    const events = await EventStream.open(daemon.socketPath, { types: ['entry', 'exit'] });
    const script = 'echo "a.c:1:1: error: no"; echo "Segmentation fault"';
    await request(daemon, { cmd: 'create', cmd_args: ['sh', '-c', script], rules: 'generic' });
    const seen = [];
    for (let event = await events.next(); event['event'] !== 'exit'; event = await events.next()) seen.push(event);
    events.close();
    expect(seen.map(({ op, entry }) => [op, (entry as Entry).kind])).toEqual(
      expect.arrayContaining([
        ['finalize', 'diagnostic'],
        ['finalize', 'panic'],
      ]),
    );
  });

  it('has a question while it is asked, and its end when it was answered', async () => {
    const events = await EventStream.open(daemon.socketPath, { types: ['entry'] });
    const script = 'printf "Overwrite it? [y/N] "; read answer; printf "\\033[H\\033[J"; exec cat';
    const { id } = await request(daemon, { cmd: 'create', cmd_args: ['sh', '-c', script], rules: 'generic' });
    const isQuestion = ({ entry }: Record<string, unknown>): boolean => (entry as Entry).kind === 'question';
    const asked = await events.until('entry', isQuestion);
    expect(asked).toMatchObject({ op: 'upsert', terminal: id, entry: { open: true, data: { text: 'Overwrite it?' } } });
    await request(daemon, { cmd: 'press', id, keys: ['y', 'Enter'] });
    expect(await events.until('entry', isQuestion)).toMatchObject({ op: 'finalize' });
    events.close();
  });
});

describe('a reader with a cursor', () => {
  it('has each change once, in pages', async () => {
    const script = 'for i in 1 2 3 4 5; do echo "a.c:$i:1: error: no"; done';
    const { id } = await request(daemon, {
      cmd: 'create',
      cmd_args: ['sh', '-c', script],
      rules: 'generic',
      wait: UNTIL_EXIT,
    });
    const first = await request(daemon, { cmd: 'entries', id, since: 0, max: 3 });
    expect(first).toMatchObject({ profile: 'generic', more: true, gap: false, skipped_lines: 0 });
    const second = await request(daemon, { cmd: 'entries', id, since: first['next'], max: 3 });
    expect(second['more']).toBe(false);
    const all = [...(first['entries'] as Entry[]), ...(second['entries'] as Entry[])];
    expect(all.map(({ data }) => data['line'])).toEqual([1, 2, 3, 4, 5]);
    expect(await entriesOf(daemon, id, { since: second['next'] })).toEqual([]);
    expect((await entriesOf(daemon, id, { last: 1 })).map(({ data }) => data['line'])).toEqual([5]);
    expect(await entriesOf(daemon, id, { kinds: ['panic'] })).toEqual([]);
  });

  it('of a terminal without rules has none, and that terminal no profile', async () => {
    const { id } = await request(daemon, {
      cmd: 'create',
      cmd_args: ['sh', '-c', 'echo "a.c:1:1: error: no"'],
      wait: UNTIL_EXIT,
    });
    expect(await request(daemon, { cmd: 'entries', id })).toMatchObject({ profile: null, entries: [] });
  });
});

describe('the rules file', () => {
  it('applies to programs that it names', async () => {
    const { own } = await withRules(file(ERROR));
    const { id } = await request(own, { cmd: 'create', cmd_args: ['sh', '-c', 'echo ERROR one; exec cat'] });
    const events = await EventStream.open(own.socketPath, { types: ['entry'], since: 0 });
    expect(await events.until('entry')).toMatchObject({
      terminal: id,
      entry: { kind: 'error', data: { what: 'one' } },
    });
    events.close();
    const { id: other } = await request(own, { cmd: 'create', cmd_args: ['cat'] });
    expect(await request(own, { cmd: 'entries', id: other })).toMatchObject({ profile: null });
  });

  it('is read again when it changes, and corrects what was found', async () => {
    const { own, save } = await withRules(file(ERROR));
    const events = await EventStream.open(own.socketPath, { types: ['entry', 'warning'] });
    await request(own, { cmd: 'create', cmd_args: ['sh', '-c', 'echo ERROR one; echo WARN two; exec cat'] });
    const { entry } = await events.until('entry');
    save(file({ id: 'warn', start: '^WARN', emit: { kind: 'warning' } }));
    const op = (wanted: string) => (event: Record<string, unknown>) => event['op'] === wanted;
    expect(await events.until('entry', (event) => (event['entry'] as Entry).kind === 'warning')).toMatchObject({
      op: 'upsert',
    });
    expect(await events.until('entry', op('delete'))).toMatchObject({ entry: { id: (entry as Entry).id } });
    events.close();
  });

  it('that is broken leaves the last good rules, with a warning that names the place', async () => {
    const { own, save } = await withRules(file(ERROR));
    const events = await EventStream.open(own.socketPath, { types: ['entry', 'warning'] });
    const { id } = await request(own, { cmd: 'create', cmd_args: ['sh', '-c', 'echo ERROR one; exec cat'] });
    await events.until('entry');
    save('{"version":1,\n"profiles":[{"id":"mine","rules":[{"id":"x","start":"(","emit":{"kind":"x"}}]}]}');
    const { code, message } = await events.until('warning');
    expect(code).toBe('rules');
    expect(message).toMatch(/rules\.json", line 2: "profiles\.0\.rules\.0\.start": .* The last good rules stay\.$/);
    await request(own, { cmd: 'type', id, text: 'ERROR two\n' });
    await events.until('entry', ({ entry }) => (entry as Entry).data['what'] === 'two');
    events.close();
  });

  it('that is broken when the daemon starts keeps no terminal from starting', async () => {
    const { own } = await withRules('{');
    expect(await request(own, { cmd: 'create', cmd_args: ['sh', '-c', 'exec cat'] })).toMatchObject({ ok: true });
  });
});

describe('the command rules', () => {
  const text = JSON.stringify(file(ERROR));

  it('checks rules against a terminal, and keeps nothing', async () => {
    const script = 'echo fine; echo ERROR one';
    const { id } = await request(daemon, { cmd: 'create', cmd_args: ['sh', '-c', script], wait: UNTIL_EXIT });
    const checked = await request(daemon, { cmd: 'rules', action: 'check', rules: text, terminal: id });
    expect(checked['entries']).toMatchObject([{ kind: 'error', row: 1, data: { what: 'one' } }]);
    expect(await request(daemon, { cmd: 'entries', id })).toMatchObject({ profile: null, entries: [] });
  });

  it('shows the cells of what they would find, and what differs from the entries of now', async () => {
    const script = 'seq 30; echo "a.c:1:1: error: no"; echo "  ERROR 中"; printf "Sure? [y/n] "; exec cat';
    const created = { cmd: 'create', cmd_args: ['sh', '-c', script], rules: 'generic', cols: 40, rows: 6 };
    const { id } = await request(daemon, { ...created, wait: { until: { text: 'Sure' } } });
    await expect.poll(() => entriesOf(daemon, id)).toHaveLength(2);
    const rules = JSON.stringify(
      file(
        { ...ERROR, start: '^ *ERROR (?P<what>.*)' },
        { id: 'first', start: '^1$', emit: { kind: 'first' } },
        { id: 'ask', on: 'region', region: { left: 2 }, start: 're\\?', emit: { kind: 'question' } },
      ),
    );
    const { entries, snapshot, differences } = await request(daemon, {
      cmd: 'rules',
      action: 'check',
      rules,
      terminal: id,
    });
    expect(entries).toMatchObject([
      { kind: 'first', row: -27, cells: [] },
      { kind: 'error', row: 4, cells: [{ row: 4, col: 2, cols: 8 }] },
      { kind: 'question', row: null, cells: [{ row: 5, col: 2, cols: 9 }] },
    ]);
    expect(snapshot).toMatchObject({ cols: 40, rows: 6, lines: expect.arrayContaining(['  ERROR 中']) as unknown });
    expect(differences).toMatchObject([
      { change: 'added', kind: 'first' },
      { change: 'added', kind: 'error', rule: 'error', text: '  ERROR 中' },
      { change: 'changed', kind: 'question', rule: 'ask', text: 're? [y/n]' },
      { change: 'removed', kind: 'diagnostic' },
    ]);
    const same = await runCliHere(['rules', 'check', '-', '--terminal', String(id)], { ...daemon, input: rules });
    expect(same.stderr).toBe('Of the entries of now: 2 added, 1 changed, 1 removed.\n');
    const { rules: tally } = await request(daemon, { cmd: 'stats', rules: true });
    expect(tally).toContainEqual({
      profile: 'generic',
      rule: 'yes-no',
      kind: 'question',
      found: expect.any(Number) as number,
      changed: 0,
      deleted: 0,
    });
  });

  it('gives rules to a terminal that runs, and takes them away', async () => {
    const { id } = await request(daemon, {
      cmd: 'create',
      cmd_args: ['sh', '-c', 'echo "a.c:1:1: error: no"; exec cat'],
      wait: { until: { text: 'no' } },
    });
    const events = await EventStream.open(daemon.socketPath, { types: ['entry'], terminal: id });
    expect(await request(daemon, { cmd: 'rules', action: 'set', terminal: id, profile: 'generic' })).toMatchObject({
      profile: 'generic',
    });
    await events.until('entry');
    events.close();
    expect(await request(daemon, { cmd: 'rules', action: 'set', terminal: id, profile: 'none' })).toMatchObject({
      profile: null,
    });
  });

  it('sets rules for all, unless they have changed since', async () => {
    const own = await startDaemon();
    onTestFinished(() => own.stop());
    const events = await EventStream.open(own.socketPath, { types: ['entry'] });
    await request(own, { cmd: 'create', cmd_args: ['sh', '-c', 'echo ERROR one; exec cat'] });
    expect(await request(own, { cmd: 'rules', action: 'set', rules: text })).toMatchObject({ ok: true, version: 1 });
    await events.until('entry');
    events.close();
    const late = { cmd: 'rules', action: 'set', rules: text, if_version: 0 };
    expect(await request(own, late)).toMatchObject({ ok: false, code: 'rules_changed' });
  });

  it.each([
    [{ action: 'check' }, 'invalid_field', 'rules'],
    [{ action: 'set' }, 'invalid_field', 'rules'],
    [{ action: 'apply' }, 'invalid_field', 'terminal'],
    [{ rules: '{}' }, 'invalid_field', 'rules'],
    [{ profile: 'generic' }, 'invalid_field', 'profile'],
    [{ action: 'check', rules: '{"version":1,"profiles":3}' }, 'rules_invalid', 'profiles'],
  ])('refuses %j', async (fields, code, field) => {
    expect(await request(daemon, { cmd: 'rules', ...fields })).toMatchObject({ ok: false, code, field });
  });

  it('of an unknown profile names the closest, and so does create', async () => {
    const created = { cmd: 'create', cmd_args: ['true'], rules: 'generik' };
    expect(await request(daemon, created)).toMatchObject({ code: 'profile_not_found', closest: 'generic' });
  });
});

it('rules that match everything slow no flood down, and their entries are bounded', async () => {
  const { own } = await withRules(file({ id: 'all', start: '.', emit: { kind: 'line' } }));
  const lines = runsOf({ suite: 100_000, trial: 300_000 });
  const { id } = await request(own, { cmd: 'create', cmd_args: ['sh', '-c', `seq ${lines}; echo done; exec cat`] });
  const found = await request(own, { cmd: 'wait', id, until: { text: 'done' }, timeout_ms: 60_000 });
  expect(found['outcome']).toBe('matched');
  const entries = await request(own, { cmd: 'entries', id, max: 500 });
  expect(entries['skipped_lines']).toBeGreaterThan(lines / 3);
  expect((entries['entries'] as Entry[]).length).toBeLessThanOrEqual(500);
  await request(own, { cmd: 'kill', id });
});

describe('a file of entries', () => {
  const script = 'i=0; while [ $i -lt 1200 ]; do i=$((i+1)); echo "a.c:$i:1: error: no"; done; exec cat';

  it('has all that was answered for after kill -9 of the daemon', async () => {
    const { path: state } = tempDir();
    const own = await startDaemon({ env: { XDG_STATE_HOME: state } });
    onTestFinished(() => own.stop());
    const events = await EventStream.open(own.socketPath, { types: ['entry'] });
    const created = { cmd: 'create', cmd_args: ['sh', '-c', script], rules: 'generic', activity: 'disk' };
    const { id } = await request(own, created);
    await events.until('entry', ({ entry }) => (entry as Entry).data['line'] === 700);
    events.close();
    const answered = await request(own, { cmd: 'entries', id, max: 500 });
    own.process.kill('SIGKILL');
    const kept = changesIn(readFileSync(String(answered['file']), 'utf8'));
    const ids = new Set(kept.map(({ entry }) => entry.id));
    expect((answered['entries'] as Entry[]).filter((entry) => !ids.has(entry.id))).toEqual([]);
    expect(new Set(kept.map(({ entry }) => entry.data['line'])).size).toBeGreaterThanOrEqual(700);
    expect(String(answered['file'])).toContain(path.join(state, 't4a/activity'));
  });

  it('has the changes that the ring has dropped', async () => {
    const { path: state } = tempDir();
    const own = await startDaemon({ env: { XDG_STATE_HOME: state } });
    onTestFinished(() => own.stop());
    await request(own, { cmd: 'config', activity: 'disk' });
    const events = await EventStream.open(own.socketPath, { types: ['entry'] });
    const { id } = await request(own, { cmd: 'create', cmd_args: ['sh', '-c', script], rules: 'generic' });
    await events.until('entry', ({ entry }) => (entry as Entry).data['line'] === 1200);
    events.close();
    const lines = new Set<unknown>();
    for (let since = 0, more = true; more;) {
      const reply = await request(own, { cmd: 'entries', id, since, max: 500 });
      expect(reply['gap']).toBe(false);
      for (const entry of reply['entries'] as Entry[]) lines.add(entry.data['line']);
      more = reply['more'] === true;
      since = reply['next'] as number;
    }
    expect(lines.size).toBe(1200);
  });
});

describe('the command line', () => {
  it('follows entries until the end of the program', async () => {
    const script =
      'echo "b.c:2:2: error: yes"; echo fine; read go; echo "a.c:1:1: error: no"; echo fine; read go; exit 3';
    const { id } = await request(daemon, { cmd: 'create', cmd_args: ['sh', '-c', script], rules: 'generic' });
    const following = streamCli(['entries', String(id), '--follow'], daemon);
    // It listens once it has printed what was before.
    while (!/^= [\d:]{8} diagnostic: b\.c/.test(await following.line()));
    await request(daemon, { cmd: 'press', id, keys: ['Enter'] });
    expect(await following.line()).toMatch(/^\+ [\d:]{8} diagnostic \(open\): a\.c:1:1: error: no tool=cc$/);
    expect(await following.line()).toMatch(/^= [\d:]{8} diagnostic: a\.c/);
    await request(daemon, { cmd: 'press', id, keys: ['Enter'] });
    expect(await following.ended()).toMatchObject({ status: 0 });
    const { stdout } = await runCliHere(['entries', String(id)], daemon);
    expect(stdout).toMatch(/^[\d:]{8} diagnostic: b\.c.*\n[\d:]{8} diagnostic: a\.c:1:1: error: no tool=cc\n$/);
  });

  it('checks a file, and names the place of an error', async () => {
    const rules = path.join(daemon.dir, 'own.json');
    writeFileSync(rules, JSON.stringify(file(ERROR)));
    expect(await runCliHere(['rules', 'check', rules], daemon)).toMatchObject({
      stdout: 'The rules are valid.\n',
      status: 0,
    });
    writeFileSync(rules, '{"version":1,\n\n"profiles":[{}]}');
    const wrong = await runCliHere(['rules', 'check', rules], daemon);
    expect(wrong.status).toBe(2);
    expect(wrong.stderr).toContain('own.json", line 3: "profiles.0.id"');
    // It never ends.
    expect(await runCliHere(['rules', 'check', '/dev/zero'], daemon)).toMatchObject({
      status: 2,
      stderr: 't4a: "/dev/zero" has more than 1048576 bytes.\n',
    });
  });
});

it('rules of steps alone find entries, which carry their place in the reply and in the event', async () => {
  const steps = [
    { match: '^== (?P<host>\\S+) ==$' },
    { match: '^  ', repeat: true },
    { match: '^(?P<result>ok|failed)' },
  ];
  const { own } = await withRules(file({ id: 'host', steps, emit: { kind: 'deployed' } }));
  const events = await EventStream.open(own.socketPath, { types: ['entry'] });
  const cmdArgs = ['sh', '-c', 'printf "== a ==\\n  one\\n  two\\nok\\nend\\n"'];
  const { id } = await request(own, { cmd: 'create', cmd_args: cmdArgs, cols: 60, wait: UNTIL_EXIT });
  const found = {
    kind: 'deployed',
    line: 0,
    lines: 4,
    region: { top: 0, left: 0, bottom: 4, right: 60 },
    confidence: 1,
    data: { host: 'a', result: 'ok' },
  };
  expect(await entriesOf(own, id)).toMatchObject([found]);
  expect(await events.until('entry')).toMatchObject({ entry: found });
  events.close();
});

describe('rules for those who edit them', () => {
  it('are given as the text that was set, and no text while none was', async () => {
    const own = await startDaemon();
    onTestFinished(() => own.stop());
    expect(await request(own, { cmd: 'rules', with_text: true })).toMatchObject({ ok: true, text: null });
    const text = `${JSON.stringify(file(ERROR), undefined, 2)}\n`;
    await request(own, { cmd: 'rules', action: 'set', rules: text });
    expect(await request(own, { cmd: 'rules', with_text: true })).toMatchObject({ text });
    expect(await request(own, { cmd: 'rules' })).not.toHaveProperty('text');
    const broken = await request(own, { cmd: 'rules', action: 'set', rules: '{' });
    expect(broken).toMatchObject({ ok: false, code: 'rules_invalid' });
    expect(await request(own, { cmd: 'rules', with_text: true })).toMatchObject({ text });
  });

  it('are checked against the whole history of a terminal, without an effect', async () => {
    const script =
      'echo "ERROR one"; echo "a.c:1:7: error: no"; read x; printf "\\033[H\\033[2J\\033[3Jother"; sleep 600';
    // Looks are repeated as they were: the first has seen both.
    const wait = { until: { event: 'entry' } };
    const { id } = await request(daemon, { cmd: 'create', cmd_args: ['sh', '-c', script], rules: 'generic', wait });
    await request(daemon, { cmd: 'send', id, input: '\n', wait: { until: { text: 'other' } } });
    // The last of them may be finished in between.
    const said = async (): Promise<object[]> => (await entriesOf(daemon, id)).map(({ open: _open, ...entry }) => entry);
    const before = await said();
    const check = { cmd: 'rules', action: 'check', terminal: id, profile: 'mine', rules: JSON.stringify(file(ERROR)) };
    const now = await request(daemon, check);
    expect(now['entries']).toEqual([]);
    const past = await request(daemon, { ...check, from: 'start' });
    expect(past['entries']).toMatchObject([{ kind: 'error', data: { what: 'one' }, row: null, cells: [] }]);
    expect(past['differences']).toMatchObject([
      { change: 'added', kind: 'error', text: 'ERROR one' },
      { change: 'removed', kind: 'diagnostic' },
    ]);
    expect(await said()).toEqual(before);
    const misplaced = await request(daemon, { cmd: 'rules', action: 'show', from: 'start' });
    expect(misplaced).toMatchObject({ ok: false, code: 'invalid_field', field: 'from' });
  });
});
