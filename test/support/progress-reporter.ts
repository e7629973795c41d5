/**
 * What a run of many files prints while it goes on: first what it will leave out and about how long it takes, then a line each ten
 * seconds, and each failed file as it fails. A run of a few files prints a line a file, as vitest does by itself.
 */
import { DefaultReporter, type TestModule, type TestSpecification } from 'vitest/node';
import { findProgram } from './find-program.js';
import { packagesOf, PROGRAMS } from './left-out.js';

/** From so many files on, nobody reads a line for each. */
const MANY_FILES = 100;
const PERIOD_MS = 10_000;
/** A file of the whole suite on two idle cores, on average. */
const SECONDS_A_FILE = 0.8;

export default class ProgressReporter extends DefaultReporter {
  #files = 0;
  #ended = 0;
  #failed = 0;
  #passedTests = 0;
  #isLong = false;
  #startedMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    super({ summary: false });
  }

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications);
    this.#files = specifications.length;
    this.#isLong = this.#files >= MANY_FILES;
    if (!this.#isLong) return;
    this.#startedMs = performance.now();
    this.log(
      introduction(
        this.#files,
        PROGRAMS.filter((name) => findProgram(name) === undefined),
      ),
    );
    this.#timer = setInterval(() => this.#progress(), PERIOD_MS);
    this.#timer.unref();
  }

  override onTestModuleEnd(module: TestModule): void {
    this.#ended++;
    if (module.state() === 'failed') this.#failed++;
    for (const test of module.children.allTests('passed')) if (test.type === 'test') this.#passedTests++;
    super.onTestModuleEnd(module);
  }

  override printTestModule(module: TestModule): void {
    if (!this.#isLong || module.state() === 'failed') super.printTestModule(module);
  }

  override onTestRunEnd(...ended: Parameters<DefaultReporter['onTestRunEnd']>): void {
    clearInterval(this.#timer);
    if (this.#isLong) this.#progress();
    super.onTestRunEnd(...ended);
  }

  #progress(): void {
    const seconds = (performance.now() - this.#startedMs) / 1000;
    this.log(
      progressLine({ seconds, ended: this.#ended, files: this.#files, tests: this.#passedTests, failed: this.#failed }),
    );
  }
}

/** @param absent programs that tests need and this machine lacks */
export function introduction(files: number, absent: readonly string[]): string {
  const minutes = Math.max(1, Math.round((files * SECONDS_A_FILE) / 60));
  const time = `${files} files, about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} on two idle cores.`;
  if (absent.length === 0) return `${time} Every program that tests need is here.`;
  return `${time} Tests are left out that need ${absent.join(', ')}: ${packagesOf(absent).join(' ')} ${absent.length === 1 ? 'has it' : 'have them'}.`;
}

export interface Progress {
  readonly seconds: number;
  /** Files that have ended, of all. */
  readonly ended: number;
  readonly files: number;
  /** Tests that have passed. */
  readonly tests: number;
  /** Files with a failed test. */
  readonly failed: number;
}

export function progressLine({ seconds, ended, files, tests, failed }: Progress): string {
  const whole = Math.floor(seconds);
  const time = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
  const faults = failed === 0 ? '' : `, ${failed} ${failed === 1 ? 'file has' : 'files have'} failed`;
  return `${time}  ${ended} of ${files} files, ${tests} tests passed${faults}`;
}
