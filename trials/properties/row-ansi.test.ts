import '../../test/vt/rows/row-ansi.test.js';
