import '../../test/e2e/unread-reads.test.js';
