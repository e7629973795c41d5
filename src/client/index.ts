/** The published library: a client of the daemon, which it starts if none runs. */
export { Client, connect, type Reconnection } from './client.js';
export type { CallArguments, CallName, CallOptions, CallResult } from './connection.js';
export { EventStream, type EventFilter } from './event-stream.js';
export type { ConnectOptions } from './open-connection.js';
export { attach, launch, type DaemonOptions, type LaunchOptions } from './launch.js';
export {
  Terminal,
  type CommandEnd,
  type Observation,
  type Picture,
  type ProgramEnd,
  type TerminalCommand,
  type TerminalOptions,
  type TextOptions,
  type WaitCondition,
} from './terminal.js';
export type { StreamEnd } from './event-stream.js';
export { TerminalEvents, type TerminalEventFilter } from './terminal-events.js';
export { WaitFailure } from './wait-failure.js';
export { succeeded } from '../protocol/end-words.js';
export { ERRORS, T4aError, type ErrorCode, type ErrorDetails, type ErrorSpec } from '../protocol/errors.js';
export { PROTOCOL_VERSION } from '../protocol/limits.js';
export type { EventType, LaggedEvent, StreamLine, TerminalEvent } from '../protocol/events.js';
export type { CommandName, ParamsInput, Reply } from '../protocol/registry.js';
