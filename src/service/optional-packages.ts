import { Refused } from '../shared/record/faults.ts';

/** Loads what imports these packages, which not everybody installs. Throws `Refused` where one is missing. */
async function withPackages<T>(
  what: string,
  packages: readonly string[],
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' || !packages.some(name => message.includes(`'${name}'`))) throw cause;
    const named = `the package${packages.length > 1 ? 's' : ''} ${packages.join(' and ')}`;
    throw new Refused(`${what} needs ${named}: npm install ${packages.join(' ')}`, { cause });
  }
}

export const withDriver = <T>(load: () => Promise<T>) =>
  withPackages('database: postgres://…', ['pg', 'pg-copy-streams'], load);

export const withMetrics = <T>(load: () => Promise<T>) => withPackages('metrics:', ['prom-client'], load);
