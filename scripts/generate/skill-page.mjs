// skills/t4a/SKILL.md: the manual for models (docs/usage.md), with the front matter by which an agent finds it.

const FRONT_MATTER = `---
name: t4a
description: Run and watch real terminals through the t4a command line. Use for anything interactive or long-running - TUIs, REPLs, debuggers, dev servers, ssh, builds, git add -p, password prompts - or when the look of the screen matters and a screenshot would help.
---

`;

export function skillPage(usage) {
  return FRONT_MATTER + usage;
}
