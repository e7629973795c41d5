/** What `help` says: how the tools are meant to be used together. */

export const HELP_TOPICS = [
  'overview',
  'roles',
  'agents',
  'messages',
  'questions',
  'processes',
  'timers',
  'scratchpads',
] as const;

export type HelpTopic = (typeof HELP_TOPICS)[number];

export const HELP: Readonly<Record<HelpTopic, string>> = {
  overview: `Agents and programs run in terminals that people watch. get_project_status shows where you are. Topics: ${HELP_TOPICS.join(', ')}.`,
  roles:
    'orchestrator: no agent is above you; you start agents. sub-agent: an agent started you; you start programs only, and report to it by send_message. process: you look only. You see your session, and act on what is below you.',
  agents:
    'spawn_agent starts an agent with its first prompt. Do not wait for its screen: it reports by send_message, as a prompt to you, or timer_fire_when_idle_any calls you once it has stopped working. End your turn then. A preset that is not trusted is asked about: a person answers, then call again.',
  messages:
    'send_message gives a text to the agent above you or to one that you started, as its next prompt. Siblings go through the agent above. ok says that Enter was pressed, not that the agent took it; not_delivered has its screen.',
  questions:
    'An agent in the state waiting asks something: get_process_status has it, send_input with key and if_entry answers it. If you are not sure, request_human_attention: a person gets your reason, and the answer comes to you as a prompt.',
  processes:
    'spawn_process starts a shell, a preset or an argv. wait_for_pattern waits for a line that it prints. stop_process keeps its output, close_process removes it with all that it has started.',
  timers:
    'A timer gives you a prompt "[system] Your timer …" when it is due, so end your turn in between. timer_wait goes by time, timer_fire_when_idle_any and _all by processes that have stopped working or have ended. They live in this server: if it ends, they are lost.',
  scratchpads:
    'Notes in Markdown that all agents of the project and people share. To change one, read it and write it with its revision; revision_conflict means that another was faster. scratchpad_append never overwrites.',
};
