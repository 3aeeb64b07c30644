import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Refused } from '../roster/errors.ts';

/** Starts listening and returns the base URL, with the port that was picked when it was 0. */
export async function listen(app: FastifyInstance, host: string, port: number): Promise<string> {
  try {
    await app.listen({ host, port, listenTextResolver: address => `listening on ${address}` });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? 'the port is in use: choose another with --port' : message;
    throw new Refused(`can't listen on ${host}:${port}: ${why}`, { cause: error });
  }
  const address = app.server.address() as AddressInfo;
  return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
}

/** How soon a process that npm started notices that npm was told to stop. */
const PARENT_CHECK_MS = 200;

/** Resolves when the process is asked to stop. */
export function stopSignal(): Promise<void> {
  return new Promise(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
    // npm starts its scripts through a shell that dies of a signal without passing it on.
    if (process.env.npm_lifecycle_event) {
      const parent = process.ppid;
      setInterval(() => process.ppid !== parent && resolve(), PARENT_CHECK_MS).unref();
    }
  });
}
