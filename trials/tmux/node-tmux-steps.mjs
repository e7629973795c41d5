// Drives node-tmux through its functions, errors too. Prints a line for each step: two programs that are tmux print the same lines.
import { createRequire } from 'node:module';

const { tmux } = createRequire(`${process.argv[2]}/x`)('node-tmux');
const sessions = await tmux();

async function step(name, act) {
  try {
    console.log(name, '->', JSON.stringify(await act()));
  } catch (error) {
    console.log(name, '-> error', String(error.message).split('\n')[0]);
  }
}

await step('none', () => sessions.listSessions());
await step('new', () => sessions.newSession('one', 'cat'));
await step('shell', () => sessions.newSession('two'));
await step('twice', () => sessions.newSession('one'));
await step('has', () => sessions.hasSession('one'));
await step('has not', () => sessions.hasSession('nope'));
await step('list', () => sessions.listSessions());
await step('write', () => sessions.writeInput('one', 'hello $x "q"', true));
await step('write nowhere', () => sessions.writeInput('nope', 'hello'));
await step('rename', () => sessions.renameSession('one', 'three'));
await step('rename nothing', () => sessions.renameSession('nope', 'x'));
await step('rename to another', () => sessions.renameSession('three', 'two'));
await step('kill nothing', () => sessions.killSession('nope'));
await step('kill', () => sessions.killSession('three'));
await step('left', () => sessions.listSessions());
await step('kill last', () => sessions.killSession('two'));
