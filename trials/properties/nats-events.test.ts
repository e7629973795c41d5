import '../../test/nats/events.test.js';
