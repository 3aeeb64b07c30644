import { Refused } from '../shared/record/faults.ts';

export const withDriver = <T>(load: () => Promise<T>) =>
  withPackage(DRIVER, 'pg@8', async () => {
    const { default: pg } = await import('pg');
    // No older one is tested, and those before 8.15 lack what is imported here.
    if (!('pipeline' in new pg.Client()))
      throw new Refused(`${DRIVER} pg 8.23.1 or later: ${install('pg@8')}`);
    return load();
  });

const DRIVER = 'database: postgres://… needs';

export const withCopy = <T>(load: () => Promise<T>) =>
  withPackage('import: into postgres://… needs', 'pg-copy-streams@7', load);

export const withMetrics = <T>(load: () => Promise<T>) =>
  withPackage('metrics: needs', 'prom-client@15', load);

export const withJose = <T>(load: () => Promise<T>) =>
  withPackage('jwtAuthentication: needs', 'jose@6', load);

const install = (wanted: string) =>
  `install it beside keyroster: npm install ${wanted}, with --global for a global keyroster`;

/** Loads what imports a package that not everybody installs. Throws `Refused` where it is missing. */
async function withPackage<T>(needs: string, wanted: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const { code, message, pnpCode } = cause as NodeJS.ErrnoException & { pnpCode?: string };
    const [name] = wanted.split('@');
    // A path, or another package of a longer name, doesn't mean this one.
    const isNamed = new RegExp(`(?<![\\w/@-])${name}(?![\\w/-])`).test(message);
    if (!isNamed || !(pnpCode || /MODULE_NOT_FOUND$/.test(String(code)))) throw cause;
    throw new Refused(`${needs} the package ${name}: ${install(wanted)}`, { cause });
  }
}
