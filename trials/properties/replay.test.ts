import '../../test/history/replay.test.js';
