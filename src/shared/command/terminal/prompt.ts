import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { Refused } from '../../record/faults.ts';
import { shown } from './shown.ts';

/** They end the process as they do elsewhere, once the terminal shows again what is typed. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Asks on the terminal. Lines that are typed ahead are kept, and what is typed isn't shown unless it was asked for so. */
export class Prompt {
  readonly #lines: Interface;
  readonly #answers: AsyncIterator<string>;
  #isShown = false;
  #isOpen = true;

  constructor() {
    const output = new Writable({
      write: (chunk, _encoding, done) => {
        if (this.#isShown) process.stderr.write(chunk);
        done();
      },
    });
    this.#lines = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
    this.#lines.on('line', () => {
      this.#isShown = false; // what is typed ahead may be for a question whose answer isn't shown
    });
    const end = (signal: NodeJS.Signals) => this.#end(signal, process.pid);
    for (const signal of SIGNALS) process.once(signal, end);
    // A terminal that reads lines by itself would tell all of a pipeline or a script.
    this.#lines.once('SIGINT', () => this.#end('SIGINT', 0));
    this.#lines.once('close', () => {
      this.#isOpen = false;
      for (const signal of SIGNALS) process.off(signal, end);
    });
    this.#answers = this.#lines[Symbol.asyncIterator]();
  }

  /** Shows what is typed. */
  ask(question: string): Promise<string> {
    this.#isShown = true;
    return this.#answerTo(question);
  }

  askUnseen(question: string): Promise<string> {
    process.stderr.write(shown(question));
    return this.#answerTo('').finally(() => process.stderr.write('\n'));
  }

  async #answerTo(question: string): Promise<string> {
    this.#lines.setPrompt(shown(question));
    if (this.#isOpen) this.#lines.prompt();
    const { value, done } = await this.#answers.next();
    if (done) {
      if (this.#isShown) process.stderr.write('\n');
      throw new Refused('nothing was entered');
    }
    return value.trim();
  }

  close(): void {
    this.#lines.close();
  }

  /** @param to 0: the whole group of processes. */
  #end(signal: NodeJS.Signals, to: number): void {
    this.close();
    process.stderr.write('\n');
    process.kill(to, signal);
  }
}
