import { once } from 'node:events';
import type { Server } from 'node:http';
import { Refused } from '../../roster/errors.ts';
import { type Address, type Service, urlOf } from '../../server/service.ts';

export const NO_CONSOLE = 'the web console is not built: serving without it; "npm run console" builds it';

/** Starts listening and returns the base URL. A port of 0 picks a free one, which is in the URL. Throws a `Refused`. */
export function listen(service: Service, address: Address): Promise<string> {
  return orRefused(() => service.listen(address), '--port', address);
}

/** The same for the metrics server. */
export async function listenForMetrics(server: Server, address: Address): Promise<string> {
  const listening = () => once(server.listen(address), 'listening');
  await orRefused(listening, '--metrics-port', address);
  return `${urlOf(server)}/metrics`;
}

async function orRefused<T>(listen: () => Promise<T>, option: string, { host, port }: Address): Promise<T> {
  try {
    return await listen();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? `the port is in use: choose another with ${option}` : message;
    throw new Refused(`can't listen on ${host}:${port}: ${why}`, { cause: error });
  }
}
