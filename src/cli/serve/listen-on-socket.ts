import { once } from 'node:events';
import { lstatSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { Refused } from '../../roster/errors.ts';
import type { Service } from '../../server/service.ts';

/**
 * Listens on a Unix socket. A socket that a killed process has left is replaced. One on which a process listens isn't, nor a file that
 * is no socket. Throws a `Refused`.
 */
export async function listenOnSocket(service: Service, path: string): Promise<string> {
  try {
    return await service.listen({ path }).catch(async error => {
      if (error.code !== 'EADDRINUSE') throw error;
      await removeLeftSocket(path);
      return service.listen({ path });
    });
  } catch (error) {
    throw new Refused(`can't listen on unix:${path}: ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  // Of a folder that isn't there Node says the same.
  return code === 'EACCES' ? 'its folder must be there, and this user must be able to write to it' : message;
}

async function removeLeftSocket(path: string): Promise<void> {
  if (!lstatSync(path).isSocket()) throw new Error('there is a file of that name which is no socket');
  if (await isInUse(path)) throw new Error('another process listens there: choose another with --listen');
  unlinkSync(path);
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
