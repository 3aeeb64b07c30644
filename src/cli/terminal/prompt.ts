import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { Refused } from '../../roster/errors.ts';
import { shown } from './shown.ts';

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
    this.#lines.once('SIGINT', () => this.close());
    this.#lines.once('close', () => {
      this.#isOpen = false;
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
}
