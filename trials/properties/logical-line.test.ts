import '../../test/vt/rows/logical-line.test.js';
