import '../../test/vt/revision.test.js';
