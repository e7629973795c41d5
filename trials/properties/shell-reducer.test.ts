import '../../test/terminal/shell/shell-reducer.test.js';
