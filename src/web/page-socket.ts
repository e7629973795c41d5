/** One WebSocket of a page: who it is, then its requests and their replies. It never outlives its connection to the daemon. */
import type { RawData, WebSocket } from 'ws';
import type { ReplyBudget } from '../client/reply-budget.js';
import type { Header } from '../client/reply-reader.js';
import { errorReply, type T4aError } from '../protocol/errors.js';
import { requestFields, type RequestFields } from '../protocol/request-line.js';
import { CLOSED, type Challenge, type Roster, type Welcome } from '../page/greeting.js';
import { pageWords, serverWords } from '../page/greeting.js';
import { RULES, admitRequest } from './admission.js';
import { DaemonPipe, type PipeOptions } from './daemon-pipe.js';
import type { RememberedBrowsers } from './browsers.js';
import type { Way } from './daemons.js';
import { cutGreeting, parsed } from './greeting-text.js';
import type { Films } from './films.js';
import type { Keys } from './keys.js';
import { WHOLE, type LinkScope } from './link-scope.js';
import { Narrowing, withoutParents } from './narrowing.js';
import { OpenRequests } from './open-requests.js';
import { rememberAnswer } from './remembering.js';
import { RulesPipe } from './rules-pipe.js';
import { ServedPage } from './served-page.js';
import { isEqual, proofOf, randomText } from './secrets.js';
import type { UploadPlaces } from './uploads.js';

export interface PageSocketOptions {
  readonly keys: Keys;
  /** Ways to daemons by name. */
  readonly daemons: () => ReadonlyMap<string, Way>;
  readonly isReadOnly: boolean;
  readonly allowsRaw?: boolean;
  readonly allowsRules?: boolean;
  readonly person: string;
  readonly version: string;
  /** The command line, which makes films. */
  readonly program?: string;
  /** A page has more unanswered requests than are admitted. @param way to its daemon */
  readonly onFlood: (way: Way) => void;
}

/** Parts that all sockets of a server share. */
export interface PageSurroundings {
  /** Budget of the replies of all hosts and pages. */
  readonly farReplies: ReplyBudget;
  readonly uploads: UploadPlaces;
  readonly films: Films;
  /** Handler of a page that has named a valid key, and once more of one that has proved that it has it. */
  readonly onChange: (page: PageSocket) => void;
  /** Sockets of the key end with the browser, too, from now on. */
  readonly onRemembered: (keyId: string) => void;
}

/** Name of the turns of this process: no other client knows what its pages share. */
const TURNS = randomText();

/** All links that are not the owner's own have one share together. */
const GUESTS = {};

/** Milliseconds until a socket without a key is closed. */
export const GREETING_MS = 5000;

export const PING_MS = 10_000;

