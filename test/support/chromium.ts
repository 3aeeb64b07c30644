/**
 * A real Chromium that npm has installed: no browser and no system library has to be there. The package is for Linux on
 * x64; elsewhere it is the Chrome of the machine.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';

const PACKAGED = process.platform === 'linux' && process.arch === 'x64';

/** The environment variable that tells the test files of a run where its browser is. */
export const BROWSER_ENDPOINT = 'KEYROSTER_TEST_BROWSER';

export interface RunningChromium {
  /** For `chromium.connect`. */
  readonly endpoint: string;
  stop(): Promise<void>;
}

export async function startChromium(): Promise<RunningChromium> {
  const folder = mkdtempSync(join(tmpdir(), 'keyroster-chromium-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const server = await chromium.launchServer({
      ...(PACKAGED ? await packagedChromium(folder) : { channel: 'chrome' }),
      chromiumSandbox: false, // needs rights that a container seldom has, and isn't there for root
    });
    return { endpoint: server.wsEndpoint(), stop: () => server.close().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}

async function packagedChromium(folder: string) {
  const executablePath = await unpack(folder);
  writeFileSync(join(folder, 'fonts.conf'), fontsConf(folder));
  const env = {
    HOME: folder,
    TMPDIR: folder,
    LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
    FONTCONFIG_FILE: join(folder, 'fonts.conf'),
  };
  return { executablePath, env, args: ['--font-render-hinting=none'] };
}

/**
 * The package unpacks into the temporary folder and, for a certain cloud's runtime only, libraries too, by way of the
 * environment: a process of its own gets one that says both, so that two users don't meet in one folder.
 */
async function unpack(folder: string): Promise<string> {
  const program = `
    import chromium from '@sparticuz/chromium';
    process.stdout.write(await chromium.executablePath());`;
  const env = { ...process.env, TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x' };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    env,
    cwd: import.meta.dirname,
  });
  return stdout;
}

/** The packaged font, and those that the machine may have for what it lacks. */
function fontsConf(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
  <alias><family>system-ui</family><prefer><family>Open Sans</family></prefer></alias>
  <alias><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
</fontconfig>
`;
}
