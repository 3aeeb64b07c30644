import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CONSOLE_PATH, readConsole } from '../../service/api/console.ts';
import { LIST_API_KEYS_PATH } from '../../service/api/request.ts';
import { newAdminKey } from '../../service/roster/admin-key.ts';
import { AdminKeySecret } from '../../service/roster/admin-key-secret.ts';
import { type Address, Service, type SocketFile } from '../../service/server/service.ts';
import { SETTINGS } from '../../service/settings.ts';
import { systemUser } from '../../service/system-user.ts';
import { Command } from '../../shared/command/command.ts';
import { printError, printNewAdminKey } from '../../shared/command/terminal/print.ts';
import { newId, type OrganizationId } from '../../shared/record/identifier.ts';
import { timestampNow } from '../../shared/record/timestamp.ts';
import { DEFAULT_VENDOR } from '../../shared/record/vendor.ts';
import { importFile } from '../import/run-import.ts';
import { storeAt, withWriter } from '../options/database.ts';
import { optionOf, settingOf } from '../options/setting-option.ts';
import { listen, NO_CONSOLE } from '../serve/listen.ts';
import { stopSignal } from '../serve/stop-signal.ts';

const EXAMPLES = fileURLToPath(new URL('../../../examples/api-keys.jsonl', import.meta.url));

export function demoCommand(): Command {
  return new Command('demo')
    .description(
      'runs the service over an example roster in a temporary folder, which is deleted when it stops',
    )
    .addOptions(optionOf(SETTINGS.host), optionOf(SETTINGS.port), optionOf(SETTINGS.vendor))
    .example('keyroster demo --port 0')
    .action(async (options: { host: string; port: unknown; vendor: string }, command: Command) => {
      const vendor = settingOf(SETTINGS.vendor, options.vendor);
      const host = settingOf(SETTINGS.host, options.host);
      const port = settingOf(SETTINGS.port, options.port);
      const stop = stopSignal();
      const folder = await mkdtemp(join(tmpdir(), 'keyroster-demo-'));
      try {
        const database = `sqlite:${join(folder, 'keyroster.db')}`;
        const store = storeAt(database);
        const secret = AdminKeySecret.issue(vendor);
        await store.migrate(systemUser());
        const keys = await fill(database, secret);
        const roster = await store.openReader();
        const console = await readConsole();
        const service = new Service({ roster, vendor, console });
        const mayMove = command.getOptionValueSource('port') === 'default';
        const url = await listenSomewhere(service, typeof host === 'string' ? { host, port } : host, mayMove);
        printNewAdminKey(welcome(url, vendor, secret, keys, console !== null));
        await stop;
        await service.close();
        await roster.close();
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
}

/** Adds one organization, its admin key and the example roster. Returns how many keys it has. */
async function fill(database: string, secret: AdminKeySecret): Promise<number> {
  const createdAt = timestampNow();
  const organizationId = newId<OrganizationId>('org');
  return withWriter({ database, actor: undefined }, async roster => {
    await roster.createOrganization({ id: organizationId, name: 'Demo', createdAt });
    await roster.createAdminKey(
      newAdminKey(secret, { organizationId, scope: null, name: 'demo', createdAt }),
    );
    return (await importFile(roster, { id: organizationId }, EXAMPLES)).inserted;
  });
}

/** A demo should just start: if nobody asked for the port and it is in use, it takes a free one. */
async function listenSomewhere(
  service: Service,
  address: Address | SocketFile,
  mayMove: boolean,
): Promise<string> {
  try {
    return await listen(service, address);
  } catch (error) {
    const { code } = (error as Error).cause as NodeJS.ErrnoException;
    if (!mayMove || 'path' in address || code !== 'EADDRINUSE') throw error;
    printError(`port ${address.port} is taken: the demo takes a free one`);
    return listen(service, { ...address, port: 0 });
  }
}

function welcome(
  url: string,
  vendor: string,
  secret: AdminKeySecret,
  keys: number,
  console: boolean,
): string {
  const ofVendor = vendor === DEFAULT_VENDOR ? '' : ` KEYROSTER_VENDOR=${vendor}`;
  return `Keyroster lists ${keys} example API keys at ${url}
Admin key: ${secret.reveal()}
Console: ${console ? url + CONSOLE_PATH : NO_CONSOLE}

Try it:
  curl '${url}${LIST_API_KEYS_PATH}?limit=2' -H 'x-api-key: ${secret.reveal()}' -H '${vendor}-version: 2023-06-01'

For keyroster-admin:
  export KEYROSTER_BASE_URL=${url} KEYROSTER_ADMIN_KEY=${secret.reveal()}${ofVendor}

Stop it with Ctrl-C. Its data is in a temporary folder, which is deleted then.
`;
}
