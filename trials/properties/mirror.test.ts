import '../../test/mirror/mirror.test.js';
