import { expect, test } from 'vitest';
import { whileAway } from '../../src/client/deleted-socket.js';
import { T4aError } from '../../src/protocol/errors.js';

test('a socket that is away is tried again, and another error is thrown at once', async () => {
  const errors = ['daemon_unreachable', 'daemon_unreachable', 'socket_owner'] as const;
  let tried = 0;
  const open = (): Promise<string> => {
    const code = errors[tried++];
    return code === undefined ? Promise.resolve('there') : Promise.reject(new T4aError(code, code));
  };
  await expect(whileAway(open)).rejects.toMatchObject({ code: 'socket_owner' });
  expect(tried).toBe(3);
  expect(await whileAway(open)).toBe('there');
});
