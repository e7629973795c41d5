import '../../test/vt/snapshot-content.test.js';
