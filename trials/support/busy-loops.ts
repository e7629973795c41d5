/** Keeps cores busy beside a trial: what falls behind there, and only there, is found there. */
import { spawn } from 'node:child_process';

export interface BusyLoops {
  stop(): void;
}

/** Until its parent is gone, however that ends: it looks now and then. */
const LOOP = 'while kill -0 $PPID 2>/dev/null; do i=0; while [ $((i += 1)) -le 100000 ]; do :; done; done';

/** @param count as many cores are kept busy; 0 for none */
export function startBusyLoops(count: number): BusyLoops {
  const loops = Array.from({ length: count }, () => spawn('sh', ['-c', LOOP], { stdio: 'ignore' }));
  const stop = (): void => {
    for (const loop of loops) loop.kill('SIGKILL');
    process.off('exit', stop);
  };
  process.on('exit', stop);
  return { stop };
}
