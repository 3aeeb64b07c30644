import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { Refused } from '../../roster/errors.ts';

/** Starts listening and returns the base URL. A port of 0 picks a free one, which is in the URL. */
export async function listen(app: FastifyInstance, host: string, port: number): Promise<string> {
  const scheme = schemeOf(app.server);
  // Fastify doesn't know which kind of server it got.
  const listenTextResolver = (address: string) => `listening on ${address.replace(/^http/, scheme)}`;
  await orRefused(() => app.listen({ host, port, listenTextResolver }), '--port', host, port);
  return urlOf(app.server);
}

/** The same for the metrics server. */
export async function listenForMetrics(
  server: Server,
  { host, port }: { host: string; port: number },
): Promise<string> {
  const listening = () => once(server.listen({ host, port }), 'listening');
  await orRefused(listening, '--metrics-port', host, port);
  return `${urlOf(server)}/metrics`;
}

async function orRefused(listen: () => Promise<unknown>, option: string, host: string, port: number) {
  try {
    await listen();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? `the port is in use: choose another with ${option}` : message;
    throw new Refused(`can't listen on ${host}:${port}: ${why}`, { cause: error });
  }
}

function schemeOf(server: Server): string {
  return server instanceof TlsServer ? 'https' : 'http';
}

function urlOf(server: Server): string {
  const { family, address, port } = server.address() as AddressInfo;
  return `${schemeOf(server)}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** How soon a process that npm started notices that npm was told to stop. */
const PARENT_CHECK_MS = 200;

/**
 * Resolves when the process is asked to stop: also by the end of its terminal (SIGHUP), unless that signal has another meaning.
 * Asked once more, it ends at once, as any process does.
 */
export function stopSignal({ hangup = true } = {}): Promise<void> {
  const signals = ['SIGINT', 'SIGTERM', ...(hangup ? ['SIGHUP'] : [])];
  return new Promise(resolve => {
    const stop = () => {
      for (const signal of signals) process.off(signal, stop);
      resolve();
    };
    for (const signal of signals) process.on(signal, stop);
    // npm starts its scripts through a shell that dies of a signal without passing it on.
    if (process.env.npm_lifecycle_event) {
      const parent = process.ppid;
      setInterval(() => process.ppid !== parent && resolve(), PARENT_CHECK_MS).unref();
    }
  });
}
