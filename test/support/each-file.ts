/** Around the tests of each file. */
import { afterAll } from 'vitest';
import { endDaemons } from './daemon.js';

afterAll(endDaemons);
