import cluster, { type Worker } from 'node:cluster';
import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../../../service/api/log.ts';
import { closeLostConnection } from './lost-connection.ts';
import { environmentOf, type Place, type ToSupervisor, type ToWorker } from './messages.ts';

/** A worker that has lived for so long isn't one of those that end again and again. */
const STEADY_MS = 60_000;
const MIN_WAIT_MS = 100;
/** However often workers have ended, what was wrong may be mended by now. */
const MAX_WAIT_MS = 30_000;
const PING_MS = 1_000;
/** A worker that has left so many pings unanswered hangs. They are counted, as a pause of the whole machine is no worker's fault. */
const MAX_UNANSWERED = 5;

/** How a worker has ended. */
export interface Ended {
  /** `null`: a signal has ended it, or it couldn't be started. */
  readonly exitCode: number | null;
  /** For the log. */
  readonly how: string;
  readonly hasListened: boolean;
  readonly livedMs: number;
}

/** The place of one worker. When that ends another takes it, until the signal says to stop. */
export class WorkerSlot {
  readonly #place: Place;
  readonly #log: Log;
  readonly #stop: AbortSignal;
  #worker: Worker | null = null;
  #isListening = false;
  #ended: Promise<Ended> | null = null;

  constructor(place: Place, log: Log, stop: AbortSignal) {
    this.#place = place;
    this.#log = log;
    this.#stop = stop;
    stop.addEventListener('abort', () => {
      if (this.#isListening) this.#worker?.send({ type: 'stop' } satisfies ToWorker);
      else {
        this.#worker?.process.kill('SIGTERM');
        setTimeout(() => this.kill(), MAX_UNANSWERED * PING_MS).unref(); // it may hang before it listens
      }
    });
  }

  /** `null`: there is none that listens now. */
  get listening(): Worker | null {
    return this.#isListening ? this.#worker : null;
  }

  /** Starts a worker. Resolves to `null` when it listens, or else when it has ended. */
  start(): Promise<Ended | null> {
    const worker = cluster.fork(environmentOf(this.#place));
    closeLostConnection(worker);
    this.#worker = worker;
    const listening = new Promise<null>(resolve => {
      worker.once('listening', () => {
        this.#isListening = true;
        this.#log.info(`worker ${this.#place.number} serves, with PID ${worker.process.pid}`);
        this.#killWhenHung(worker);
        resolve(null);
      });
    });
    this.#ended = this.#endOf(worker);
    return Promise.race([listening, this.#ended]);
  }

  /** Starts another worker whenever one has ended. Resolves to how the last has ended, when it is told to stop. */
  async keepRunning(onRestart: () => void): Promise<Ended | null> {
    for (let waitMs = 0; ; ) {
      const ended = await this.#ended;
      if (!ended || this.#stop.aborted) return ended;
      waitMs = ended.livedMs < STEADY_MS ? Math.min(2 * waitMs || MIN_WAIT_MS, MAX_WAIT_MS) : MIN_WAIT_MS;
      const pid = this.#worker?.process.pid;
      const { number } = this.#place;
      this.#log.warn(
        `worker ${number}, PID ${pid}, ended ${ended.how}; another starts in ${waitMs / 1000} s`,
      );
      await wait(waitMs, undefined, { signal: this.#stop }).catch(() => {});
      if (this.#stop.aborted) return null; // nothing was running, and so nothing failed at the stop
      onRestart();
      void this.start();
    }
  }

  /** Its clients would wait for as long as it hangs, and another can take its place. */
  #killWhenHung(worker: Worker): void {
    let unanswered = 0;
    const timer = setInterval(() => {
      if (!worker.isConnected()) return clearInterval(timer); // it is about to end
      if (unanswered === 0) worker.send({ type: 'ping' } satisfies ToWorker);
      if (unanswered++ < MAX_UNANSWERED) return;
      clearInterval(timer);
      this.#log.error(`worker ${this.#place.number} has hung for ${MAX_UNANSWERED} s: it is killed`);
      worker.process.kill('SIGKILL');
    }, PING_MS);
    worker.on('message', ({ type }: ToSupervisor) => {
      if (type === 'pong') unanswered = 0;
    });
  }

  /** At once, whatever it does. */
  kill(): void {
    if (this.#worker && !this.#worker.isDead()) this.#worker.process.kill('SIGKILL');
  }

  /** One that doesn't listen yet reads the files as it starts. */
  hangUp(): void {
    if (this.#isListening) this.#worker?.process.kill('SIGHUP');
  }

  #endOf(worker: Worker): Promise<Ended> {
    const startedAt = performance.now();
    return new Promise(resolve => {
      const end = (exitCode: number | null, how: string) => {
        resolve({ exitCode, how, hasListened: this.#isListening, livedMs: performance.now() - startedAt });
        this.#isListening = false;
      };
      worker.once('exit', (code: number | null, signal: string | null) =>
        signal ? end(null, `by ${signal}`) : end(code, `with exit code ${code}`),
      );
      // A message that can't be sent is an error too: then the worker is about to end.
      worker.on('error', error => {
        if (worker.process.pid === undefined) end(null, `before it began: ${error.message}`);
      });
    });
  }
}
