import '../../test/e2e/users-in-turn.test.js';
