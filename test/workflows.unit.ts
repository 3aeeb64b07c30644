import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
// json-schema-to-typescript, a development dependency, brings it.
import { load } from 'js-yaml';

const root = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const FOLDER = '.github/workflows';
const { scripts, version } = JSON.parse(readFileSync(root('package.json'), 'utf8'));

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Record<string, unknown>;
}

interface Job {
  readonly uses?: string;
  readonly permissions?: object;
  readonly needs?: readonly string[];
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly on: object;
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

const workflows = readdirSync(root(FOLDER)).map(name => ({
  name,
  text: readFileSync(root(`${FOLDER}/${name}`), 'utf8'),
}));
const parsed = (text: string) => load(text) as Workflow;
const stepsOf = ({ steps = [] }: Job) => steps;
const commandsOf = (job: Job) =>
  stepsOf(job).flatMap(({ run }) => run?.split('&&').map(command => command.trim()) ?? []);

for (const { name, text } of workflows) {
  describe(`the workflow ${name}`, () => {
    const workflow = parsed(text);
    const jobs = Object.values(workflow.jobs);

    test('runs only files and scripts of the project, after jobs, that exist', () => {
      for (const command of jobs.flatMap(commandsOf)) {
        const [program = '', first = '', script = ''] = command.split(' ');
        if (program.includes('/')) accessSync(root(program), constants.X_OK);
        if (program === 'npm' && first === 'run') assert(script in scripts, command);
      }
      for (const { uses } of jobs) if (uses) accessSync(root(uses));
      for (const { needs = [] } of jobs) for (const job of needs) assert(job in workflow.jobs, job);
    });

    test('may read the repository and nothing else; only the job that publishes may ask for a token', () => {
      assert.deepEqual(workflow.permissions, { contents: 'read' });
      for (const job of jobs.filter(({ permissions }) => permissions)) {
        assert.deepEqual(job.permissions, { 'id-token': 'write' });
        for (const command of commandsOf(job)) assert.match(command, /^(npm publish|sha256sum) /);
      }
    });

    test('pins each action by its commit, keeps no credentials and puts no expression into a shell', () => {
      for (const line of text.split('\n').filter(each => each.includes('uses: actions/')))
        assert.match(line, /@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
      for (const { uses = '', run = '', with: inputs } of jobs.flatMap(stepsOf)) {
        if (uses.startsWith('actions/checkout@')) assert.equal(inputs?.['persist-credentials'], false);
        assert(!run.includes('${{'), run);
      }
    });

    test('runs nothing with the rights of the repository for a pull request from outside', () => {
      assert(!('pull_request_target' in workflow.on) && !('workflow_run' in workflow.on));
    });
  });
}

test('the release publishes what it packed, once the tests passed, and only for the tag of the version', () => {
  const { jobs } = parsed(String(workflows.find(({ name }) => name === 'release.yml')?.text));
  assert.deepEqual(jobs.publish?.needs, ['test', 'pack']);
  const check = String(commandsOf(jobs.pack as Job).find(command => command.startsWith('test ')));
  const passes = (tag: string) => {
    const env = { ...process.env, GITHUB_REF_NAME: tag };
    return spawnSync('sh', ['-c', check], { cwd: root(''), env }).status === 0;
  };
  assert(passes(`v${version}`));
  for (const tag of [version, `v${version}1`, 'v', '']) assert(!passes(tag), tag);
});
