/** Why a request of a connection with streams, or for a stream, is refused. */
import { T4aError } from '../protocol/errors.js';

export function streamsAlready(): T4aError {
  return new T4aError('connection_streams', 'This connection streams events and takes no further requests.', {
    hint: 'Open a second connection.',
  });
}

export function sharesAlready(): T4aError {
  return new T4aError('connection_streams', 'This connection has shared streams.', {
    hint: 'Set "shared" for this one, too, or open a second connection.',
  });
}

export function reqTaken(): T4aError {
  return new T4aError('invalid_field', 'A stream of this connection has this "req" already.', { field: 'req' });
}
