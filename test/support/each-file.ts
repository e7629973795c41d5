/**
 * Around the tests of each file. Properties have the same draws in every run of the suite, so that chance fails no run; their trials
 * (trials/properties) draw anew each time.
 */
import { configureGlobal } from 'fast-check';
import { afterAll } from 'vitest';
import { endDaemons } from './daemon.js';
import { endFilesDaemon } from './launch.js';
import { seedOfRun } from './trial.js';

configureGlobal({ seed: seedOfRun() });
afterAll(endFilesDaemon);
afterAll(endDaemons);
