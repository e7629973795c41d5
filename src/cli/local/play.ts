/** `t4a play`: a recording in the terminal of the person who asks. */
import { T4aError } from '../../protocol/errors.js';
import { absolutePath } from '../prepare/spawn.js';
import type { LocalCommand } from './local-command.js';
import { ViewFrame } from './view-frame.js';

/** Alternate screen, no cursor, no wrapping: a long row is cut instead. */
const ENTER = '\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J';
const LEAVE = '\x1b[?7h\x1b[?25h\x1b[?1049l';

interface PlayFlags {
  readonly file: string;
  readonly timing?: string;
  readonly speed?: number;
  readonly from?: string;
  readonly idle_ms?: number;
  readonly cols?: number;
  readonly rows?: number;
  readonly plain?: boolean;
}

export const play: LocalCommand = async ({ options, params }, host, bundles) => {
  const {
    file,
    timing,
    speed = 1,
    from,
    idle_ms: idleMs,
    cols,
    rows,
    plain = false,
  } = {
    ...params,
    ...options,
  } as unknown as PlayFlags;
  const path = absolutePath(file, host);
  const grid = { ...(cols === undefined ? {} : { cols }), ...(rows === undefined ? {} : { rows }) };
  const reading = { timing: timing === undefined ? undefined : absolutePath(timing, host), grid, idleMs };
  if (plain) {
    const { plainOutput } = await bundles.play();
    for await (const bytes of plainOutput(path, reading)) host.out(bytes);
    return 0;
  }
  if (!host.stdoutIsTerminal) {
    throw new T4aError('usage', 'play needs a terminal to draw on.', {
      hint: '--plain prints the output as it is; t4a open makes a terminal of the file.',
    });
  }
  if (!(speed >= 1 / 16 && speed <= 64)) {
    throw new T4aError('usage', `"--speed" is ${speed}: expected a number from 0.0625 to 64.`);
  }
  const frame = new ViewFrame(host);
  const { play: perform } = await bundles.play();
  await perform(
    { path, ...reading, speed, from },
    {
      draw: (screen, status) => frame.draw(screen, status),
      size: () => `${host.columns()}x${host.rows()}`,
      keys: (onKeys) => host.keys(onKeys),
      enter: () => host.out(Buffer.from(ENTER)),
      leave: () => host.out(Buffer.from(LEAVE)),
    },
  );
  return 0;
};
