import { once } from 'node:events';
import { linkSync, lstatSync, renameSync, unlinkSync } from 'node:fs';
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
  // Or it was removed by another process that starts.
  if (code === 'EADDRINUSE' || code === 'ENOENT') return IN_USE;
  // Of a folder that isn't there Node says the same.
  return code === 'EACCES' ? 'its folder must be there, and this user must be able to write to it' : message;
}

const IN_USE = 'another process listens there: choose another with --host';

/**
 * Another process may have begun to listen there since its look. So the socket gets another name first, which one process alone can do,
 * and is put back if it isn't the one that was looked at.
 */
async function removeLeftSocket(path: string): Promise<void> {
  const left = identityOf(path);
  if (await isInUse(path)) throw new Error(IN_USE);
  const moved = `${path}.${process.pid}`;
  renameSync(path, moved);
  const isLeft = identityOf(moved) === left;
  if (!isLeft) linkSync(moved, path);
  unlinkSync(moved);
  if (!isLeft) throw new Error(IN_USE);
}

/** Another file may have the inode of one that was removed. A new name changes neither. Throws for what is no socket. */
function identityOf(path: string): string {
  const stats = lstatSync(path, { bigint: true });
  if (!stats.isSocket()) throw new Error('there is a file of that name which is no socket');
  return `${stats.dev} ${stats.ino} ${stats.mtimeNs}`;
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
