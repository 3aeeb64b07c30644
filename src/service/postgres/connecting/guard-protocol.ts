import type { Duplex } from 'node:stream';
import type { Client, Connection } from 'pg';

/** Of an error that `guardProtocol` closes a connection with. */
export const PROTOCOL_ERROR = 'EPROTO';

type Parse = (data: Buffer) => void;

/** The driver attaches its parser to the socket when it is connected, and again when TLS is established. */
type DriverConnection = Connection & { attachListeners(stream: Duplex): void };

/**
 * Closes a connection on which something else than PostgreSQL's protocol arrives, such as bytes of a faulty proxy. The driver would
 * throw where nobody can catch it, which ends the process, and would wait for a message of any announced length. Call before
 * `connect`.
 * @param maxBytes of the answer to one statement.
 */
export function guardProtocol(client: Client, maxBytes: number): void {
  const connection = client.connection as DriverConnection;
  const attach = connection.attachListeners;
  connection.attachListeners = stream => {
    const before = stream.listeners('data');
    attach.call(connection, stream);
    const parse = stream.listeners('data').find(listener => !before.includes(listener)) as Parse;
    let bytes = 0;
    connection.on('readyForQuery', () => {
      bytes = 0;
    });
    stream.off('data', parse).on('data', data => {
      if (stream.destroyed) return;
      bytes += data.length;
      try {
        if (bytes > maxBytes) throw new Error(`its answer is longer than ${maxBytes} bytes`);
        parse(data);
      } catch (cause) {
        const message = `what arrived is not PostgreSQL's protocol (${(cause as Error).message})`;
        stream.destroy(Object.assign(new Error(message, { cause }), { code: PROTOCOL_ERROR }));
      }
    });
  };
  // No statement of ours asks for a part of its rows. The driver would ask for the rest, and its answer would be taken for the next one.
  connection.on('portalSuspended', () => connection.stream.destroy());
  // After a message that is out of place the driver keeps the connection open, though it can't be used.
  client.on('error', () => connection.stream.destroy());
}
