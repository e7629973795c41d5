/** Of a daemon the parts that tests of single PTYs need: one for all tests of a file. */
import { PtyReaders } from '../../src/terminal/pty/readers.js';
import { Stty } from '../../src/terminal/system/stty.js';

export const readers = new PtyReaders();
export const stty = new Stty();
