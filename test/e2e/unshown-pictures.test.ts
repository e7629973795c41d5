/** Pictures of programs, of which the screen shows nothing: whoever looks is warned. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { TestTerminal } from '../support/screen-fence.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const SIXEL = String.raw`\033P0;1q"1;1;1;1#0~\033\\`;
const KITTY = String.raw`\033_Gf=24,s=1,v=1,a=T;AAAA\033\\`;
const ITERM = String.raw`\033]1337;File=name=eA==;inline=1:AAAA\007`;

/** @returns the id of a terminal that shows it */
async function printed(text: string): Promise<string> {
  const command = `printf '${text}'; printf ready; exec sleep 1000`;
  const terminal = await TestTerminal.start(daemon, ['sh', '-c', command]);
  await terminal.untilShows('ready');
  return terminal.id;
}

describe('a picture that a program prints', () => {
  it.each([
    ['sixel', SIXEL],
    ['kitty', KITTY],
    ['iTerm2', ITERM],
    ['kitty', String.raw`\033_Ga=T,f=100,m=1;AAAA\033\\\033_Gm=0;AAAA\033\\`],
  ])('of %s is a warning of texts, screenshots, turns and runs', async (protocol, sequence) => {
    const id = await printed(sequence);
    const warning = `The program printed a picture (${protocol}) that is not shown: t4a draws text alone.`;
    expect(await request(daemon, { cmd: 'text', id })).toMatchObject({ warning });
    expect(await request(daemon, { cmd: 'text', id, changed: true })).toMatchObject({ warning });
    expect(await request(daemon, { cmd: 'screenshot', id, inline: true })).toMatchObject({ warning });
    const looked = { cmd: 'press', id, keys: ['a'], observe: { text: true } };
    expect(await request(daemon, looked)).toMatchObject({ observed: { warning } });
    const ran = { cmd: 'run', command: `printf '${sequence}'` };
    expect(await request(daemon, ran)).toMatchObject({ outcome: 'exited', warning });
    const { unhandled } = await request(daemon, { cmd: 'debug', id });
    expect((unhandled as { sequences: unknown[] }).sequences.length).toBeGreaterThan(0);
  });

  it('of more kinds names each of them, as long as it is on the screen', async () => {
    const below = String.raw`\n`.repeat(40);
    const id = await printed(`${ITERM}${SIXEL}${ITERM}${KITTY}${SIXEL}`);
    const warning = 'The program printed pictures (iTerm2, kitty, sixel) that are not shown: t4a draws text alone.';
    expect(await request(daemon, { cmd: 'text', id })).toMatchObject({ warning });
    const ran = { cmd: 'run', command: `printf '${ITERM}${below}${SIXEL}${KITTY}'` };
    expect(await request(daemon, ran)).toMatchObject({ outcome: 'exited', warning });
    const left = await printed(`${ITERM}${below}${SIXEL}`);
    expect(await request(daemon, { cmd: 'text', id: left })).toMatchObject({
      warning: 'The program printed a picture (sixel) that is not shown: t4a draws text alone.',
    });
  });

  it.each([
    ['a query of kitty', String.raw`\033_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\033\\`],
    ['a deletion of kitty', String.raw`\033_Ga=d\033\\`],
    ['another APC', String.raw`\033_title\033\\`],
    ['a download of iTerm2', String.raw`\033]1337;File=name=eA==:AAAA\007`],
    ['a query of settings', String.raw`\033P$qm\033\\`],
  ])('is not %s', async (_, sequence) => {
    const id = await printed(sequence);
    const reply = await request(daemon, { cmd: 'text', id });
    expect(reply).toMatchObject({ ok: true });
    expect(reply).not.toHaveProperty('warning');
  });

  it('is no warning any more once its place has scrolled away', async () => {
    const id = await printed(`${SIXEL}${String.raw`\n`.repeat(40)}`);
    const reply = await request(daemon, { cmd: 'text', id });
    expect(reply).toMatchObject({ ok: true });
    expect(reply).not.toHaveProperty('warning');
  });
});
