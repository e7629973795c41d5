/** Films of the past: `film`. Loaded with the first request. */
import type { Feature } from '../feature.js';
import { film } from './film.js';
import type { LookingCore } from './looking-core.js';

export const filmFeature = (core: LookingCore): Feature<'film'> => ({ handlers: { film: film(core) } });
