import { Refused } from '../shared/record/faults.ts';

export const withDriver = <T>(load: () => Promise<T>) =>
  withPackages('database: postgres://… needs the packages', ['pg', 'pg-copy-streams'], load);

export const withMetrics = <T>(load: () => Promise<T>) =>
  withPackages('metrics: needs the package', ['prom-client'], load);

/** Loads what imports packages that not everybody installs. Throws `Refused` where one is missing. */
async function withPackages<T>(
  need: string,
  packages: readonly string[],
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (!/MODULE_NOT_FOUND$/.test(String(code)) || !packages.some(name => message.includes(`'${name}'`)))
      throw cause;
    throw new Refused(`${need} ${packages.join(' and ')}: npm install ${packages.join(' ')}`, { cause });
  }
}
