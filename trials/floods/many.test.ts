import '../../test/fleet/many.test.js';
