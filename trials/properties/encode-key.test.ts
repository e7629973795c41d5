import '../../test/vt/keys/encode-key.test.js';
