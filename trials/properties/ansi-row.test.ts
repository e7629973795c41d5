import '../../test/mirror/ansi-row.test.js';
