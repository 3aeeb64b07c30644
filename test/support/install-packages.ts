import { spawnSync } from 'node:child_process';

/** Installs packages into the folder. Returns why that isn't possible, or `false`. */
export function installPackages(folder: string, ...packages: readonly string[]): string | false {
  const args = ['install', '--no-save', '--no-audit', '--no-fund', ...packages];
  const { status, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' });
  return status !== 0 && `${packages.join(', ')} can't be installed: ${stderr.slice(-300)}`;
}
