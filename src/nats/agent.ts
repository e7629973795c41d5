/**
 * A daemon in a fleet: answers who asks for it, carries links to it, and says that it is there. Its address is of one connection
 * to the server: after a loss of that there is another, and the links of the old one have ended.
 */
import type { Duplex } from 'node:stream';
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import { pipeline } from 'node:stream';
import { systemClock } from '../base/clock.js';
import { VERSION } from '../base/version.js';
import { T4aError, quote } from '../protocol/errors.js';
import { loweredConnection } from './asked-daemon.js';
import { type FleetUrl, type Level, LEVELS } from './fleet-url.js';
import { FollowedDaemon } from './followed-daemon.js';
import { HeldMessages } from './held-messages.js';
import { HostName } from './host-name.js';
import { InboxTurns } from './inbox-turns.js';
import { isFirst, NatsLink, refuse } from './link.js';
import { heldBy, Links } from './links.js';
import { encodePresence, type HostPresence } from './presence.js';
import { Requests } from './refused-requests.js';
import { replayOf } from './recorded-replay.js';
import { StreamRecorder } from './recorder.js';
import { type LineReplay, Replies } from './replies.js';
import { openServer, type ServerConnection } from './server-connection.js';
import { SingleRequests } from './single-request.js';
import { inboxIn, isReplySubject, newToken, Subjects } from './subjects.js';

export interface AgentOptions {
  readonly url: FleetUrl;
  readonly host: string;
  readonly allow: Level;
  readonly labels: Readonly<Record<string, string>>;
  readonly socketPath: string;
  readonly onJoined: (host: string) => void;
  readonly log: (line: string) => void;
  /** Aborted: the host leaves. */
  readonly signal: AbortSignal;
}

const HEARTBEAT_MS = 5000;

/** Until the signal, or a reason to leave. @throws T4aError `name_taken`, `host_unreachable`, `connection_lost`, `daemon_unreachable` */
export async function serveAgent(options: AgentOptions): Promise<void> {
  const daemon = await FollowedDaemon.reach(options.socketPath);
  let server: ServerConnection | undefined;
  try {
    server = await openServer(options.url, `t4a ${options.host}`, true);
    const agent = new Agent(options, server, daemon);
    await agent.serve();
  } finally {
    daemon.leave();
    await server?.nats.close();
  }
}

class Agent {
  readonly #options: AgentOptions;
  readonly #nats: NatsConnection;
  readonly #inbox: string;
  readonly #subjects: Subjects;
  readonly #daemon: FollowedDaemon;
  readonly #server: ServerConnection;
  readonly #recorder: StreamRecorder;
  readonly #joinedAt = performance.now();
  readonly #links = new Links();
  readonly #turns = new InboxTurns();
  readonly #singles: SingleRequests;
  #subscriptions: Subscription[] = [];
  #address = newToken();
  #isConnected = true;
  #leave: (reason?: T4aError) => void = () => {};
  readonly #name: HostName;
  readonly #held: HeldMessages;
  #hasLeft = false;

