import '../../test/events/shell/shell-reducer.test.js';
