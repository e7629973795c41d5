/**
 * A typical turn of an agent, in whole requests: build, look at the error, mend it in the editor, build again.
 *
 *   node turn.js DIRECTORY      (the directory holds hello.c, which does not compile)
 *
 * Each step is one request: it acts, waits until that is so and so, and brings back what the screen shows then.
 */
import { connect } from 't4a';

const directory = process.argv[2] ?? '.';
const t4a = await connect();

const { id } = await t4a.call('create', {
  cmd_args: ['bash'],
  cwd: directory,
  wait: { until: { done: true } },
});

// Act, wait, observe: the reply comes when the shell says that the command has ended, not after some silence.
const build = await t4a.call('send', {
  id,
  input: 'cc -o hello hello.c\r',
  wait: { until: { done: true }, timeout_ms: 60_000 },
  observe: { text: true, screenshot: { scale: 66 } },
});
console.log(`build: ${build.wait?.outcome}, exit code ${build.wait?.code}, picture of ${build.bytes?.length} bytes`);

// What the compiler said, and nothing else, however long the screen is.
const { lines } = await t4a.call('text', { id, command: -1, trim: true });
const error = lines.map((line) => /^hello\.c:(\d+):.*error: (.*)/.exec(line)).find((match) => match !== null);
console.log(`line ${error?.[1]}: ${error?.[2]}`);

// An editor is up when it waits for keys; the shell is back when it is done.
await t4a.call('send', {
  id,
  input: `vim -u NONE +${error?.[1]} hello.c\r`,
  wait: { until: { awaiting_input: 'raw' }, fail: { done: true } },
});
const edit = await t4a.call('send', { id, input: ':s/$/;/\r:wq\r', wait: { until: { done: true } } });
console.log(`editor: exit code ${edit.wait?.code}`);

const again = await t4a.call('send', {
  id,
  input: 'cc -o hello hello.c && ./hello\r',
  wait: { until: { done: true }, fail: { regex: 'error:' }, timeout_ms: 60_000 },
  observe: { text: true },
});
console.log(`build: ${again.wait?.outcome}, exit code ${again.wait?.code}`);
console.log(again.observed?.lines?.at(-2));

await t4a.call('kill', { id });
t4a.close();
