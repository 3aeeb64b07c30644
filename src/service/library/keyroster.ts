import type { IncomingRequest, OutgoingResponse } from '../server/messages.ts';

export interface Keyroster {
  /**
   * Answers a `Request`, or a request of `node:http`, by a `Response`; never rejects. The address of the connection's other end
   * isn't in a `Request`: give it as `{ clientAddress }` if you need it, for networks of admin keys, `rateLimit` or
   * `trustedProxies`, which without it is a 500. Anything else in its place is ignored.
   */
  readonly fetch: (request: Request | IncomingRequest, context?: ClientContext | object) => Promise<Response>;
  /** Answers a request of `node:http`. Resolves when all of the answer was sent or the client has left; never rejects. */
  readonly handle: (request: IncomingRequest, response: OutgoingResponse) => Promise<void>;
  /** Waits for what is under way, then closes the store. Stop sending requests first. */
  close(): Promise<void>;
}

export interface ClientContext {
  /** Of the other end of the connection, which may be a proxy's; `undefined` where nobody knows it. */
  readonly clientAddress?: string | undefined;
}
