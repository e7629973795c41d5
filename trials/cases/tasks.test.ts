import '../../test/mcp/tasks.test.js';
