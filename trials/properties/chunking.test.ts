import '../../test/vt/parsing/chunking.test.js';
