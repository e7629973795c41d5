import '../../test/crew/instants.test.js';
