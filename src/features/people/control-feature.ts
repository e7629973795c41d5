/** Who may type: `control`. Loaded with the first request. */
import type { Core } from '../core.js';
import type { Feature } from '../feature.js';
import { control } from './control.js';

export const controlFeature = (core: Core): Feature<'control'> => ({ handlers: { control: control(core) } });
