/** Packages of the registry, installed in a temporary folder for long tests. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Without their scripts. `undefined` when all are there; else why not, in one line. */
export async function install(folder: string, packages: readonly string[]): Promise<string | undefined> {
  const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', ...packages];
  try {
    await promisify(execFile)('npm', args, { cwd: folder, timeout: 300_000 });
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    const [reason] = /(?<=npm error )code .*/.exec(message) ?? [message];
    return `nothing was tested: npm can't install ${packages.join(', ')}: ${reason}`;
  }
}
