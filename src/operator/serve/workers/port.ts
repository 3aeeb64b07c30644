import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:net';
import { acceptWaiting } from '../../../service/server/drain.ts';

/** What listens, as Node has it. */
interface Handle {
  onconnection: (...accepted: unknown[]) => void;
  close(): void;
}

/** How long workers go on taking connections after the port is closed: those that wait for one that is busy are handed out meanwhile. */
export const HAND_OUT_MS = 200;

const LISTENS = 'tracing:net.server.listen:asyncEnd';

/**
 * The port, which this process has for its workers. Node closes it only with the last worker's server, and then also closes the
 * connections that it hasn't handed out. So it is closed before any worker stops.
 */
export class WorkersPort {
  #handle: Handle | null = null;
  readonly #found = (message: unknown) => {
    this.#handle = (message as { server: Server & { _handle: Handle | null } }).server._handle;
  };

  /** From now on nothing else may listen in this process. */
  constructor() {
    subscribe(LISTENS, this.#found);
  }

  async close(): Promise<void> {
    unsubscribe(LISTENS, this.#found);
    const handle = this.#handle;
    if (!handle) return;
    const { onconnection } = handle;
    await acceptWaiting(accepted => {
      handle.onconnection = (...connection) => {
        accepted();
        onconnection(...connection);
      };
    });
    handle.close();
  }
}
