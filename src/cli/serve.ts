import { Command } from 'commander';
import { listen, stopSignal } from './listen.ts';
import {
  adminKeyCacheOf,
  adminKeyCacheOption,
  databaseOption,
  hostOption,
  portOf,
  portOption,
  vendorOf,
  vendorOption,
} from './options.ts';
import { storeAt } from './store.ts';

export function serveCommand(): Command {
  return new Command('serve')
    .description('runs the service: read-only, log lines as JSON on standard output')
    .addOption(databaseOption())
    .addOption(hostOption())
    .addOption(portOption())
    .addOption(vendorOption())
    .addOption(adminKeyCacheOption())
    .addHelpText('after', '\nExample: keyroster serve --database sqlite:data/keyroster.db --port 8080')
    .action(serve);
}

interface ServeOptions {
  readonly database: string;
  readonly host: string;
  readonly port: string;
  readonly vendor: string;
  readonly adminKeyCache: string;
}

async function serve(options: ServeOptions): Promise<void> {
  const vendor = vendorOf(options.vendor);
  const port = portOf(options.port);
  const adminKeyCacheSeconds = adminKeyCacheOf(options.adminKeyCache);
  // Loaded here, so that the other commands start without the HTTP side.
  const { createApp } = await import('../server/app.ts');
  const roster = await storeAt(options.database).openReader({ adminKeyCacheSeconds });
  const app = createApp({ roster, vendor, log: process.stdout });
  app.addHook('onClose', () => roster.close());
  try {
    const stop = stopSignal();
    await listen(app, options.host, port);
    await stop;
  } finally {
    await app.close();
  }
}
