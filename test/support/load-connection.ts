import { connect, type Socket } from 'node:net';

interface LoadEvents {
  answered(status: number, elapsed: number): void;
  /** The connection has closed. `unanswered` counts the requests sent before the service announced the close. */
  ended(end: { unanswered: number; everAnswered: boolean; refused: boolean }): void;
  connected(): void;
}

/** Sends requests on one connection and counts the answers in order; cheap enough to overload the service. */
export class LoadConnection {
  readonly #socket: Socket;
  readonly #events: LoadEvents;
  /** When each unanswered request was sent. */
  readonly #sent: number[] = [];
  #buffer = '';
  #everAnswered = false;
  #error: string | undefined;
  /** False once an answer has said `connection: close`, or this side has closed. */
  usable = false;

  constructor(port: number, events: LoadEvents) {
    this.#events = events;
    this.#socket = connect(port, '127.0.0.1').setNoDelay();
    this.#socket.setEncoding('latin1').on('data', text => this.#read(String(text)));
    this.#socket.on('connect', () => {
      this.usable = true;
      events.connected();
    });
    this.#socket.on('error', error => {
      this.#error = (error as NodeJS.ErrnoException).code;
    });
    this.#socket.on('close', () => {
      this.usable = false;
      const refused = this.#error === 'ECONNREFUSED';
      events.ended({ unanswered: this.#sent.length, everAnswered: this.#everAnswered, refused });
    });
  }

  get underWay(): number {
    return this.#sent.length;
  }

  send(request: string): void {
    this.#sent.push(performance.now());
    this.#socket.write(request);
  }

  close(): void {
    this.usable = false;
    this.#socket.end();
  }

  #read(text: string): void {
    this.#buffer += text;
    for (;;) {
      const endOfHead = this.#buffer.indexOf('\r\n\r\n');
      if (endOfHead < 0) return;
      const head = this.#buffer.slice(0, endOfHead);
      const end = endOfHead + 4 + Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
      if (this.#buffer.length < end) return;
      this.#buffer = this.#buffer.slice(end);
      this.#everAnswered = true;
      if (/^connection: close/im.test(head)) {
        this.usable = false;
        // Requests sent after this one aren't lost: HTTP lets the client retry what the announced close left unanswered.
        this.#sent.length = Math.min(this.#sent.length, 1);
      }
      this.#events.answered(Number(head.slice(9, 12)), performance.now() - (this.#sent.shift() ?? 0));
    }
  }
}
