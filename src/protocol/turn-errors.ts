/** Error codes that several commands share. Apart from the schemas: a command lists its codes before its schemas are made. */

/** Of reads of a moment, beside `revision_unknown`. */
export const momentErrors = ['moment_lost', 'moment_unknown'] as const;

/** Errors of pictures. */
export const pictureErrors = [
  'image_too_large',
  'region_outside',
  'bad_regex',
  'revision_unknown',
  ...momentErrors,
  'render_failed',
] as const;

/** Errors of a turn beyond those of the act. */
export const turnErrors = ['too_many_waits', 'unsupported', ...pictureErrors] as const;