/** Replies that the page has not read: the daemon waits beyond it. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;
const RESUME_CHECK_MS = 20;

export class PageSocket {
  /** Once the page has proved that it has a key. */
  isAdmitted = false;
  readonly socket: WebSocket;
  readonly #options: PageSocketOptions;
  readonly #surroundings: PageSurroundings;
  readonly #onChange: (page: PageSocket) => void;
  #keyId: string | undefined;
  #scope: LinkScope = WHOLE;
  /** Narrowing of a page of one terminal. */
  #narrowing: Narrowing | undefined;
  readonly #greeting: NodeJS.Timeout;
  #take: (message: string) => void | Promise<void>;
  #pipe: DaemonPipe | undefined;
  /** Carries the requests about rules alone, which need a higher reach. */
  #rulesPipe: RulesPipe | undefined;
  #way: Way | undefined;
  #served: ServedPage | undefined;
  #missedPongs = 0;
  /** While the page does not read what it is sent. */
  #unread: NodeJS.Timeout | undefined;
  readonly #requests: OpenRequests;
  /** Names of daemons that the page has heard of; undefined until it is welcome. */
  #named: string | undefined;

  constructor(socket: WebSocket, options: PageSocketOptions, surroundings: PageSurroundings) {
    this.socket = socket;
    this.#options = options;
    this.#surroundings = surroundings;
    this.#onChange = surroundings.onChange;
    this.#take = (message) => this.#hello(message);
    this.#requests = new OpenRequests(socket, (message) => void this.#take(message));
    this.#greeting = setTimeout(() => this.#late(), GREETING_MS);
    socket.on('message', (data, isBinary) => this.#message(data, isBinary));
    socket.on('pong', () => (this.#missedPongs = 0));
    socket.on('error', () => {
      // 'close' follows.
    });
    socket.on('close', () => {
      clearTimeout(this.#greeting);
      this.#pipe?.close();
      this.#served?.dispose();
      this.#rulesPipe?.close();
    });
  }

  /** Two without an answer: the page is gone. */
  ping(): void {
    // A page that is not read cannot answer.
    if (!this.#requests.isSlowed && ++this.#missedPongs > 2) this.socket.terminate();
    else this.socket.ping();
  }

  /** Closes the page: what it sends from now on is not looked at, whether or not it closes its side. */
  close(reason: keyof typeof CLOSED, text: string = reason): void {
    this.#take = () => {};
    this.#requests.drop();
    this.#pipe?.close();
    this.#rulesPipe?.close();
    this.socket.close(CLOSED[reason], cutGreeting(text));
    // Paused, it would not read that the other side closes, too.
    if (this.#requests.isSlowed) this.socket.resume();
  }

  /** A stranger, or a page on a slow way: its key may be as good as ever. */
  #late(): void {
    this.close('late', `Its first words took more than ${GREETING_MS / 1000} s.`);
  }

  revoke(): void {
    this.close('revoked', 'Its key was revoked.');
  }

  /** Closes it if its key is over. @returns whether it goes on */
  checkKey(): boolean {
    const { keys } = this.#options;
    if (this.#keyId === undefined || keys.key(this.#keyId) !== undefined) return true;
    if (keys.isRevoked(this.#keyId)) this.revoke();
    else this.close('unauthorized', 'Its key is over.');
    return false;
  }

  /** Whether it has come by a link that is not the owner's own. */
  get isGuest(): boolean {
    return this.#scope !== WHOLE;
  }

  get keyId(): string | undefined {
    return this.#keyId;
  }

  /** Replies that its browser has not taken yet. */
  get unreadBytes(): number {
    return this.socket.bufferedAmount;
  }

  /** The daemons that there are now. Sent if the page has heard of others. */
  name(names: readonly string[]): void {
    const { terminal } = this.#scope;
    const daemons = terminal === undefined ? names : names.filter((name) => name === terminal.daemon);
    const known = JSON.stringify(daemons);
    if (this.#named === undefined || this.#named === known || !this.checkKey()) return;
    this.#named = known;
    const roster: Roster = { daemons };
    this.#send(roster);
  }

  #message(data: RawData, isBinary: boolean): void {
    if (isBinary) return this.close('refused', 'Messages are text.');
    this.#requests.push((data as Buffer).toString('utf8'));
  }

  #hello(message: string): void {
    const hello = parsed(message);
    const { keys } = this.#options;
    if (typeof hello?.code === 'string') {
      const grant = keys.trade(hello.code);
      if (grant === undefined) return this.close('unauthorized');
      this.#send(grant);
      this.socket.close(1000);
      return;
    }
    const keyId = typeof hello?.key_id === 'string' ? hello.key_id : '';
    const key = keys.key(keyId);
    if (keys.isRevoked(keyId)) return this.revoke();
    if (key === undefined || typeof hello?.nonce !== 'string') return this.close('unauthorized');
    this.#keyId = keyId;
    this.#scope = keys.scope(keyId) ?? WHOLE;
    const { terminal } = this.#scope;
    this.#narrowing = terminal === undefined ? undefined : new Narrowing(terminal.id);
    const challenge: Challenge = { proof: proofOf(key, serverWords(hello.nonce)), nonce: randomText() };
    this.#take = (answer) => this.#admit(answer, proofOf(key, pageWords(challenge.nonce)));
    this.#send(challenge);
    this.#onChange(this);
  }

  async #admit(message: string, expected: string): Promise<void> {
    const answer = parsed(message);
    if (typeof answer?.proof !== 'string' || !isEqual(answer.proof, expected)) return this.close('unauthorized');
    if (!this.checkKey()) return;
    this.isAdmitted = true;
    clearTimeout(this.#greeting);
    // Until the daemon answers there is nobody to pass requests on to.
    this.#take = () => this.close('refused', 'The socket is not ready.');
    this.#onChange(this);
    if (!this.#isOpen) return;
    const daemons = this.#shownDaemons();
    const wanted = answer.daemon === undefined ? [...daemons.keys()] : [answer.daemon];
    const daemon = await this.#open(wanted, daemons);
    if (daemon === undefined || this.#pipe === undefined) return;
    if (!this.#isOpen || !this.checkKey()) return this.#pipe.close();
    this.#take = (request) => this.#request(request);
    this.#pipe.deliver({
      reply: (header, bytes) => this.#reply(this.#narrowing === undefined ? header : withoutParents(header), bytes),
      closed: (reason) => this.close('daemonGone', reason),
    });
    const { person, version } = this.#options;
    const names = [...daemons.keys()];
    this.#named = JSON.stringify(names);
    const welcome: Welcome = {
      ready: true,
      daemon,
      daemons: names,
      read_only: this.#isReadOnly,
      person,
      version,
      ...(this.#scope.terminal === undefined ? {} : { one: true }),
      ...(this.#browsers !== undefined ? { remembers: true } : {}),
      ...(this.#allowsRules ? { rules: true } : {}),
    };
    this.#send(welcome);
  }

  /** The first that answers: a page that names none begins with it, and shows the others as down. @returns its name */
  async #open(names: readonly unknown[], daemons: ReadonlyMap<string, Way>): Promise<string | undefined> {
    let why = 'There is no such daemon.';
    for (const name of names) {
      const way = typeof name === 'string' ? daemons.get(name) : undefined;
      if (way === undefined || !this.#isOpen) continue;
      try {
        const reach = this.#isReadOnly ? 'read' : 'create';
        const pipe = await DaemonPipe.open(way, reach, { ...this.#pipeOptions, turns: this.#turns });
        this.#pipe = pipe;
        this.#way = way;
        const { terminal } = this.#scope;
        if (terminal !== undefined && (await pipe.createdAt(terminal.id)) !== terminal.createdAt) {
          this.#endKey();
          return undefined;
        }
        return name as string;
      } catch (error) {
        why = error instanceof Error ? error.message : 'unknown';
      }
    }
    this.close('daemonGone', why);
    return undefined;
  }

  get #pipeOptions(): PipeOptions {
    const { keys } = this.#options;
    const rights = this.#keyId === undefined ? [] : keys.rights(this.#keyId);
    return { budget: this.#surroundings.farReplies, rights };
  }

  /** Called before the browser is given its key: requests under way end with that, too. */
  lastsWhileRemembered(): void {
    const { rights = [] } = this.#pipeOptions;
    if (!this.#isReadOnly) void this.#pipe?.lastsWhile(rights);
  }

  /** All pages of a guest's link take turns as one: the owner's page is served beside any number of them. */
  get #turns(): string | undefined {
    return this.isGuest ? `${TURNS}-${this.#keyId ?? ''}` : undefined;
  }

  get #isReadOnly(): boolean {
    return this.#options.isReadOnly || this.#scope.isReadOnly;
  }

  #shownDaemons(): ReadonlyMap<string, Way> {
    const daemons = this.#options.daemons();
    const { terminal } = this.#scope;
    return terminal === undefined ? daemons : new Map([...daemons].filter(([name]) => name === terminal.daemon));
  }

  /** The terminal of its link is no more. */
  #endKey(): void {
    if (this.#keyId !== undefined) this.#options.keys.end(this.#keyId);
    this.close('unauthorized', 'The terminal of its link was removed.');
  }

  get #isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  #request(message: string): void {
    if (!this.checkKey()) return;
    const own = this.#keyId === undefined ? undefined : this.#options.keys.ofBrowser(this.#keyId);
    const remembered = rememberAnswer(message, this.#browsers, this.#isReadOnly, own);
    if (remembered?.ok === true && this.#keyId !== undefined) {
      this.#options.keys.remember(this.#keyId, remembered.key_id);
      this.#surroundings.onRemembered(this.#keyId);
    }
    if (remembered !== undefined) return this.#send(remembered);
    const { allowsRaw = false } = this.#options;
    const admitted = admitRequest(message, { allowsRaw, allowsRules: this.#allowsRules });
    const pipe = this.#pipe;
    if (admitted === undefined || pipe === undefined) return this.close('refused', 'Not a request.');
    const { cmd, req } = admitted.request;
    if (admitted.refusal !== undefined) return this.#refuse(admitted.refusal, req);
    const line = this.#narrowed(message, cmd, req);
    if (line === undefined) return;
    if (!this.#requests.begin(admitted.request)) return this.close('refused', 'Too many watches.');
    if (cmd === RULES) return this.#askRules(line, req);
    if (this.#serves(message, req)) return;
    const isTaken = pipe.send(line);
    const isFlood = this.#requests.areTooMany;
    if (isTaken && !isFlood) return;
    if (isFlood && this.#way !== undefined) this.#options.onFlood(this.#way);
    this.#requests.slow();
    if (!isTaken) pipe.drained(() => this.#requests.quicken());
  }

  /** A page that only looks changes no rules either, whatever its server allows. */
  get #allowsRules(): boolean {
    return this.#options.allowsRules === true && !this.#isReadOnly;
  }

  /** Undefined if none is remembered, or not for a link like that of this page. */
  get #browsers(): RememberedBrowsers | undefined {
    return this.#scope === WHOLE ? this.#options.keys.browsers : undefined;
  }

  /** @returns the line for the daemon; undefined if the page has its answer */
  #narrowed(message: string, cmd: string, req: string | number | undefined): string | undefined {
    // A line of its own: what the page sent may have line breaks.
    if (this.#narrowing === undefined) return message.replaceAll(/[\r\n]+/g, ' ');
    // Admission has read it.
    const one = this.#narrowing.take({ ...(requestFields(message) as RequestFields), cmd });
    if (one === undefined) this.close('refused', 'Events come first.');
    else if ('refusal' in one) this.#refuse(one.refusal, req);
    else if ('answer' in one) this.#send({ ok: true, ...one.answer, ...(req === undefined ? {} : { req }) });
    else return JSON.stringify(one.request);
    return undefined;
  }

  /** @returns whether it is a request to `t4a web` itself */
  #serves(message: string, req: string | number | undefined): boolean {
    const way = this.#way;
    if (way === undefined || this.#narrowing !== undefined) return false;
    const { uploads, films } = this.#surroundings;
    this.#served ??= new ServedPage(
      {
        way,
        isReadOnly: this.#isReadOnly,
        pipe: this.#pipeOptions,
        uploads,
        films,
        owner: this.isGuest ? [this.keyId ?? '', GUESTS] : this.keyId,
      },
      (header, bytes) => this.#isOpen && this.#reply(header, bytes),
    );
    if (!this.#served.take(message, req)) return false;
    if (this.#requests.areTooMany) this.#requests.slow();
    return true;
  }

  #askRules(line: string, req: string | number | undefined): void {
    const way = this.#way;
    if (way === undefined) return;
    if (this.#rulesPipe === undefined || this.#rulesPipe.isOver) {
      this.#rulesPipe = new RulesPipe(way, this.#pipeOptions, (header, bytes) => this.#reply(header, bytes));
    }
    this.#rulesPipe.send(line, req);
    if (this.#requests.areTooMany) this.#requests.slow();
  }

  #reply(header: Header, bytes: Uint8Array | undefined): void {
    if (this.#scope.terminal !== undefined && header['event'] === 'removed') return this.#endKey();
    // Security: what a key has asked for before its end it does not hear of after it.
    if (!this.checkKey()) return;
    if (!('event' in header)) this.#requests.answered(header.req);
    this.#send(header, bytes);
  }

  /** Nothing more is read of it, nor for it: what is refused is answered, too. */
  #waitForPage(): void {
    this.#pipe?.pause();
    this.#requests.slow();
    this.#unread ??= setInterval(() => {
      const isOpen = this.#isOpen;
      if (isOpen && this.unreadBytes > MAX_UNREAD_BYTES / 2) return;
      clearInterval(this.#unread);
      this.#unread = undefined;
      if (!isOpen) return;
      this.#pipe?.resume();
      if (!this.#requests.areTooMany) this.#requests.quicken();
    }, RESUME_CHECK_MS);
  }

  #refuse(error: T4aError, req: string | number | undefined): void {
    this.#send({ ...errorReply(error), ...(req === undefined ? {} : { req }) });
  }

  #send(message: object, bytes?: Uint8Array): void {
    this.socket.send(JSON.stringify(message));
    if (bytes !== undefined) this.socket.send(bytes);
    if (this.unreadBytes > MAX_UNREAD_BYTES) this.#waitForPage();
  }
}
