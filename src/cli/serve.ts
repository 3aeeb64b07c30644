import { Command } from 'commander';
import { listen, stopSignal } from './listen.ts';
import { databaseOption, hostOption, portOf, portOption, vendorOf, vendorOption } from './options.ts';
import { storeAt } from './store.ts';

export function serveCommand(): Command {
  return new Command('serve')
    .description('runs the service: read-only, log lines as JSON on standard output')
    .addOption(databaseOption())
    .addOption(hostOption())
    .addOption(portOption())
    .addOption(vendorOption())
    .addHelpText('after', '\nExample: keyroster serve --database sqlite:data/keyroster.db --port 8080')
    .action(async (options: { database: string; host: string; port: string; vendor: string }) => {
      const vendor = vendorOf(options.vendor);
      const port = portOf(options.port);
      // Loaded here, so that the other commands start without the HTTP side.
      const { createApp } = await import('../server/app.ts');
      const roster = await storeAt(options.database).openReader();
      const app = createApp({ roster, vendor, log: process.stdout });
      app.addHook('onClose', () => roster.close());
      try {
        const stop = stopSignal();
        await listen(app, options.host, port);
        await stop;
      } finally {
        await app.close();
      }
    });
}
