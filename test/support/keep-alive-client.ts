import { Agent, type IncomingHttpHeaders, type RequestOptions, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { retryOverloaded } from './retry-overloaded.ts';

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As received, not parsed. */
  readonly body: string;
}

/** Sends one request. */
export function answerTo(options: RequestOptions, body?: string): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    request(options, answer => {
      const { statusCode: status = 0, headers } = answer;
      text(answer).then(body => resolve({ status, headers, body }), reject);
    })
      .on('error', reject)
      .end(body);
  });
}

/** Sends `GET`s over a few keep-alive connections: several times as many requests a second as `fetch`. */
export class KeepAliveClient {
  readonly #agent: Agent;
  readonly #port: number;

  constructor(port: number, connections: number) {
    this.#port = port;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  get(path: string, headers: Record<string, string>): Promise<RawAnswer> {
    const options = { agent: this.#agent, host: '127.0.0.1', port: this.#port, path, headers };
    return answerTo(options);
  }

  /** As `get`, retried while the service sheds load. */
  getWithRetry(path: string, headers: Record<string, string>): Promise<RawAnswer> {
    return retryOverloaded(() => this.get(path, headers));
  }

  close(): void {
    this.#agent.destroy();
  }
}
