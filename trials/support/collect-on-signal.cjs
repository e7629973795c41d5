// Read by a trial's daemon at its start: has the engine collect its garbage at SIGUSR2, as its developer tools do, which
// gives empty pages back, and tells of it in the log.
'use strict';
const { Session } = require('node:inspector');

process.on('SIGUSR2', () => {
  const session = new Session();
  session.connect();
  session.post('HeapProfiler.collectGarbage', () => {
    session.disconnect();
    process.stderr.write('collected garbage\n');
  });
});
