import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { firstAnswer } from './http.ts';

/** One connection, one request at a time, with as little of its own between the clock and the wire as can be. */
export class TimedClient {
  readonly #socket: Socket;
  #came = '';
  #answered: (() => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('latin1').on('data', text => {
      this.#came += text;
      if (firstAnswer(this.#came, false)[0]) this.#answered?.();
    });
  }

  static async to(port: number): Promise<TimedClient> {
    const socket = connect(port, '127.0.0.1').setNoDelay();
    await once(socket, 'connect');
    return new TimedClient(socket);
  }

  /** Milliseconds to the last byte of the answer, and its status. */
  async time(request: string): Promise<{ elapsed: number; status: number }> {
    this.#came = '';
    const whole = new Promise<void>(resolve => {
      this.#answered = resolve;
    });
    const start = performance.now();
    this.#socket.write(request);
    await whole;
    return { elapsed: performance.now() - start, status: Number(this.#came.slice(9, 12)) };
  }

  close(): void {
    this.#socket.destroy();
  }
}
