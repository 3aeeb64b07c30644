import type { Client } from 'pg';
import { WrongSession } from './not-connected.ts';

/** The driver's events while it logs in. */
interface LogIn {
  prependListener(event: string, listener: (message: { mechanisms?: readonly string[] }) => void): void;
}

/** What the driver would answer with the password itself, or what anyone could replay. */
const WITHOUT_PROOF = ['authenticationCleartextPassword', 'authenticationMD5Password'];

/**
 * To be called before the client connects. What it returns throws `WrongSession` after that, unless PostgreSQL has proved that nobody
 * else ends the TLS connection (RFC 5802, channel binding). The password is sent to nobody who can't.
 */
export function watchChannelBinding(client: Client): () => void {
  let isBound = false;
  const logIn = client.connection as unknown as LogIn;
  logIn.prependListener('authenticationSASL', ({ mechanisms = [] }) => {
    isBound = mechanisms.includes('SCRAM-SHA-256-PLUS');
  });
  for (const event of WITHOUT_PROOF)
    logIn.prependListener(event, () => client.connection.stream.destroy(new WrongSession(NOT_BOUND)));
  return () => {
    if (!isBound) throw new WrongSession(NOT_BOUND);
  };
}

const NOT_BOUND =
  'channel_binding is required, and PostgreSQL offers none: it needs TLS and a role whose password is stored as scram-sha-256';
