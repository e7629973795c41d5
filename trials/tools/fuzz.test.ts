import '../../test/trials/fuzz.test.js';
