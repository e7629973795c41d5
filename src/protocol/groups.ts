/** Help lists commands by group, in this order. */
export const GROUPS = {
  start: { title: 'Start and end', example: 'create --name build -- make -j4' },
  look: { title: 'Look', example: 'screenshot build -o build.png' },
  act: { title: 'Act', example: 'type build "make test" --submit --wait done --text' },
  people: { title: 'People', example: 'ask "Deploy?" --kind confirm --as ci' },
  wait: { title: 'Wait and events', example: "wait build --text 'Listening on' --fail 'error'" },
  models: { title: 'For models', example: 'mcp --config claude' },
  configuration: { title: 'Configuration and help', example: 'config --theme light' },
  plumbing: { title: 'Plumbing', example: 'stats --terminals' },
} as const;

export type Group = keyof typeof GROUPS;
