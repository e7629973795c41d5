import type { Clock } from '../base/clock.js';
import type { HasParts } from '../base/parts.js';
import type { EventBody } from '../protocol/events.js';
import type { Pty } from './pty/pty.js';
import { Detectors, type DetectorsOptions } from './detectors.js';
import type { TerminalSetup } from './setup.js';
import type { SharedParts } from './shared-parts.js';
import { followTyped } from './followed-typing.js';

/** The part of a terminal that its detectors need. */
interface DetectedTerminal extends Pick<DetectorsOptions, 'screen' | 'feed'>, HasParts {
  readonly id: string;
  readonly pid: number;
  readonly device: string;
  readonly clock: Clock;
  readonly exit: ReturnType<DetectorsOptions['exit']>;
  publish(body: EventBody): void;
}

/** The detectors of a program of a terminal. @param before those of the program before it, whose counts go on */
export function newDetectors(
  terminal: DetectedTerminal,
  parts: Pick<SharedParts, 'work' | 'stty'>,
  setup: TerminalSetup,
  pty: Pick<Pty, 'catchUp'>,
  before?: Detectors,
): Detectors {
  const { work, stty } = parts;
  const detectors = new Detectors({
    screen: terminal.screen,
    feed: terminal.feed,
    clock: terminal.clock,
    idleTimeoutMs: before?.idle.timeoutMs ?? setup.idleTimeoutMs ?? setup.defaultIdleTimeoutMs,
    features: terminal,
    process: { pid: terminal.pid, device: terminal.device, stty },
    work,
    catchUp: () => pty.catchUp(),
    shellScripts: setup.shellScripts,
    markSeed: setup.markSeed,
    publish: (body) => terminal.publish({ ...body, terminal: terminal.id }),
    exit: () => terminal.exit,
    outputBytes: before?.outputBytes ?? 0,
  });
  detectors.typed = followTyped(terminal, stty, detectors);
  if (setup.marksNoStarts === true) detectors.shell.expectTypedStarts();
  return detectors;
}
