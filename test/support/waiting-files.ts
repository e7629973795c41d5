/** Files of seven to forty seconds, of which most are waits; the longest first. */
export const WAITING: readonly string[] = `
  page/ends page/past nats/faults page/rules attach/people e2e/deliver crew/shell e2e/open page/page fleet/many
  page/hosts nats/patterns nats/recordings web/web mcp/elicitation nats/several nats/events e2e/entries
  attach/asks e2e/shells e2e/canary clients/python fleet/routes cli/run terminal/pty/pty e2e/lifetimes
  e2e/limits e2e/sh e2e/broken-daemon e2e/endings e2e/secret-prompts e2e/paste mcp/server e2e/text grpc/methods
  e2e/versions fleet/gateway cli/export cli/settings e2e/run-in-shell e2e/sandboxes attach/attach page/person
  e2e/auto-start fleet/wire e2e/users-in-turn e2e/no-locale cli/completion interminai/server attach/restored
  e2e/past page/reading e2e/forged-marks e2e/typed-text e2e/run-that-asks vitest/snapshots crew/spawn
  crew/instants crew/killed crew/callers crew/shell-asks crew/shell-ends page/all-day
  crew/timers crew/coordination nats/join clients/pytest e2e/persist e2e/report e2e/notify cli/terminals
  e2e/truth-table e2e/unread-pictures e2e/same-bytes e2e/keys
`
  .trim()
  .split(/\s+/);
