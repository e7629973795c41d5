/** What is found in the past of a terminal, and what it gives for files: `seek`, `export`. Loaded with the first of them. */
import type { Core } from '../core.js';
import type { Feature } from '../feature.js';
import { exportPast } from './export.js';
import { seek } from './seek.js';

export const pastSearchFeature = (core: Core): Feature<'seek' | 'export'> => ({
  handlers: { seek: seek(core), export: exportPast(core) },
});
