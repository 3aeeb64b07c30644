/** What is needed of a request of `node:http`, `node:http2`, or what a framework has in their place. */
export interface IncomingRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly httpVersion: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Names and values in turn, as they were sent. Empty: `headers` has all that is known. */
  readonly rawHeaders: readonly string[];
  readonly socket: Connection;
  /** Of HTTP/2. */
  readonly stream?: { readonly endAfterHeaders?: boolean | undefined } | undefined;
}

/** A stand-in of a framework may have less. */
interface Connection {
  readonly remoteAddress?: string | undefined;
  readonly destroyed?: boolean | undefined;
  /** The server that it came to. The address of a Unix socket is its path. */
  readonly server?: { address?(): unknown; readonly maxHeadersCount?: number | null } | null | undefined;
  once?(event: 'close', listener: () => void): unknown;
  off?(event: 'close', listener: () => void): unknown;
  setMaxListeners?(count: number): unknown;
  destroy?(): unknown;
}

/** What is needed of a response of `node:http`, or what a framework has in its place. */
export interface OutgoingResponse {
  readonly headersSent: boolean;
  readonly destroyed?: boolean | undefined;
  readonly closed?: boolean | undefined;
  /** The connection, when it is this response's turn on it. */
  readonly socket?: unknown;
  /** Of HTTP/2. */
  readonly stream?:
    | { readonly closed?: boolean | undefined; readonly destroyed?: boolean | undefined }
    | undefined;
  readonly writableFinished: boolean;
  readonly writableLength: number;
  writeHead(status: number, headers: Record<string, string>): unknown;
  write(bytes: Uint8Array, sent?: () => void): unknown;
  end(body: string | Uint8Array): unknown;
  once(event: 'close', listener: () => void): unknown;
}
