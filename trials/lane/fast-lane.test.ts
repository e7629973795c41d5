import '../../test/vt/lane/fast-lane.test.js';
