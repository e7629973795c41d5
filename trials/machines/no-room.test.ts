import '../../test/e2e/no-room.test.js';
