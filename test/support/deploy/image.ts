/**
 * Builds deploy/Dockerfile without an engine: each stage is a folder, in which the same steps are run with the npm and the Node of
 * this machine. The last stage's base is Node and the libraries that it is linked with, and nothing else.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, cpSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Scope, temporaryFolder } from '../scope.ts';
import { type Step, stagesOf } from './stages.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** What is `/` in a container, its bytes without those of the base, and the settings of the last stage. */
export type Image = ReturnType<typeof buildImage>;

interface Building {
  readonly folder: string;
  readonly env: Record<string, string>;
  workdir: string;
}

export function buildImage(scope: Scope) {
  const stages = stagesOf(readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8'));
  const built = new Map<string | null, Building>();
  for (const { name, steps } of stages) {
    const stage: Building = { folder: temporaryFolder(scope), env: {}, workdir: '/' };
    chmodSync(stage.folder, 0o755); // others than root look into it
    for (const step of steps) run(step, stage, built);
    built.set(name, stage);
  }
  const steps = stages.at(-1)?.steps ?? [];
  const last = (keyword: string) => steps.findLast(step => step.keyword === keyword) as Step;
  const { folder, env } = built.get(null) as Building;
  const [size] = execFileSync('du', ['--summarize', '--bytes', folder], { encoding: 'utf8' }).split('\t');
  addBase(folder);
  return {
    folder,
    size: Number(size),
    env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...env },
    /** `uid:gid` */
    user: String(last('USER').arguments[0]),
    entrypoint: last('ENTRYPOINT').arguments,
    healthcheck: JSON.parse(last('HEALTHCHECK').text.replace(/^CMD /, '')) as [string, ...string[]],
  };
}

function run(
  { keyword, arguments: words, text, flags }: Step,
  stage: Building,
  built: ReadonlyMap<string | null, Building>,
) {
  const here = join(stage.folder, stage.workdir);
  if (keyword === 'WORKDIR') {
    stage.workdir = resolve(stage.workdir, String(words[0]));
    mkdirSync(join(stage.folder, stage.workdir), { recursive: true });
  } else if (keyword === 'ENV') {
    for (const word of words) stage.env[word.slice(0, word.indexOf('='))] = word.slice(word.indexOf('=') + 1);
  } else if (keyword === 'COPY') {
    const from = flags.from === undefined ? undefined : built.get(flags.from)?.folder;
    copy(words, from, stage, flags.chown);
  } else if (keyword === 'RUN') {
    execFileSync('sh', ['-c', text], {
      cwd: here,
      env: { ...buildEnv(), ...stage.env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  } else if (!['USER', 'EXPOSE', 'STOPSIGNAL', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD'].includes(keyword))
    throw new Error(`a step that the test can't do: ${keyword} ${text}`);
}

/** The folders of this machine's Node and npm, without the settings of the tests and of the npm script that runs them. */
function buildEnv(): Record<string, string> {
  const { HOME = '/', PATH = '' } = process.env;
  return { HOME, PATH: `${dirname(process.execPath)}:${PATH}`, npm_config_prefer_offline: 'true' };
}

/** A folder's content goes into the target, a file goes into a target that ends in a slash. */
function copy(
  words: readonly string[],
  from: string | undefined,
  { folder, workdir }: Building,
  owner?: string,
): void {
  const target = join(folder, resolve(workdir, String(words.at(-1))));
  mkdirSync(target, { recursive: true });
  for (const word of words.slice(0, -1))
    for (const source of from === undefined ? inContext(word) : [{ path: join(from, word), name: '' }]) {
      const isFolder = statSync(source.path).isDirectory();
      const to = join(target, isFolder ? source.name : source.name || basename(source.path));
      cpSync(source.path, to, { recursive: true, verbatimSymlinks: true });
      if (from === undefined) execFileSync('chmod', ['-R', 'go=', to]); // as a strict umask leaves a checkout
    }
  if (owner) chownSync(target, ...(owner.split(':').map(Number) as [uid: number, gid: number]));
}

/** What `COPY . .` and `COPY file` take of the project: only what .dockerignore allows. */
function inContext(word: string): { path: string; name: string }[] {
  const lines = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n');
  const allowed = lines.filter(line => line.startsWith('!')).map(line => line.slice(1));
  const wanted = word === '.' ? allowed : allowed.filter(each => each === word);
  if (wanted.length === 0) throw new Error(`.dockerignore keeps ${word} out`);
  return wanted.map(name => ({ path: join(ROOT, name), name }));
}

function addBase(folder: string): void {
  const libraries = execFileSync('ldd', [process.execPath], { encoding: 'utf8' }).matchAll(/(\/\S+) \(0x/g);
  const files = [...libraries].map(([, path = '']) => [path, path]);
  for (const [from = '', to = ''] of [...files, [process.execPath, '/usr/local/bin/node']]) {
    mkdirSync(dirname(join(folder, to)), { recursive: true });
    copyFileSync(from, join(folder, to));
  }
  for (const name of ['dev', 'proc']) mkdirSync(join(folder, name));
}
