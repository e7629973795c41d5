import '../../test/terminal/launching/shell-transparency.test.js';
