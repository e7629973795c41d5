/** One draw against a daemon: what t4a says of a command, beside what is so. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { T4aError, type CallResult, type Client } from '../../src/client/index.js';
import { SHELLS } from '../shells/setups.js';
import { FairTime } from '../support/fair-time.js';
import type { Draw } from './drawn.js';
import { fromLineDrawing, inLineDrawing } from './leftovers.js';
import { FIRST_OF_PEOPLE } from './people.js';
import type { Surroundings } from './surroundings.js';
import { COLS, linesInPipe, ROWS, type Tmux, withoutBlankEnds } from './truths.js';

/** For what hangs: the machine may be busy. */
const LIMIT_MS = 25_000;
const START_MS = 60_000;
const MAX_LINES = 5000;
const DONE = { until: { done: true }, timeout_ms: LIMIT_MS } as const;
const REFUSALS: readonly string[] = ['shell_busy', 'no_shell_prompt'];
/** What a shell says of a program that a signal has ended, in its own words. */
const OF_SIGNALS =
  /^fish: Process |killed|terminated|hang-?up|quit|signal|interrupt|USR1|core dumped|^zsh: done |^ +\d+ done {2,}/i;
/** Lines that come from a setting: of a trace, and of a hook before the command. */
const OF_TRACES = /^(\+|-- starts --|-*> )/;
/** fish traces the end of a block, and what it prints of a job that a signal has ended. */
const OF_FISH = /^-+>$|^-*> /;
const OF_FISH_BEHIND = /> end if$/;
const OF_JOBS = /\[1\][ +]+Done\b.*$/;
/** Both parts of a pipe write their trace at once, in pieces: `+ + cat` and the rest in the next row. What they print follows. */
const OF_PIPE_TRACES = /^(?=.*\S)(?:\+|cat|sh|\/tmp\/\S+\/c\.sh| )+$/;
const TELL_JOBS: readonly string[] = ['bash', 'dash', 'ash', 'mksh', 'ksh93', 'sh'];
/** The answer to a query among its own output, shown by the kernel. */
const OF_ANSWERS = /\^\[\[\d+;\d+R/g;

export interface Verdict {
  /** What was wrong, one sentence each. */
  readonly wrong: readonly string[];
  /**
   * A line was refused, and the way out led to a prompt. `client`: a client's text or keys stood there, which the line may not take
   * away. `needless`: nothing stood in its way by the draw.
   */
  readonly refusal: 'client' | 'needed' | 'needless' | undefined;
  /** t4a has said that it does not know where the output begins. */
  readonly wasUnknown: boolean;
}

interface Lines {
  readonly lines: readonly string[];
  /** Null if unknown. */
  readonly lost: number | null;
}

export class Examination {
  readonly #draw: Draw;
  readonly #client: Client;
  readonly #other: Client;
  readonly #tmux: Tmux;
  readonly #around: Surroundings;
  readonly #home = mkdtempSync('/tmp/t4a-verdict-');
  readonly #wrong: string[] = [];
  #id = '';
  #pid = 0;
  #attached = '';
  #late: readonly string[] = [];
  /** Without echo: the lines if the first of them begins behind the prompt. */
  #behindPrompt: readonly string[] = [];
  #refusal: Verdict['refusal'];
  #wasUnknown = false;

  constructor(draw: Draw, client: Client, other: Client, tmux: Tmux, around: Surroundings = {}) {
    this.#draw = draw;
    this.#client = client;
    this.#other = other;
    this.#tmux = tmux;
    this.#around = around;
  }

  async verdict(): Promise<Verdict> {
    try {
      await this.#examine();
    } catch (error) {
      this.#wrong.push(error instanceof T4aError ? `${error.code}: ${error.message}` : (error as Error).message);
    } finally {
      for (const id of [this.#attached, this.#id])
        if (id !== '') await this.#client.call('kill', { id }).catch(() => {});
      rmSync(this.#home, { recursive: true, force: true, maxRetries: 5 });
    }
    return { wrong: this.#wrong, refusal: this.#refusal, wasUnknown: this.#wasUnknown };
  }

  async #examine(): Promise<void> {
    const script = this.#writeScript('c.sh', '');
    const expected = await this.#truth(script);
    if (this.#draw.way === 'run') {
      await this.#runAlone(script, expected);
      return;
    }
    await this.#startShell();
    for (const [at, leftover] of this.#draw.leftovers.entries()) await this.#leave(leftover, at);
    await this.#keepOwnOutput();
    await this.#expectBehindPrompt();
    const line = this.#draw.form.line(`sh ${script}`, this.#around.sshConfig ?? '');
    const said = this.#draw.way === 'type' ? await this.#type(line) : await this.#run(line);
    if (said === undefined) return;
    await this.#judgeShell(line, said, expected);
  }

  // What is judged.

  async #runAlone(script: string, expected: readonly string[]): Promise<void> {
    const { program } = this.#draw;
    const meanwhile = this.#startMeanwhile();
    const run = await this.#client.call('run', {
      cmd_args: ['sh', script],
      cwd: this.#home,
      cols: this.#draw.cols,
      rows: ROWS,
      timeout_ms: LIMIT_MS,
      max_lines: MAX_LINES,
      ...(this.#draw.meanwhile === 'a resize' ? { keep: true } : {}),
    });
    this.#id = run.id;
    await meanwhile;
    if (program.question !== undefined) {
      this.#same('outcome', run.outcome, 'awaiting_input');
      if (run.outcome !== 'awaiting_input') return;
      this.#judgeQuestion(run.awaiting_input?.kind);
      const { wait } = await this.#client.call('send', {
        id: run.id,
        input: program.question.answer,
        wait: { until: { exit: true }, timeout_ms: LIMIT_MS },
      });
      this.#same('the answered program', wait?.outcome, 'matched');
      return;
    }
    this.#same('outcome', run.outcome, 'exited');
    const signal = program.status > 128 && program.kind.includes('ended by');
    if (signal) this.#same('signal', run.signal === null, false);
    else this.#same('exit_code', run.exit_code, program.status);
    this.#judgeLines('lines', { lines: run.lines, lost: run.lost_lines }, expected);
  }

  async #judgeShell(line: string, said: Said, expected: readonly string[]): Promise<void> {
    const { program, form, settings } = this.#draw;
    // busybox has its children ignore SIGQUIT.
    const isIgnored = this.#draw.shell === 'ash' && program.kind.includes('SIGQUIT');
    const isKsh = this.#draw.shell === 'ksh93' && program.kind.includes('ended by');
    // 128 and the number of the signal; in ksh93 256 and the number.
    const ended = isKsh ? program.status + 128 : program.status;
    const status = form.status ?? (isIgnored ? 0 : ended);
    const ends = status !== 0 && settings.some(({ endsOnError }) => endsOnError === true);
    if (program.question !== undefined) {
      this.#same('outcome', said.outcome, 'awaiting_input');
      if (said.outcome !== 'awaiting_input') return;
      this.#judgeQuestion(said.kind);
      const { wait } = await this.#client.call('send', {
        id: this.#id,
        input: program.question.answer,
        wait: ends ? { until: { exit: true }, timeout_ms: LIMIT_MS } : DONE,
      });
      this.#same('the answered program', wait?.outcome, 'matched');
      if (!ends) this.#same('its code', wait?.code, status);
    } else {
      // mksh goes on after what a signal has ended, busybox after what SIGINT has.
      const signals = { mksh: 'ended by', ash: 'ended by SIGINT' } as Partial<Record<Draw['shell'], string>>;
      const goesOn = program.kind.includes(signals[this.#draw.shell] ?? 'never') && said.outcome === 'done';
      this.#same('outcome', said.outcome, ends && !goesOn ? 'exited' : 'done');
      this.#same('code', said.code, status);
      if (said.lines !== undefined) this.#judgeLines('lines', said.lines, expected);
    }
    if (ends) return;
    const { commands } = await this.#client.call('commands', { id: this.#id, last: 1 });
    const record = commands.at(-1);
    this.#same('commands: running', record?.running, false);
    this.#same('commands: code', record?.code, status);
    const isOneLine = !line.includes('\n');
    // All lines of it, or none.
    if (
      !isOneLine &&
      !settings.some(({ traces }) => traces === true) &&
      record?.command !== null &&
      this.#draw.number >= FIRST_OF_PEOPLE
    )
      this.#same('commands: command', record?.command?.trim(), line.trim());
    if (isOneLine && record?.command !== null) this.#same('commands: command', record?.command?.trim(), line.trim());
    if (program.question === undefined) {
      const text = await this.#client
        .call('text', { id: this.#id, command: -1, join_wrapped: true, trim: true })
        .catch((error: unknown) => {
          if (!(error instanceof T4aError) || !error.message.includes('is unknown')) throw error;
          this.#wasUnknown = true;
        });
      if (text) this.#judgeLines('text --command', { lines: text.lines, lost: text.lost_lines ?? 0 }, expected);
    }
    await this.#judgeNext();
  }

  /** What came before stands in nobody's way. */
  async #judgeNext(): Promise<void> {
    const said = await this.#run('echo next');
    if (said === undefined) return;
    this.#same('the next run', said.outcome, 'done');
    this.#same('code of the next run', said.code, 0);
    if (said.lines !== undefined) this.#judgeLines('lines of the next run', said.lines, ['next']);
  }

  #judgeQuestion(kind: string | undefined): void {
    const { program, settings, form } = this.#draw;
    const expected = program.question?.kind;
    // Some shells hand on what the user has set, and some turn echo on for each program.
    const mayBeHidden = expected === 'line' && settings.some(({ name }) => name === 'echo off');
    // An event loop that prints into a pipe reads lines.
    const mayBeLine = expected === 'raw' && form.status !== undefined;
    // What is read on the far side of ssh is read here by keys.
    const isRight = kind === expected || (mayBeHidden && kind === 'password') || (mayBeLine && kind === 'line');
    if (!isRight) this.#same('kind of the question', kind, expected);
  }

  #judgeLines(what: string, found: Lines, expected: readonly string[]): void {
    const { program, leftovers, settings, meanwhile } = this.#draw;
    let lines = found.lines.map((line) => line.trimEnd());
    if (program.printsOwnOutput === true) lines = lines.map((line) => line.replaceAll(OF_ANSWERS, ''));
    if (what === 'text --command') lines = withoutBlankEnds(lines);
    // Printed by the job itself, and by the shell, which says that it is done before it marks the end.
    if (leftovers.some(({ isJob }) => isJob === true))
      lines = lines.flatMap((line) => {
        // It stands behind a line that the program has not ended, too.
        const left = TELL_JOBS.includes(this.#draw.shell) ? line.replace(OF_JOBS, '') : line;
        return line === 'late' || (left === '' && line !== '') ? [] : [left];
      });
    const isTracing = settings.some(({ traces, name }) => traces === true || name === 'a preexec that prints');
    const isTraced = (): boolean => !OF_TRACES.test(expected[0] ?? '') || lines.length > expected.length;
    const isPipe = this.#draw.form.name === 'before a pipe';
    const isTrace = (line = ''): boolean => OF_TRACES.test(line) || (isPipe && OF_PIPE_TRACES.test(line));
    while (isTracing && isTrace(lines[0]) && isTraced()) lines = lines.slice(1);
    if (isTracing && this.#draw.shell === 'fish' && expected.every((line) => !OF_FISH.test(line)))
      lines = lines.filter((line) => !OF_FISH.test(line)).map((line) => line.replace(OF_FISH_BEHIND, ''));
    // The shell says it before, within or after what the rest of a pipe prints.
    let surplus = lines.length - (what === 'text --command' ? withoutBlankEnds(expected) : expected).length;
    const quitsInMksh = this.#draw.shell === 'mksh' && program.kind.includes('SIGQUIT');
    // zsh has a line for each part of a pipe.
    for (; program.kind.includes('ended by') && surplus > 0; surplus--) {
      const at = lines.findLastIndex((line) => OF_SIGNALS.test(line) || OF_SIGNALS.test(fromLineDrawing(line)));
      if (at < 0) break;
      // mksh prints an empty line of its own behind its word for SIGQUIT.
      const isDouble = quitsInMksh && surplus > 1 && lines[at + 1] === '';
      lines = lines.toSpliced(at, isDouble ? 2 : 1);
      if (isDouble) surplus--;
    }
    // Behind a line that the program has not ended.
    const lastLine = lines.at(-1) ?? '';
    const lastTruth = expected.at(-1) ?? '';
    if (program.kind.includes('ended by') && lastLine.startsWith(lastTruth)) {
      if (OF_SIGNALS.test(lastLine.slice(lastTruth.length))) lines = [...lines.slice(0, -1), lastTruth];
    }
    if (leftovers.some(({ isLate }) => isLate === true)) return this.#judgeLate(what, lines, expected);
    let truth = expected;
    const isLineDrawing = leftovers.some((each) => each.isLineDrawing === true);
    // An editor of lines, or a reset, may have chosen the letters again.
    if (isLineDrawing && !lines.every((line) => truth.includes(line))) truth = truth.map(inLineDrawing);
    const isTmux = program.truth === 'tmux' || leftovers.some(({ cuts }) => cuts === true);
    if (isTmux || what === 'text --command') [lines, truth] = [withoutBlankEnds(lines), withoutBlankEnds(truth)];
    if (program.truth === 'last' && what !== 'lines of the next run') {
      if (program.kind.includes('ended by')) lines = lines.filter((line) => !OF_SIGNALS.test(line));
      [lines, truth] = [lines.filter((line) => line !== '').slice(-1), truth.slice(-1)];
    }
    const mayLose =
      meanwhile === 'a resize' ||
      leftovers.some(({ dropsRows }) => dropsRows === true) ||
      settings.some(({ clears }) => clears === true);
    const isTail = found.lost !== 0 && mayLose;
    const right = isTail ? truth.slice(Math.max(0, truth.length - lines.length)) : truth;
    if (JSON.stringify(lines) === JSON.stringify(right)) return;
    // Rows above a region stay while those in it go: the number is exact, and what is left is in its order.
    const own = program.kind.includes('ended by') ? lines.filter((line) => !OF_SIGNALS.test(line)) : lines;
    if (mayLose && found.lost === truth.length - own.length && isPartOf(own, truth)) return;
    // Without echo the first line begins behind the prompt, of which a program that goes back in its row may leave a rest.
    const isBehindPrompt = settings.some(({ name }) => name === 'echo off') && what !== 'lines of the next run';
    const [first = '', ...others] = lines;
    const [firstTruth = '', ...otherTruths] = right;
    if (isBehindPrompt && first.startsWith(firstTruth) && JSON.stringify(others) === JSON.stringify(otherTruths))
      return;
    if (isBehindPrompt && JSON.stringify(lines) === JSON.stringify(this.#behindPrompt)) return;
    // What clears after the command leaves the lines above the screen.
    const isHead = found.lost !== 0 && settings.some(({ clears }) => clears === true);
    if (isHead && JSON.stringify(lines) === JSON.stringify(truth.slice(0, lines.length))) return;
    this.#wrong.push(
      `${what}${found.lost === 0 ? '' : ` (lost ${found.lost})`}: ${short(lines)} instead of ${short(right)}`,
    );
  }

  /** What is handed on may still be on its way, or be that of the command before: no word of the shell is among it. */
  #judgeLate(what: string, lines: readonly string[], expected: readonly string[]): void {
    const all = [...this.#late, ...expected, ''];
    this.#late = all;
    // The word of the shell itself comes at once, also while the output that it follows is still to come.
    const isOfShell = (line: string): boolean => this.#draw.program.kind.includes('ended by') && OF_SIGNALS.test(line);
    const others = lines.filter((line) => !all.includes(line) && !isOfShell(line));
    if (others.length > 0) this.#wrong.push(`${what}: ${short(others)} is none of ${short(all)}`);
  }

  #same(what: string, found: unknown, expected: unknown): void {
    if (found !== expected)
      this.#wrong.push(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`);
  }

  // How it comes about.

  async #startShell(): Promise<void> {
    const { shell: name, settings } = this.#draw;
    const shell = SHELLS[name];
    const rcFile = path.join(this.#home, shell.rcFile);
    mkdirSync(path.dirname(rcFile), { recursive: true });
    mkdirSync(path.join(this.#home, '.local/share/fish/generated_completions'), { recursive: true });
    writeFileSync(rcFile, settings.map(({ rc }) => `${rc[name]}\n`).join(''));
    const program = shell.program === name ? name : path.join(this.#home, name);
    if (program !== name) symlinkSync(`/usr/bin/${shell.program}`, program);
    const { id, pid, wait } = await this.#client.call('create', {
      cmd_args: [program],
      cwd: this.#home,
      cols: this.#draw.cols,
      rows: ROWS,
      env: {
        HOME: this.#home,
        XDG_CONFIG_HOME: path.join(this.#home, '.config'),
        XDG_DATA_HOME: path.join(this.#home, '.local/share'),
        XDG_CACHE_HOME: path.join(this.#home, '.cache'),
        ...(shell.rcFile === '.shrc' ? { ENV: rcFile } : {}),
      },
      wait: { until: { done: true }, timeout_ms: START_MS },
    });
    this.#id = id;
    this.#pid = pid;
    this.#same('the first prompt', wait?.outcome, 'matched');
  }

  async #leave({ printed, typed, line }: Draw['leftovers'][number], at: number): Promise<void> {
    const id = this.#id;
    const isLine = line !== undefined || printed !== undefined;
    if (isLine) await this.#leaveLine(line ?? '', printed, at);
    if (typed === undefined) return;
    await this.#client.call('wait', { id, until: { awaiting_input: true }, timeout_ms: LIMIT_MS });
    await this.#client.call('send', { id, input: typed });
  }

  async #leaveLine(line: string, printed: string | undefined, at: number): Promise<void> {
    const id = this.#id;
    let input = line;
    if (printed !== undefined) {
      const bytes = path.join(this.#home, `left-${at}`);
      writeFileSync(bytes, printed);
      writeFileSync(`${bytes}.sh`, `cat ${bytes}\nkill -9 $$\n`);
      input = `bash ${bytes}.sh`;
    }
    const { wait } = await this.#client.call('send', {
      id,
      input: `${input}${line === '' ? ' || true' : ''}\r`,
      wait: DONE,
    });
    this.#same(`what comes before (${input})`, wait?.outcome, 'matched');
  }

  async #run(command: string): Promise<Said | undefined> {
    const meanwhile = this.#startMeanwhile();
    const call = (): Promise<CallResult<'run'>> =>
      this.#client.call('run', { id: this.#id, command, timeout_ms: LIMIT_MS, max_lines: MAX_LINES });
    const { daemonPid = process.pid } = this.#around;
    const asked = new FairTime([process.pid, daemonPid, this.#pid]);
    const run = await call().catch(async (error: unknown) => {
      const needsIt = this.#draw.leftovers.some((each) => each.mayRefuse === true);
      const mayRefuse = needsIt || this.#draw.number >= FIRST_OF_PEOPLE;
      if (!(error instanceof T4aError) || !REFUSALS.includes(error.code) || !mayRefuse || this.#refusal !== undefined)
        throw error;
      const isOfClient = this.#draw.leftovers.some((each) => each.isOfClient === true);
      this.#refusal = isOfClient ? 'client' : needsIt ? 'needed' : 'needless';
      this.#judgeRefusal(error, asked.ms);
      await this.#goWayOut(error.details['hint'] ?? '');
      return call();
    });
    await meanwhile;
    return {
      outcome: run.outcome,
      code: run.exit_code,
      lines: { lines: run.lines, lost: run.lost_lines },
      kind: run.awaiting_input?.kind,
    };
  }

  /** It comes at once, and names its cause. */
  #judgeRefusal(error: T4aError, tookMs: number): void {
    if (this.#around.refusalMs !== undefined && tookMs > this.#around.refusalMs)
      this.#wrong.push(`refused after ${Math.round(tookMs)} ms: ${error.message}`);
    if (!/ (?:has|may|waits|runs|asks|since) /.test(error.message))
      this.#wrong.push(`refused without a cause: ${error.message}`);
  }

  /** The first command of the hint that does something, as a reader would send it. */
  async #goWayOut(hint: string): Promise<void> {
    const id = this.#id;
    const keys = / press \S+ ([A-Z]\S*(?: [A-Z]\S*)*)/.exec(hint)?.[1]?.split(' ');
    const text = / type \S+ '([^']+)' --submit/.exec(hint)?.[1];
    if (keys !== undefined) await this.#client.call('press', { id, keys, wait: DONE });
    else if (text !== undefined) await this.#client.call('type', { id, text, submit: true, wait: DONE });
    else this.#wrong.push(`refused without a way out: ${hint}`);
    await this.#client.call('wait', { id, until: { awaiting_input: true }, timeout_ms: LIMIT_MS });
  }

  async #type(text: string): Promise<Said | undefined> {
    const meanwhile = this.#startMeanwhile();
    const asks = this.#draw.program.question !== undefined;
    const { wait } = await this.#client.call('type', {
      id: this.#id,
      text,
      submit: true,
      wait: {
        until: [{ done: true }, { exit: true }, ...(asks ? [{ awaiting_input: true as const }] : [])],
        timeout_ms: LIMIT_MS,
      },
    });
    await meanwhile;
    if (wait === undefined || wait.outcome !== 'matched') return { outcome: `wait: ${wait?.outcome}`, code: null };
    const outcome = (['done', 'exited', 'awaiting_input'] as const)[wait.index ?? 0] ?? 'done';
    if (outcome !== 'exited') return { outcome, code: wait.code ?? null, kind: wait.awaiting_input?.kind };
    const status = await this.#client.call('status', { id: this.#id });
    return { outcome, code: status.exit_code };
  }

  /** Awaited once the command has come back, unless that fails first and takes the terminal along. */
  #startMeanwhile(): Promise<void> {
    const meanwhile = this.#meanwhile();
    meanwhile.catch(() => {});
    return meanwhile;
  }

  async #meanwhile(): Promise<void> {
    const id = this.#id;
    const { meanwhile } = this.#draw;
    if (meanwhile === 'nothing' || id === '') return;
    if (meanwhile === 'a clock that jumps') return this.#around.jump?.();
    if (meanwhile === 'an attach') return this.#attach(id);
    if (meanwhile === 'other readers') {
      for (let turn = 0; turn < 5; turn++) await this.#other.call('text', { id, region: 'all' });
      return;
    }
    for (const [cols, rows] of [
      [60, 30],
      [100, 12],
      [COLS, ROWS],
    ] as const) {
      await this.#other.call('resize', { id, cols, rows });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** In a terminal of its own, from which nothing is typed. */
  async #attach(id: string): Promise<void> {
    const attach = await this.#other.call('create', {
      cmd_args: [...(this.#around.attach ?? []), id],
      cols: COLS,
      rows: ROWS,
      wait: { until: { event: 'settled' }, timeout_ms: LIMIT_MS },
    });
    await this.#other.call('text', { id, region: 'all' });
    this.#attached = attach.id;
  }

  async #expectBehindPrompt(): Promise<void> {
    const { program, settings, leftovers } = this.#draw;
    const cutting = leftovers.filter(({ cuts }) => cuts === true);
    if (program.truth !== 'tmux' && cutting.length === 0) return;
    if (!settings.some(({ name }) => name === 'echo off')) return;
    const { lines, cursor } = await this.#client.call('text', { id: this.#id, trim: false });
    const prompt = (lines[cursor.row] ?? '').slice(0, cursor.col);
    const left = cutting.map(({ printed }) => printed ?? '').join('');
    const behind = withoutBlankEnds(await this.#tmux.lines(this.#writeScript('behind.sh', `${left}${prompt}`)));
    // A line that is cut at the edge has less room by the prompt, which is none of it.
    const isWhole = cutting.length > 0 && behind[0]?.startsWith(prompt) === true;
    this.#behindPrompt = isWhole ? behind.with(0, (behind[0] ?? '').slice(prompt.length)) : behind;
  }

  async #keepOwnOutput(): Promise<void> {
    if (this.#draw.program.printsOwnOutput !== true) return;
    const { bytes } = await this.#client.call('output', { id: this.#id });
    if (bytes === undefined || bytes.length === 0)
      throw new Error('The shell has printed nothing that could be printed again.');
    writeFileSync(path.join(this.#home, 'own'), Buffer.concat([bytes, Buffer.from('\r\n')]));
  }

  async #truth(script: string): Promise<readonly string[]> {
    const { program, leftovers } = this.#draw;
    if (program.question !== undefined) return ['after'];
    if (program.lines !== undefined) return program.lines;
    const isShaped = program.truth === 'tmux' && leftovers.some(({ shapes }) => shapes === true);
    if (isShaped || leftovers.some(({ cuts }) => cuts === true)) {
      const shaping = leftovers.filter(({ cuts, shapes }) => cuts === true || shapes === true);
      const printed = shaping.map((each) => each.printed ?? '').join('');
      return withoutBlankEnds(await this.#tmux.lines(this.#writeScript('truth.sh', printed)));
    }
    if (program.truth === 'tmux') return withoutBlankEnds(await this.#tmux.lines(script));
    return linesInPipe(script);
  }

  #writeScript(name: string, prefix: string): string {
    const { pieces, extra, status, kind, printsOwnOutput } = this.#draw.program;
    const own = printsOwnOutput === true ? `[ ! -e ${this.#home}/own ] || cat ${this.#home}/own\n` : '';
    const steps = [prefix, ...pieces]
      .filter((piece) => piece !== '')
      .map((piece, at) => {
        const file = path.join(this.#home, `${name}.${at}`);
        writeFileSync(file, piece);
        return `cat ${file}`;
      });
    const end = kind.includes('ended by') ? '' : `exit ${status}\n`;
    const file = path.join(this.#home, name);
    writeFileSync(file, `${own}${steps.join('\nsleep 0.05\n')}\n${extra ?? ''}\n${end}`);
    chmodSync(file, 0o700);
    return file;
  }
}

interface Said {
  readonly outcome: string;
  readonly code: number | null;
  readonly lines?: Lines;
  readonly kind?: string | undefined;
}

function isPartOf(lines: readonly string[], all: readonly string[]): boolean {
  let at = 0;
  for (const line of all) if (line === lines[at]) at++;
  return at === lines.length;
}

function short(lines: readonly string[]): string {
  const all = JSON.stringify(lines);
  return all.length <= 300 ? all : `${all.slice(0, 150)} … ${all.slice(-100)} (${lines.length} lines)`;
}
