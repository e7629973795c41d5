// Read by a trial's daemon at its start: has the engine collect its garbage at SIGUSR2, as its developer tools do, which
// gives empty pages back, and tells of it in the log.
'use strict';
const { Session } = require('node:inspector');

// Held here: a session that only its own question knows of is garbage itself, and its end in the midst of it waits for ever.
const session = new Session();
session.connect();

process.on('SIGUSR2', () => {
  session.post('HeapProfiler.collectGarbage', () => process.stderr.write('collected garbage\n'));
});
