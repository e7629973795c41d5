/** Rules that are run through the log of a terminal find what they have found then, in more runs. */
import '../../test/features/rules/replay-rules.test.js';
