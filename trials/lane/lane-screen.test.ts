import '../../test/vt/lane/lane-screen.test.js';
