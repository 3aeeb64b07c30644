import { Command } from 'commander';
import { databaseOption, storeAt } from '../options/database.ts';
import { type ServeOptions, serveOptions, serveSettings } from '../options/serve-options.ts';
import { hostOf, hostOption, portOf, portOption, vendorOf, vendorOption } from '../options/shared-options.ts';
import { thisPlace } from '../serve/workers/place.ts';

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
  const { workers, ...settings } = serveSettings(options);
  const service = {
    ...settings,
    vendor: vendorOf(options.vendor),
    host: hostOf('--host', options.host),
    port: portOf('--port', options.port),
    store: storeAt(options.database),
    console: options.console,
  };
  const place = thisPlace();
  if (workers > 1 && !place) {
    const { supervise } = await import('../serve/workers/supervise.ts');
    return supervise({ ...settings, workers, hangup: settings.tlsFiles ? 'reload' : 'stop' });
  }
  const { serveStore } = await import('./serve-store.ts');
  if (!place) return serveStore(service);
  const { WorkerProcess } = await import('../serve/workers/worker-process.ts');
  const worker = new WorkerProcess(place, settings.rateLimit);
  try {
    await serveStore({ ...service, ...worker.shareOf(service) }, worker);
  } finally {
    worker.leave();
  }
}
