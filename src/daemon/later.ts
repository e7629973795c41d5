/**
 * What most daemons never use, each loaded with its first use. The build reads this list: all that is reached by it alone is a
 * deflated text in the daemon's program, which is neither read nor compiled until one of these is asked for.
 */
export const later = {
  asks: () => import('./asks/feature.js'),
  triggers: () => import('./triggers/feature.js'),
  rules: () => import('./activity/activity.js'),
  standingEntries: () => import('./activity/standing-entries.js'),
  entryCondition: () => import('./activity/entry-condition.js'),
  recordings: () => import('./recording/recordings.js'),
  shownInput: () => import('./recording/shown-input.js'),
  opening: () => import('./opening/open-recording.js'),
};
