/** Words that other products have for tools and fields, for errors that name the right one. A call has its own words alone. */
import { nearestWords } from '../base/nearest.js';

/** Words by what they mean. One may mean several; the first that is known in its place is meant. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  // Fields.
  id: 'session session_id sessionid terminal terminal_id pane pane_id shell_id process_id pid target window name',
  command: 'cmd script code bash shell_command commands input text',
  cmd_args: 'args argv arguments program',
  text: 'input content chars characters string data keys message value command',
  keys: 'key keystrokes sequence combo chars text input',
  submit: 'enter press_enter newline execute return send_enter run',
  secret: 'password hidden sensitive masked no_echo',
  timeout_ms:
    'timeout timeout_s timeout_secs timeout_seconds wait_ms wait_seconds max_wait yield_time_ms seconds deadline duration',
  for: 'until text condition what input awaiting_input prompt expect pattern event done exit settled settled_ms',
  regex: 'pattern regexp expression match',
  wait: 'wait_for until block blocking await',
  observe: 'screenshot output return_screen look capture include',
  cwd: 'dir directory workdir working_directory path work_dir',
  cols: 'width columns',
  rows: 'height lines',
  max_lines: 'limit max_output lines head_limit max_output_lines',
  last: 'lines n tail count limit',
  from_line: 'offset start start_line',
  signal: 'sig',
  question: 'message prompt text',
  choices: 'options answers',
  // Tools.
  run: 'bash exec execute shell run_command execute_command execute_bash run_shell_command run_in_terminal',
  create: 'start open new spawn launch new_session create_terminal create_session start_process open_terminal',
  type: 'write send input send_text write_stdin send_input type_text write_to_terminal insert',
  press: 'key keys send_keys send_key press_key press_keys',
  kill: 'close stop terminate end kill_session close_terminal stop_process kill_shell exit',
  list: 'ls list_sessions list_terminals sessions terminals',
  screenshot: 'picture image snapshot look see take_screenshot',
};

/** @returns what was most likely meant among the words that are known */
export function meantWord(word: string, known: readonly string[]): string | undefined {
  const plain = word.replaceAll(/(?<=[a-z])(?=[A-Z])|-/g, '_').toLowerCase();
  const [near] = nearestWords(word, known);
  return known.find((each) => OTHER_WORDS[each]?.split(' ').includes(plain) === true) ?? near;
}
