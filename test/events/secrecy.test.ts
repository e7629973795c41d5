import { describe, expect, test } from 'vitest';
import { inputSecrecy } from '../../src/events/secrecy.js';

describe('typed text is', () => {
  test.each([
    ['shown with echo, as by cat', { canonical: true, echo: true }, false, 'shown'],
    ['shown with echo in raw mode, as by read -n 1', { canonical: false, echo: true }, false, 'shown'],
    ['hidden in lines without echo, as by getpass', { canonical: true, echo: false }, false, 'hidden'],
    ['unknown in raw mode, as in ssh, tmux and vim', { canonical: false, echo: false }, false, 'unknown'],
    ['shown in raw mode while marks report a prompt', { canonical: false, echo: false }, true, 'shown'],
    ['hidden in lines without echo, even if marks report a prompt', { canonical: true, echo: false }, true, 'hidden'],
  ])('%s', (_, flags, atShellPrompt, secrecy) => {
    expect(inputSecrecy(flags, atShellPrompt)).toBe(secrecy);
  });
});
