import '../../test/daemon/launching/shell-transparency.test.js';
