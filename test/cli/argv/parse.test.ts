import { PUBLISHED_TYPES } from '../../../src/protocol/events.js';
import { describe, expect, test } from 'vitest';
import { parseCommandLine, parseGlobalFlags } from '../../../src/cli/argv/parse.js';
import { T4aError } from '../../../src/protocol/errors.js';

function parse(...argv: string[]): { name: string; params: object; options: object } {
  const invocation = parseCommandLine(argv);
  if (invocation === undefined) throw new Error('no command');
  return { name: invocation.command.name, params: invocation.params, options: invocation.options };
}

function refusal(...argv: string[]): { code: string; message: string; hint: string | undefined } {
  try {
    if (parseCommandLine(argv) === undefined) parseGlobalFlags(argv);
  } catch (error) {
    if (error instanceof T4aError) return { code: error.code, message: error.message, hint: error.details.hint };
    throw error;
  }
  throw new Error(`was taken: ${argv.join(' ')}`);
}

describe('command lines of the original description', () => {
  test.each<[string[], object]>([
    [['create'], {}],
    [['create', '--', 'vim', 'x'], { cmd_args: ['vim', 'x'] }],
    [['list'], {}],
    [['send', 't1', 'ls\\n'], { id: 't1', input: 'ls\\n' }],
    [['send', 't1'], { id: 't1' }],
    [['text', 't1'], { id: 't1' }],
    [['text', 't1', '0:5'], { id: 't1', start: 0, end: 5 }],
    [['cursor', 't1'], { id: 't1' }],
    [['resize', 't1', '120', '40'], { id: 't1', cols: 120, rows: 40 }],
    [['events'], {}],
    [['events', 't1'], { terminal: 't1' }],
    [['kill', 't1'], { id: ['t1'] }],
  ])('are parsed: %j', (argv, params) => {
    expect(parse(...argv)).toEqual({ name: argv[0], params, options: {} });
  });

  test('screenshot accepts -o and --output in every spelling', () => {
    const spellings = [['-o', 'f.png'], ['-of.png'], ['--output', 'f.png'], ['--output=f.png']];
    for (const spelling of spellings) {
      expect(parse('screenshot', 't1', ...spelling).options, spelling.join(' ')).toEqual({ output: 'f.png' });
    }
  });

  test('daemon accepts a timeout', () => {
    expect(parse('daemon', '5000').options).toEqual({ timeout_ms: 5000 });
  });
});

describe('the terminal', () => {
  test.each<[string[], object]>([
    [['text', '0:5'], { start: 0, end: 5 }],
    [['text', '5:'], { start: 5 }],
    [['text', ':3'], { end: 3 }],
    [['resize', '120', '40'], { cols: 120, rows: 40 }],
    [['send'], {}],
    [['kill'], {}],
  ])('may be omitted in %j', (argv, params) => {
    expect(parse(...argv).params).toEqual(params);
  });

  test('is the single argument of send', () => {
    expect(parse('send', 'hello').params).toEqual({ id: 'hello' });
  });
});

describe('flags', () => {
  test('have the type of their field', () => {
    expect(parse('create', '--cols', '100', '--rows=30', '--name', 'build', '--reuse').params).toEqual({
      cols: 100,
      rows: 30,
      name: 'build',
      reuse: true,
    });
    expect(parse('screenshot', '--scale', '66.5', '--if-rev', '3').params).toEqual({ scale: 66.5, if_rev: 3 });
    expect(parse('kill', 't1', '--signal', '9').params).toEqual({ id: ['t1'], signal: 9 });
    expect(parse('kill', 't1', '--signal', 'INT').params).toEqual({ id: ['t1'], signal: 'INT' });
  });

  test('for times may omit their unit', () => {
    expect(parse('run', '--timeout', '100', 'ls').params).toEqual(parse('run', '--timeout-ms', '100', 'ls').params);
  });

  test('for switches are turned off with --no-', () => {
    expect(parse('text', '--no-trim').params).toEqual({ trim: false });
    expect(parse('screenshot', '--no-cursor').params).toEqual({ cursor: false });
  });

  test('for lists accept repetition, and commas except in --env', () => {
    expect(parse('events', '--types', 'exit,bell', '--types', 'title').params).toEqual({
      types: ['exit', 'bell', 'title'],
    });
    expect(parse('create', '--env', 'A=1', '--env', 'B=x,y').options).toEqual({ env: ['A=1', 'B=x,y'] });
  });

  test('of every command may precede the command', () => {
    expect(parse('--socket', '/tmp/x', '--json', 'list')).toEqual({
      name: 'list',
      params: {},
      options: { socket: '/tmp/x', json: true },
    });
  });

  test('end at the program of create and run, which keeps its own flags', () => {
    expect(parse('run', '--keep', 'ls', '-la', '--json').params).toEqual({
      keep: true,
      cmd_args: ['ls', '-la', '--json'],
    });
    expect(parse('run', '--', '--weird', '--', '-x').params).toEqual({ cmd_args: ['--weird', '--', '-x'] });
    expect(parse('create', 'env', '--', 'x').params).toEqual({ cmd_args: ['env', '--', 'x'] });
  });

  test('end at two dashes, so that input may begin with a dash', () => {
    expect(parse('send', 't1', '--', '-n').params).toEqual({ id: 't1', input: '-n' });
    expect(parse('send', '--raw', '--', 't1', '--help')).toEqual({
      name: 'send',
      params: { id: 't1', input: '--help' },
      options: { raw: true },
    });
  });

  test('for help work without the required arguments', () => {
    expect(parse('resize', '--help').options).toEqual({ help: true });
    expect(parse('resize', '-h').options).toEqual({ help: true });
  });
});

