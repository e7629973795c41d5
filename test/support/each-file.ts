/** Around the tests of each file. */
import { afterAll } from 'vitest';
import { endDaemons } from './daemon.js';
import { endFilesDaemon } from './launch.js';

afterAll(endFilesDaemon);
afterAll(endDaemons);