  constructor(options: AgentOptions, server: ServerConnection, daemon: FollowedDaemon) {
    this.#options = options;
    this.#server = server;
    this.#nats = server.nats;
    this.#inbox = server.inbox;
    this.#subjects = new Subjects(options.url.fleet);
    this.#daemon = daemon;
    this.#singles = new SingleRequests(server.nats, options.socketPath, this.#turns);
    this.#name = new HostName({
      nats: server.nats,
      subjects: this.#subjects,
      host: options.host,
      fleet: options.url.fleet,
      presence: () => this.#presence(),
      onLost: (reason) => this.#leave(reason),
    });
    this.#held = new HeldMessages({
      clock: systemClock,
      nats: server.nats,
      at: () => `${this.#inbox}.${this.#address}`,
      askName: () => this.#askName(),
      onGone: (sender) =>
        LEVELS.forEach((level) => this.#links.find(level, sender)?.abandon('the other side has gone')),
      onFull: () => this.#leave(new T4aError('connection_lost', 'The host stood still for too long.')),
    });
    this.#recorder = new StreamRecorder({
      server,
      subjects: this.#subjects,
      host: options.host,
      socketPath: options.socketPath,
      instance: () => this.#daemon.counts.instance,
      log: options.log,
    });
  }

  async serve(): Promise<void> {
    const { host, signal, onJoined } = this.#options;
    const left = new Promise<void>((resolve, reject) => {
      this.#leave = (reason) => {
        // What is still heard is for the host that has the name now.
        this.#hasLeft = true;
        if (reason === undefined) resolve();
        else reject(reason);
      };
    });
    left.catch(() => {
      // It is awaited below, once all is set up.
    });
    signal.addEventListener('abort', () => this.#leave(), { once: true });
    if (signal.aborted) this.#leave();
    this.#daemon.follow((reason) => this.#leave(reason));
    if (!(await this.#daemon.count())) throw new T4aError('connection_lost', 'The daemon of this host has ended.');
    await this.#name.check();
    this.#hearOthers();
    void this.#followConnection();
    await this.#nats.flush();
    await this.#name.claim();
    if (this.#hasLeft) return await left;
    this.#serveLinks();
    await this.#nats.flush();
    onJoined(host);
    this.#sayPresence();
    const heartbeat = setInterval(() => void this.#beat(), HEARTBEAT_MS);
    try {
      await left;
    } finally {
      clearInterval(heartbeat);
      this.#held.dispose();
      this.#recorder.stop();
      this.#endLinks('the host leaves the fleet');
      if (this.#isConnected && !this.#nats.isClosed()) {
        this.#sayPresence(true);
        await this.#nats.flush().catch(() => {
          // The server has gone, too.
        });
      }
    }
  }

  /** Listens to others that say something of the name. */
  #hearOthers(): void {
    const { host } = this.#options;
    const subjects = this.#subjects;
    this.#on(subjects.everyone, (message) => this.#answerWho(message));
    this.#on(subjects.who(host), (message) => this.#answerWho(message));
    this.#on(subjects.heartbeat(host), (message) => this.#name.hear(message));
  }

  #serveLinks(): void {
    const { host, allow } = this.#options;
    const subjects = this.#subjects;
    this.#on(subjects.host(host), ({ reply, data }) => void this.#singles.answer(reply, data), 'agents');
    // Security: nothing but that an asker has gone. What it asks comes at its level.
    this.#on(`${this.#inbox}.${this.#address}.*`, (message) => {
      const link = this.#links.at(message.subject);
      if (message.headers?.hasError === true) this.#receive(message.subject, link, message);
    });
    for (const level of LEVELS.slice(0, LEVELS.indexOf(allow) + 1)) {
      this.#on(subjects.link(host, this.#address, level), (message) => this.#carry(message, level));
    }
  }

  #on(subject: string, callback: (message: Msg) => void, queue?: string): void {
    const options = queue === undefined ? {} : { queue };
    this.#subscriptions.push(
      this.#nats.subscribe(subject, {
        ...options,
        callback: (error, message) => {
          // Security: a consumer of JetStream has the server deliver to any subject, under the subject of the stream.
          if (error === null && !message.subject.startsWith(subject.replace(/\*$/, ''))) return;
          if (error === null) return this.#takeTurn(message, callback);
          this.#leave(
            new T4aError('not_allowed', `The NATS server refuses ${quote(subject)} to this user.`, {
              hint: 't4a join URL --print-permissions',
            }),
          );
        },
      }),
    );
  }

  /** Waits for the turn of a message's inbox. A message that no inbox has sent, as a sign of life of a host, has none. */
  #takeTurn(message: Msg, act: (message: Msg) => void): void {
    const { reply, data } = message;
    const hear = (): void => this.#hear(message, act);
    this.#held.note(message);
    if (!isReplySubject(reply)) hear();
    else if (!this.#turns.take(inboxIn(reply), data.length, hear)) {
      // One of its messages is missing then.
      const level = LEVELS.find((one) => message.subject.endsWith(`.${one}`));
      if (level !== undefined) this.#links.find(level, reply)?.leave('more waits for its turn than there is room for');
    }
  }

  /** Security: while it stood still another may have taken its name, and allow less. Nothing is done before that is known. */
  #hear(message: Msg, act: (message: Msg) => void): void {
    if (this.#hasLeft) return;
    this.#held.hear(message, (heard) => (this.#hasLeft ? undefined : act(heard)));
  }

  async #askName(): Promise<void> {
    try {
      await this.#name.ask();
    } catch (error) {
      this.#leave(error as T4aError);
    }
  }

  #receive(from: string, link: NatsLink | undefined, message: Msg): void {
    link?.receive(message);
    this.#links.note(from);
  }

  #carry(message: Msg, level: Level): void {
    const { reply } = message;
    if (!isReplySubject(reply) || reply.startsWith(`${this.#inbox}.${this.#address}.`)) return;
    const known = this.#links.find(level, reply);
    if (known !== undefined) return this.#receive(known.from, known, message);
    if (!isFirst(message)) return refuse(this.#nats, reply, 'there is no such link any more');
    const refusal = this.#links.refusal(level, reply);
    if (refusal !== undefined) return refuse(this.#nats, reply, refusal);
    const from = `${this.#inbox}.${this.#address}.${newToken()}`;
    const link = new NatsLink({ nats: this.#nats, to: reply, from });
    this.#links.add(level, { to: reply, from, link });
    // An inbox that nobody hears takes no place.
    link.greet();
    void this.#connect(link, level, inboxIn(reply));
    this.#receive(from, link, message);
  }

  async #connect(link: NatsLink, level: Level, inbox: string): Promise<void> {
    let socket: Duplex;
    try {
      socket = await loweredConnection(this.#options.socketPath, level, this.#turns.nameOf(inbox));
    } catch (error) {
      return link.leave((error as Error).message);
    }
    const replies = new Replies();
    const requests = new Requests({
      refuse: (line) => {
        replies.insert(line);
        this.#links.note(link.from);
      },
      room: () => replies.room(),
      turn: () => this.#turns.next(inbox),
      onPassed: (line) => {
        const replay = this.#replayOf(line, link);
        if (replay !== undefined) replies.expect(replay);
      },
    });
    this.#links.carry(link.from, heldBy([requests, replies], socket));
    const end = (): void => {
      link.leave('the daemon closed the connection');
      socket.destroy();
    };
    if (link.destroyed) return void socket.destroy();
    link.once('close', () => {
      socket.destroy();
      replies.destroy();
    });
    pipeline(link, requests, socket, (error) => {
      if (error instanceof Error) end();
    });
    socket.pipe(replies).pipe(link);
    socket.once('close', () => {
      // What it has said before is read first.
      if (!link.writableEnded && !link.destroyed) replies.end();
    });
  }

  /** Replay of events that the daemon no longer keeps and a request wants, read from the stream, if there is one. */
  #replayOf(line: Uint8Array, link: NatsLink): LineReplay | undefined {
    const { stream } = this.#recorder;
    if (stream === undefined) return undefined;
    const { host } = this.#options;
    const place = {
      server: this.#server,
      stream,
      events: this.#subjects.eventsOf(host),
      instance: this.#daemon.counts.instance,
    };
    return replayOf(line, place, link);
  }

  #answerWho(message: Msg): void {
    const { reply } = message;
    if (isReplySubject(reply) && this.#name.answers(message))
      this.#nats.publish(reply, encodePresence(this.#options.host, this.#name.presence()));
  }

  async #beat(): Promise<void> {
    // The other would take itself for the one that has to leave.
    await this.#held.asking;
    if (this.#hasLeft) return;
    try {
      // A daemon that does not answer has no presence.
      if (!(await this.#daemon.count())) return;
    } catch (error) {
      return this.#leave(error as T4aError);
    }
    // What is published while disconnected never arrives, and fills the memory.
    if (this.#isConnected) this.#sayPresence();
  }

  #presence(): HostPresence {
    const { allow, labels } = this.#options;
    const joinedMs = Math.round(performance.now() - this.#joinedAt);
    return { address: this.#address, version: VERSION, allow, labels, ...this.#daemon.counts, joined_ms: joinedMs };
  }

  #sayPresence(leaves = false): void {
    const { host } = this.#options;
    const presence = { ...this.#presence(), ...(leaves ? ({ left: true } as const) : {}) };
    this.#nats.publish(this.#subjects.heartbeat(host), encodePresence(host, presence));
    if (!leaves) void this.#recorder.look();
  }

  async #joinAgain(): Promise<void> {
    try {
      await this.#name.check();
      this.#hearOthers();
      await this.#name.claim();
      if (!this.#hasLeft) this.#serveLinks();
    } catch (error) {
      this.#leave(error as T4aError);
    }
  }

  async #followConnection(): Promise<void> {
    for await (const status of this.#nats.status()) {
      if (status.type === 'disconnect') {
        this.#isConnected = false;
        this.#recorder.stop();
        this.#options.log('The NATS server is lost; its links have ended, and no terminal.');
        this.#endLinks('the connection to the NATS server was lost');
        this.#turns.drop();
        this.#held.drop();
        for (const subscription of this.#subscriptions.splice(0)) subscription.unsubscribe();
      } else if (status.type === 'reconnect') {
        this.#isConnected = true;
        this.#address = newToken();
        // The server has dropped it, and another may have joined meanwhile.
        await this.#joinAgain();
        if (this.#hasLeft) return;
        this.#options.log('The NATS server is there again.');
        this.#sayPresence();
      }
    }
    this.#leave(new T4aError('connection_lost', 'The connection to the NATS server was closed for good.'));
  }

  #endLinks(reason: string): void {
    this.#links.endAll((link) => (this.#isConnected ? link.leave(reason) : link.abandon(reason)));
  }
}
