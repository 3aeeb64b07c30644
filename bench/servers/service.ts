import { createReadStream } from 'node:fs';
import { freePort } from '../../test/support/free-port.ts';
import { BIN } from '../processes/run.ts';
import { type Server, withServer } from './server.ts';

/** As docs/operations.md recommends. */
const NODE_OPTIONS = '--max-semi-space-size=8';

/** Runs `serve` as an operator does, in a process of its own, for as long as the work takes. */
export async function withService<T>(
  database: string,
  secret: string,
  work: (service: Server) => Promise<T>,
  flags: readonly string[] = [],
): Promise<T> {
  if (database.startsWith('sqlite:')) await readWhole(database.slice('sqlite:'.length));
  const port = await freePort();
  const settings = ['--database', database, '--port', String(port), '--rate-limit', '0'];
  const args = [BIN, 'serve', ...settings, ...flags];
  return withServer([process.execPath, ...args], { port, secret, env: { NODE_OPTIONS } }, work);
}

/** Brings the file into the operating system's cache: the disk isn't what is measured. */
async function readWhole(file: string): Promise<void> {
  for await (const _ of createReadStream(file, { highWaterMark: 1024 * 1024 }));
}
