import { connect, type Socket } from 'node:net';

/** Larger than what comes at once: an answer of 1,000 items is read in five pieces. */
const READ_BYTES = 64 * 1024;
const END_OF_HEAD = Buffer.from('\r\n\r\n');
const CONTENT_LENGTH = Buffer.from('content-length: ');
const LAST_CHUNK = '0\r\n\r\n';
/** Where the status stands in `HTTP/1.1 200`. */
const STATUS_AT = 9;

type Answered = (status: number) => void;

/**
 * A keep-alive connection that has one request at a time under way. It does as little as counting answers takes, so
 * that the server is what is measured: requests are bytes that were made before, an answer's end is known by its
 * `content-length` (or by the last chunk), and its body is never looked at.
 */
export class Connection {
  readonly #socket: Socket;
  /** Bytes of the answer under way that are still to come; 0: its head isn't there yet. */
  #missing = 0;
  /** The last bytes of an answer under way that has chunks; `null`: it has a length. */
  #lastBytes: string | null = null;
  /** A head that came in pieces. Rare. */
  #head: Buffer = Buffer.alloc(0);
  #status = 0;
  #answered: Answered = () => {};

  /** @param failed is told when the connection ends, or an answer can't be read. */
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
    if (this.#lastBytes !== null) this.#readChunks(bytes);
    else if (this.#missing > 0) this.#missing -= bytes.length;
    else if (!this.#readHead(bytes)) return;
    if (this.#missing === 0 && this.#lastBytes === null) this.#answered(this.#status);
    else if (this.#missing < 0) throw new Error('the answer is longer than its content-length');
  }

  #readHead(bytes: Buffer): boolean {
    const came = this.#head.length > 0 ? Buffer.concat([this.#head, bytes]) : bytes;
    const end = came.indexOf(END_OF_HEAD);
    if (end < 0) {
      this.#head = Buffer.from(came);
      return false;
    }
    this.#head = Buffer.alloc(0);
    this.#status = digits(came, STATUS_AT);
    const length = contentLength(came, end);
    const body = end + END_OF_HEAD.length;
    if (length !== null) {
      this.#missing = body + length - came.length;
    } else {
      this.#lastBytes = '';
      this.#readChunks(came.subarray(body));
    }
    return true;
  }

  /** JSON has no line ends of its own, so only the last chunk ends like this. */
  #readChunks(bytes: Buffer): void {
    const last = ((this.#lastBytes ?? '') + bytes.toString('latin1', Math.max(0, bytes.length - 5))).slice(
      -5,
    );
    this.#lastBytes = last === LAST_CHUNK ? null : last;
  }
}

/** `null`: the answer comes in chunks. Servers write the name in lower case or as `Content-Length`. */
function contentLength(head: Buffer, end: number): number | null {
  const at = head.indexOf(CONTENT_LENGTH);
  if (at >= 0 && at < end) return digits(head, at + CONTENT_LENGTH.length);
  const found = /^content-length: *(\d+)/im.exec(head.toString('latin1', 0, end));
  return found ? Number(found[1]) : null;
}

function digits(bytes: Buffer, from: number): number {
  let number = 0;
  for (let at = from; ; at++) {
    const digit = (bytes[at] ?? 0) - 48;
    if (digit < 0 || digit > 9) return number;
    number = number * 10 + digit;
  }
}
