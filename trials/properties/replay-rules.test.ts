/** Rules that are run through the log of a terminal find what they have found then, in more runs. */
import '../../test/daemon/activity/replay-rules.test.js';
