import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { retryOverloaded } from './retry-overloaded.ts';

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As received, not parsed. */
  readonly body: string;
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
    return new Promise((resolve, reject) => {
      request(options, response => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', text => {
          body += text;
        });
        response.on('error', reject);
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
        });
      })
        .on('error', reject)
        .end();
    });
  }

  /** As `get`, retried while the service sheds load. */
  getWithRetry(path: string, headers: Record<string, string>): Promise<RawAnswer> {
    return retryOverloaded(() => this.get(path, headers));
  }

  close(): void {
    this.#agent.destroy();
  }
}
