import cluster, { type Worker } from 'node:cluster';
import { MAX_UNREAD_BYTES } from '../../../service/api/limits.ts';
import type { Metrics } from '../../../service/api/metrics.ts';
import type { Place, ToSupervisor, ToWorker } from './messages.ts';
import { HAND_OUT_MS } from './port.ts';

/** What this process, a worker, does with its supervisor. */
export class WorkerProcess {
  readonly #worker = cluster.worker as Worker;
  readonly #place: Place;
  /** Whether it is the first process of all, which says in the log what each would say. */
  readonly isFirst = this.#worker.id === 1;

  constructor(place: Place) {
    this.#place = place;
    this.#worker.on('error', () => {}); // a message that can't be sent: the supervisor has died, of which Node tells next
    this.#worker.on('message', (message: ToWorker) => {
      if (message.type === 'ping') this.#send({ type: 'pong' });
    });
  }

  /** Its name in the metrics, which the next in its place has too. */
  get name(): string {
    return String(this.#place.number);
  }

  /** This worker's part of what is limited for the whole service, and when it stops. */
  shareOf({ maxConnections, shutdownDelay }: Record<'maxConnections' | 'shutdownDelay', number>) {
    const { workers } = this.#place;
    return {
      shutdownDelay: shutdownDelay + HAND_OUT_MS / 1000,
      maxConnections: Math.ceil(maxConnections / workers),
      maxUnreadBytes: Math.ceil(MAX_UNREAD_BYTES / workers),
    };
  }

  /** Gives the supervisor the metrics whenever it asks for them. */
  giveMetrics({ registry }: Metrics): void {
    this.#worker.on('message', async (message: ToWorker) => {
      if (message.type !== 'measure') return;
      this.#send({ type: 'measured', metrics: await registry.getMetricsAsJSON() });
    });
  }

  /** Resolves when the supervisor says so, and when it has died. Call it when the service listens: until then Node ends the process. */
  stopped(): Promise<void> {
    const worker = this.#worker;
    const { promise, resolve } = Promise.withResolvers<void>();
    let stopping = false;
    worker.on('message', (message: ToWorker) => {
      if (message.type !== 'stop') return;
      stopping = true;
      resolve();
    });
    worker.once('disconnect', () => {
      if (stopping) return; // asked to stop, the supervisor was ended by a second signal: Node ends this process at once too
      worker.exitedAfterDisconnect = true; // else Node would end it
      resolve();
    });
    return promise;
  }

  #send(message: ToSupervisor): void {
    if (this.#worker.isConnected()) this.#worker.send(message);
  }
}
