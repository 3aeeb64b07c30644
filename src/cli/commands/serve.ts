import { Command } from 'commander';
import { CONSOLE_PATH } from '../../api/console.ts';
import { readConsole } from '../../api/read-console.ts';
import { LINGER_MS } from '../../server/limits.ts';
import { Service } from '../../server/service.ts';
import { isThisMachine } from '../../this-machine.ts';
import { databaseOption, storeAt } from '../options/database.ts';
import { type ServeOptions, serveOptions, serveSettings } from '../options/serve-options.ts';
import { hostOf, hostOption, portOf, portOption, vendorOf, vendorOption } from '../options/shared-options.ts';
import { listen, listenForMetrics, NO_CONSOLE } from '../serve/listen.ts';
import { logOutput } from '../serve/log-output.ts';
import { stopSignal } from '../serve/stop-signal.ts';

const NO_TLS =
  'listening on a network without TLS: whoever listens there can read admin keys and rosters. Use --tls-cert and --tls-key, or put a proxy with TLS in front and name it in --trust-proxy';

export function serveCommand(): Command {
  const command = new Command('serve')
    .description('runs the service: read-only, log lines as JSON on standard output')
    .addOption(databaseOption())
    .addOption(hostOption())
    .addOption(portOption())
    .addOption(vendorOption());
  for (const option of serveOptions()) command.addOption(option);
  return command
    .addHelpText('after', '\nExample: keyroster serve --database sqlite:data/keyroster.db --port 8080')
    .action(serve);
}

interface Options extends ServeOptions {
  readonly database: string;
  readonly host: string;
  readonly port: string;
  readonly vendor: string;
}

async function serve(options: Options): Promise<void> {
  const vendor = vendorOf(options.vendor);
  const host = hostOf('--host', options.host);
  const port = portOf('--port', options.port);
  const {
    caches,
    shutdownDelayMs,
    log: logged,
    metricsAddress,
    tlsFiles,
    ...settings
  } = serveSettings(options);
  const tls = tlsFiles && (await import('../serve/tls.ts')).openTls(tlsFiles);
  const store = storeAt(options.database);
  const tlsWarning = await store.tlsWarning();
  const roster = await store.openReader(caches);
  const measuring = metricsAddress && (await import('../../server/metrics-server.ts'));
  const metrics = measuring?.processMetrics();
  const console = options.console ? await readConsole() : null;
  const output = logOutput();
  const service = new Service({
    ...settings,
    roster,
    vendor,
    console,
    metrics,
    tls: tls?.tls,
    log: { ...logged, destination: output },
    shutdown: { delayMs: shutdownDelayMs, lingerMs: LINGER_MS },
  });
  const { log } = service;
  const metricsServer = metrics && measuring?.createMetricsServer(metrics);
  try {
    tls?.reloadOnHangup(log);
    const stop = stopSignal({ hangup: tls === null });
    if (tlsWarning) log.warn(tlsWarning);
    if (metricsServer && metricsAddress)
      log.info(`metrics at ${await listenForMetrics(metricsServer, metricsAddress)}`);
    const url = await listen(service, host, port);
    const behindProxy = settings.trustedProxies.length > 0;
    if (!tls && !behindProxy && !isThisMachine(new URL(url).hostname)) log.warn(NO_TLS);
    if (console) log.info(`the web console is at ${url}${CONSOLE_PATH}`);
    else if (options.console) log.warn(NO_CONSOLE);
    await stop;
    log.info('stopping: no longer ready, answering what is under way');
  } finally {
    await service.close();
    metricsServer?.close();
    await roster.close();
    output.end();
  }
}
