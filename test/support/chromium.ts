/**
 * A real Chromium, installed by npm, so that the machine needs no browser and no system library. The package is for Linux
 * on x64; elsewhere the installed Chrome is used.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';

const PACKAGED = process.platform === 'linux' && process.arch === 'x64';

/** The environment variable with the endpoint of the browser that all test files of a run share. */
export const BROWSER_ENDPOINT = 'KEYROSTER_TEST_BROWSER';

export type RunningChromium = Awaited<ReturnType<typeof startChromium>>;

/** The endpoint is for `chromium.connect`. */
export async function startChromium() {
  const folder = mkdtempSync(join(tmpdir(), 'keyroster-chromium-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const server = await chromium.launchServer({
      ...(PACKAGED ? await packagedChromium(folder) : { channel: 'chrome' }),
      chromiumSandbox: false, // needs privileges that containers seldom have, and doesn't work for root
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
 * The package unpacks into the folder named by `TMPDIR`, with its libraries only when the environment looks like AWS
 * Lambda. So it runs in a child process with an environment that sets both, and each run has its own folder.
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

/** Uses the packaged font, and the machine's fonts for the characters that it lacks. */
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
