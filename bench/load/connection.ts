import { connect, type Socket } from 'node:net';

/** An answer of 1,000 items takes five reads. */
const READ_BYTES = 64 * 1024;
const END_OF_HEAD = Buffer.from('\r\n\r\n');
const CONTENT_LENGTH = Buffer.from('content-length: ');
/** The index of the status in `HTTP/1.1 200`. */
const STATUS_AT = 9;

type Answered = (status: number) => void;

/**
 * A keep-alive connection with one request at a time in flight. It does only what counting answers needs, so that the server is
 * what is measured. Requests are ready-made bytes. The end of an answer is found by its `content-length`, and its
 * body is not parsed.
 */
export class Connection {
  readonly #socket: Socket;
  /** Bytes of the current answer that haven't arrived; 0: its head hasn't arrived. */
  #missing = 0;
  /** The start of a head that arrives in several reads, which is rare. */
  #head: Buffer = Buffer.alloc(0);
  #status = 0;
  #answered: Answered = () => {};

  /** @param failed is called when the connection ends or an answer can't be read. */
  constructor(port: number, failed: (error: Error) => void) {
    const buffer = Buffer.allocUnsafe(READ_BYTES);
    const read = (bytes: number) => {
      try {
        this.#read(buffer.subarray(0, bytes));
      } catch (error) {
        failed(error as Error);
      }
      return true;
    };
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback: read } });
    this.#socket.on('error', failed);
    this.#socket.on('end', () => failed(new Error('the server closed the connection')));
  }

  send(request: Buffer, answered: Answered): void {
    this.#answered = answered;
    this.#socket.write(request);
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(bytes: Buffer): void {
    if (this.#missing > 0) this.#missing -= bytes.length;
    else if (!this.#readHead(bytes)) return;
    if (this.#missing === 0) this.#answered(this.#status);
    else if (this.#missing < 0) throw new Error('the answer is longer than its content-length');
  }

  #readHead(bytes: Buffer): boolean {
    const received = this.#head.length > 0 ? Buffer.concat([this.#head, bytes]) : bytes;
    const end = received.indexOf(END_OF_HEAD);
    if (end < 0) {
      this.#head = Buffer.from(received);
      return false;
    }
    this.#head = Buffer.alloc(0);
    this.#status = digits(received, STATUS_AT);
    this.#missing = end + END_OF_HEAD.length + contentLength(received, end) - received.length;
    return true;
  }
}

/** Servers write the name in lower case or as `Content-Length`. */
function contentLength(head: Buffer, end: number): number {
  const at = head.indexOf(CONTENT_LENGTH);
  if (at >= 0 && at < end) return digits(head, at + CONTENT_LENGTH.length);
  const found = /^content-length: *(\d+)/im.exec(head.toString('latin1', 0, end));
  if (!found) throw new Error('the answer has no content-length');
  return Number(found[1]);
}

function digits(bytes: Buffer, from: number): number {
  let number = 0;
  for (let at = from; ; at++) {
    const digit = (bytes[at] ?? 0) - 48;
    if (digit < 0 || digit > 9) return number;
    number = number * 10 + digit;
  }
}
