/** Keeps cores busy beside a trial: what falls behind there, and only there, is found there. */
import { spawn } from 'node:child_process';

export interface BusyLoops {
  stop(): void;
}

/** @param count as many cores are kept busy; 0 for none */
export function startBusyLoops(count: number): BusyLoops {
  const loops = Array.from({ length: count }, () => spawn('sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' }));
  const stop = (): void => {
    for (const loop of loops) loop.kill('SIGKILL');
    process.off('exit', stop);
  };
  process.on('exit', stop);
  return { stop };
}
