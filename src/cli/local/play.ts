/** `t4a play`: a recording in the terminal of the person who asks. */
import { T4aError } from '../../protocol/errors.js';
import { OUTER, style } from '../../mirror/outer-sequences.js';
import { LiveText } from '../output/live-text.js';
import { sanitizeRow } from '../output/sanitize.js';
import { absolutePath } from '../prepare/spawn.js';
import type { LocalCommand } from './local-command.js';
import { ENTER_FRAME, LEAVE_FRAME, ViewFrame } from './view-frame.js';

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

export const runPlay: LocalCommand = async ({ options, params }, host, bundles) => {
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
    const live = host.stdoutIsTerminal ? new LiveText((bytes) => host.out(bytes)) : undefined;
    for await (const bytes of plainOutput(path, reading)) {
      if (live === undefined) host.out(bytes);
      else live.write(bytes);
    }
    live?.end();
    return 0;
  }
  if (!host.stdoutIsTerminal) {
    throw new T4aError('usage', 'play needs a terminal to draw on.', {
      hint: '--plain prints the output at once; t4a open makes a terminal of the file.',
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
      draw({ lines, cursor, help }, status) {
        const box = help.map((line) => `${style('7')}${line}${OUTER.resetStyle.on}`);
        frame.draw({ lines: [...box, ...lines.slice(box.length).map(sanitizeRow)], cursor }, status);
      },
      size: () => `${host.columns()}x${host.rows()}`,
      keys: (onKeys) => host.keys(onKeys),
      enter: () => host.out(Buffer.from(ENTER_FRAME)),
      leave: () => host.out(Buffer.from(LEAVE_FRAME)),
    },
  );
  return 0;
};
