import '../../test/rpc/instance-lock.test.js';
