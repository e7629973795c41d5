import '../../test/vt/rows/line-revisions.test.js';