test('a command line without a command is no invocation', () => {
  expect(parseCommandLine([])).toBeUndefined();
  expect(parseCommandLine(['--help'])).toBeUndefined();
});

describe('an invalid command line', () => {
  test.each<[string[], string, string]>([
    [['lsit'], 'There is no command "lsit".', 'Did you mean "t4a list"?'],
    [['frobnicate'], 'There is no command "frobnicate".', 't4a help'],
    [['text', 't1', '--trmi'], '"text" has no flag "--trmi".', 'Did you mean "--trim"?'],
    [['text', 't1', '-x'], '"text" has no flag "-x".', 't4a text --help'],
    [['text', '--no-region'], '"text" has no flag "--no-region".', 'Did you mean "--region"?'],
    [['send', 't1', '-n'], '"send" has no flag "-n".', 'What is no flag of t4a comes after "--".'],
    [['create', '--cols'], '--cols needs a value.', 't4a create --help'],
    [
      ['create', '--name', '--cols', '5'],
      '--name needs a value, and "--cols" looks like a flag.',
      'If that is the value: --name=--cols',
    ],
    [['create', '--reuse=yes'], '--reuse takes no value.', 't4a create --help'],
    [['create', '--cols', 'many'], '--cols is "many": expected a whole number.', 't4a create --help'],
    [['create', '--cols', '1.5'], '--cols is "1.5": expected a whole number.', 't4a create --help'],
    [['create', '--cols='], '--cols is "": expected a whole number.', 't4a create --help'],
    [['screenshot', '--scale', '1e2'], '--scale is "1e2": expected a number.', 't4a screenshot --help'],
    [
      ['text', 't1', '--region', 'vieport'],
      '--region is "vieport": expected one of viewport, scrollback, all.',
      'Did you mean "viewport"?',
    ],
    [
      ['events', '--types', 'exit,bel'],
      `--types is "bel": expected one of ${PUBLISHED_TYPES.join(', ')}.`,
      'Did you mean "bell"?',
    ],
    [['text', 't1', '5'], 'start:end is "5": expected two line numbers and a colon, such as 0:5.', 't4a text --help'],
    [['list', 't1'], '"list" takes no arguments; "t1" is one too many.', 't4a list --help'],
    [['cursor', 't1', 't2'], '"cursor" takes one argument (id); "t2" is one too many.', 't4a cursor --help'],
    [['send', 't1', 'make', 'test'], '"send" takes 2 arguments (id input); "test" is one too many.', 't4a send --help'],
    [['resize', 't1', '80'], 'cols is "t1": expected a whole number.', 't4a resize --help'],
    [['resize', '80'], '"resize" needs rows.', 't4a resize --help'],
    [['completions'], '"completions" needs shell.', 't4a completions --help'],
    [['--jsno'], 't4a has no flag "--jsno".', 'Did you mean "--json"?'],
  ])('is refused as usage: %j', (argv, message, hint) => {
    expect(refusal(...argv)).toEqual({ code: 'usage', message, hint });
  });
});

test.each([
  ['stdio', '--allow', 'read', '--allow', 'admin'],
  ['mcp', '--allow=read', '--allow=use'],
  ['--socket', '/tmp/a', '--socket', '/tmp/b', 'list'],
  ['create', '--cols', '80', '--cols', '100'],
])('%s refuses an option with two values of which one counts', (...argv) => {
  expect(() => parseCommandLine(argv)).toThrow(/is there twice, with two values: only one counts/);
});

test('an option that is there twice with one value, and one that takes several, are read', () => {
  expect(parseCommandLine(['create', '--cols', '80', '--cols', '80'])?.params).toMatchObject({ cols: 80 });
  expect(parseCommandLine(['web', '--socket', '/tmp/a', '--socket', '/tmp/b'])?.options).toMatchObject({
    socket: ['/tmp/a', '/tmp/b'],
  });
});
