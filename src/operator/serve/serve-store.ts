import { CONSOLE_PATH, readConsole } from '../../service/api/console.ts';
import type { Log } from '../../service/api/log.ts';
import { lazyReader } from '../../service/lazy-reader.ts';
import { withMetrics } from '../../service/optional-packages.ts';
import { StoreAway } from '../../service/roster/errors.ts';
import type { StoreReader } from '../../service/roster/pages/reader.ts';
import { LINGER_MS } from '../../service/server/limits.ts';
import { type Address, Service, type ServiceOptions } from '../../service/server/service.ts';
import type { Store } from '../../service/stores.ts';
import { isThisMachine } from '../../shared/this-machine.ts';
import { VERSION } from '../../shared/version.ts';
import type { ServeSettings } from '../options/serve-settings.ts';
import { listen, listenForMetrics, NO_CONSOLE } from './listen.ts';
import { logOutput } from './log-output.ts';
import { stopSignal } from './stop-signal.ts';
import type { WorkerProcess } from './workers/worker-process.ts';

const NO_TLS =
  'listening on a network without TLS: whoever listens there can read admin keys and rosters. Use --tls-cert and --tls-key, or put a proxy with TLS in front and name it in --trust-proxy';

/** Serves the store in this process until it is told to stop: alone, or as one of several workers. */
export async function serveStore(
  options: Omit<ServeSettings, 'workers'>,
  worker?: WorkerProcess,
): Promise<void> {
  const { address, store, console: hasConsole, metricsAddress, tlsFiles, ...others } = options;
  const { adminKeyCache, logLevel, shutdownDelay, ...ofService } = others;
  const tls = tlsFiles && (await import('./tls.ts')).openTls(tlsFiles);
  const tlsWarning = await store.tlsWarning();
  const measuring = metricsAddress && (await openMetrics(metricsAddress, worker));
  const open = () => store.openReader(adminKeyCache);
  const openLater = async () => {
    const opened = await open();
    tellStore(opened);
    return opened;
  };
  const roster = (await open().catch(nullWhenAway)) ?? lazyReader(openLater);
  const console = hasConsole ? await readConsole() : null;
  const onDrop = () => measuring?.metrics.droppedLogLines.inc();
  const output = logOutput({ shared: worker !== undefined, onDrop });
  const service = new Service({
    // A setting that nothing reads doesn't compile.
    ...(ofService satisfies Record<Exclude<keyof typeof ofService, keyof ServiceOptions>, never>),
    roster,
    console,
    metrics: measuring?.metrics,
    tls: tls?.tls,
    log: { level: logLevel, destination: output },
    shutdown: { delayMs: shutdownDelay * 1000, lingerMs: LINGER_MS },
  });
  const { log } = service;
  const tellsAll = worker?.isFirst ?? true;
  const tellStore = (reader: StoreReader) => tellsAll && void tellOf(store, reader, log);
  try {
    tls?.reloadOnHangup(log);
    const stop = stopSignal({ hangup: tls === null });
    if (tellsAll && tlsWarning) log.warn(tlsWarning);
    await measuring?.listen(log);
    const url = await listen(service, address);
    const stopped = worker ? Promise.race([stop, worker.stopped()]) : stop;
    const isRemote = 'host' in address && !isThisMachine(new URL(url).hostname);
    const isPlain = !tls && !ofService.trustedProxies?.length && isRemote;
    if (tellsAll && isPlain) log.warn(NO_TLS);
    if (tellsAll && console) log.info(`the web console is at ${'host' in address ? url : ''}${CONSOLE_PATH}`);
    else if (tellsAll && hasConsole) log.warn(NO_CONSOLE);
    tellStore(roster);
    await stopped;
    log.info('stopping: no longer ready, answering what is under way');
  } finally {
    await service.close();
    measuring?.close();
    await roster.close();
    output.end();
  }
}

/** What is wrong with the settings ends the command, as it stays wrong. */
function nullWhenAway(error: unknown): null {
  if (error instanceof StoreAway) return null;
  throw error;
}

/** Nobody may ask `/readyz` for what is wrong with the store. */
async function tellOf(store: Store, { checkReadiness }: StoreReader, log: Log): Promise<void> {
  try {
    log.info(`keyroster ${VERSION}, and the store is ${(await store.findIdentity()).id}`);
    for (const problem of await checkReadiness()) log.warn(problem);
  } catch (error) {
    log.error((error as Error).message); // it is not ready, and a probe finds out when it is
  }
}

/** Those of a worker are served by its supervisor. */
async function openMetrics(address: Address, worker: WorkerProcess | undefined) {
  const { createMetricsServer, processMetrics } = await withMetrics(
    () => import('../../service/server/metrics-server.ts'),
  );
  const metrics = processMetrics(worker?.name);
  worker?.giveMetrics(metrics);
  const server = worker ? null : createMetricsServer(() => metrics.registry);
  return {
    metrics,
    listen: async (log: Log) => server && listenForMetrics(server, address, log),
    close: () => server?.close(),
  };
}
