import { SETTINGS } from '../../service/settings.ts';
import { Command } from '../../shared/command/command.ts';
import { serveSettings } from '../options/serve-settings.ts';
import { optionOf } from '../options/setting-option.ts';
import { thisPlace } from '../serve/workers/messages.ts';

export function serveCommand(): Command {
  return new Command('serve')
    .description('runs the service: read-only, log lines as JSON on standard output')
    .addOptions(...Object.values(SETTINGS).map(optionOf))
    .example('keyroster serve --database sqlite:data/keyroster.db --port 8080')
    .action((_, command: Command) => serve(command));
}

async function serve(command: Command): Promise<void> {
  const place = thisPlace();
  const { workers, ...settings } = serveSettings(command);
  if (workers > 1 && !place) {
    const { supervise } = await import('../serve/workers/supervise.ts');
    return supervise({ ...settings, workers });
  }
  const { serveStore } = await import('../serve/serve-store.ts');
  if (!place) return serveStore(settings);
  const { WorkerProcess } = await import('../serve/workers/worker-process.ts');
  const worker = new WorkerProcess(place);
  return serveStore({ ...settings, ...worker.shareOf(settings) }, worker);
}
