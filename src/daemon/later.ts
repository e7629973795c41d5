/**
 * Features that most daemons never use, each loaded with its first use. The build reads this list: all that is reached by it alone is
 * a deflated text in the daemon's program, which is neither read nor compiled until one of these is asked for.
 */
export const later = {
  asks: () => import('../features/people/asks-feature.js'),
  control: () => import('../features/people/control-feature.js'),
  delivery: () => import('../features/delivery/feature.js'),
  film: () => import('../features/pictures/film-feature.js'),
  pastSearch: () => import('../features/past/past-search.js'),
  maskedAnswer: () => import('./masked-answer.js'),
  persistence: () => import('../features/persistence/feature.js'),
  adopting: () => import('./replacing/adopt.js'),
  replacing: () => import('./replacing/replace.js'),
  recording: () => import('../features/recording/feature.js'),
  rules: () => import('../features/rules/feature.js'),
  triggers: () => import('../features/triggers/feature.js'),
};
