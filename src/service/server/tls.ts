import { constants } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { createServer, type Server, type ServerOptions } from 'node:https';
import type { SecureContextOptions } from 'node:tls';
import { HANDSHAKE_TIMEOUT_MS } from './limits.ts';

/** A certificate, with the chain behind it, and its private key. Both are PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** TLS in the service itself, for an operator without a proxy. */
export class Tls {
  #pair: KeyPair;
  #server: Server | undefined;

  constructor(pair: KeyPair) {
    this.#pair = pair;
  }

  createServer(options: ServerOptions, handle: RequestListener): Server {
    const ours: ServerOptions = {
      ...secureContext(this.#pair),
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      ALPNProtocols: ['http/1.1'],
    };
    const server = createServer({ ...options, ...ours }, handle);
    // A client that closes its half of the connection after a request gets its answer; in its handshake, it is gone.
    server.prependListener('secureConnection', socket => {
      socket.allowHalfOpen = true;
    });
    // First: Node's own listener takes it for a malformed request, and there is nothing that an answer could be sent on.
    server.prependListener('tlsClientError', (_, socket) => socket.destroy());
    this.#server = server;
    return server;
  }

  /** Connections from now on get this pair. Open ones stay as they are. */
  replace(pair: KeyPair): void {
    this.#server?.setSecureContext(secureContext(pair));
    this.#pair = pair;
  }
}

/** Also for a check of a pair: `createSecureContext` throws when OpenSSL refuses it. */
export function secureContext({ cert, key }: KeyPair): SecureContextOptions {
  return {
    cert,
    key,
    minVersion: 'TLSv1.2',
    // A renegotiation costs the client little and the service a handshake.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  };
}
