// Read by a trial's daemon at its start: has the engine collect its garbage at SIGUSR2, and tells of it in the log.
'use strict';
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
setFlagsFromString('--no-expose-gc');

process.on('SIGUSR2', () => {
  collect();
  process.stderr.write('collected garbage\n');
});
