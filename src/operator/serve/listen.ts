import { once } from 'node:events';
import { lstatSync, unlinkSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { Log } from '../../service/api/log.ts';
import { type Address, type Service, type SocketFile, urlOf } from '../../service/server/service.ts';
import { Refused } from '../../shared/record/faults.ts';

export const NO_CONSOLE = 'the web console is not built: serving without it; "npm run console" builds it';

/** Starts listening and returns the base URL. A port of 0 picks a free one, which is in the URL. Throws a `Refused`. */
export async function listen(service: Service, address: Address | SocketFile): Promise<string> {
  if ('path' in address) return listenOnSocket(service, address);
  return orRefused(() => service.listen(address), '--port', address);
}

/** The same for the metrics server, which another process on its port doesn't keep the service from. */
export async function listenForMetrics(server: Server, address: Address, log: Log): Promise<void> {
  const listening = () => once(server.listen(address), 'listening');
  try {
    await orRefused(listening, '--metrics-port', address);
    log.info(`metrics at ${urlOf(server)}/metrics`);
  } catch (error) {
    const { message, cause } = error as Error & { cause: NodeJS.ErrnoException };
    if (cause.code !== 'EADDRINUSE') throw error;
    log.warn(`serving without metrics: ${message}; "ss -ltnp" shows who listens there`);
  }
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

/** A socket that a killed process has left is replaced. One on which a process listens isn't, nor a file that is no socket. */
async function listenOnSocket(service: Service, address: SocketFile): Promise<string> {
  const { path } = address;
  try {
    return await service.listen(address).catch(async error => {
      if (error.code !== 'EADDRINUSE') throw error;
      if (!lstatSync(path).isSocket()) throw new Error('there is a file of that name which is no socket');
      if (await isInUse(path)) throw error;
      unlinkSync(path);
      return service.listen(address);
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = {
      EADDRINUSE: 'another process listens there: choose another with --host',
      // Of a folder that isn't there Node says the same.
      EACCES: 'its folder must be there, and this user must be able to write to it',
    }[code ?? ''];
    throw new Refused(`can't listen on unix:${path}: ${why ?? message}`, { cause: error });
  }
}

async function isInUse(path: string): Promise<boolean> {
  const socket = connect({ path });
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    // Whatever else is wrong, such as missing rights, somebody may listen.
    return (error as NodeJS.ErrnoException).code !== 'ECONNREFUSED';
  } finally {
    socket.destroy();
  }
}
