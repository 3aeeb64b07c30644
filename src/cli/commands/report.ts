import { hash } from 'node:crypto';
import { Command, Option } from 'commander';
import type { KeyrosterClient } from '../../client/client.ts';
import { ageOf } from '../../report/age.ts';
import { Breaches } from '../../report/breaches.ts';
import { maxAge, noDefaultWorkspace, type Policy } from '../../report/policies.ts';
import { renderHtml } from '../../report/render-html.ts';
import { renderJson } from '../../report/render-json.ts';
import { ReportBuilder } from '../../report/report-builder.ts';
import type { RosterReport } from '../../report/roster-report.ts';
import { Refused } from '../../roster/errors.ts';
import { required } from '../options/shared-options.ts';
import { reportText } from '../report/report-text.ts';
import { connect, type ServiceFlags, serviceOptions } from '../service/connect.ts';
import { WALK_LIMIT, walkPages } from '../service/walk-pages.ts';
import { noPagerOption, type PagerFlags, pageOutput } from '../terminal/pager.ts';
import { printData, printError, printFitted } from '../terminal/print.ts';

interface ReportFlags extends ServiceFlags, PagerFlags {
  readonly format: keyof typeof renderers;
  readonly maxAge?: string;
  /** What commander makes of `--no-default-workspace`. */
  readonly defaultWorkspace: boolean;
}

/** Each gives the report piece by piece, as breaches may be many. */
const renderers = { table: reportText, json: renderJson, html: renderHtml };

export function reportCommand(): Command {
  const command = new Command('report')
    .description(
      'counts the API keys by status, age, workspace and creator; exits with 1 when a key breaks a policy',
    )
    .option('--max-age <days>', 'policy: no active key is older than this, such as 365d')
    .option('--no-default-workspace', 'policy: no active key is in the default workspace')
    .addOption(
      new Option('--format <format>', 'what to print').choices(Object.keys(renderers)).default('table'),
    );
  for (const option of [noPagerOption(), ...serviceOptions()]) command.addOption(option);
  return command
    .addHelpText('after', '\nExample: keyroster report --max-age 365d --format html > report.html')
    .action(async (flags: ReportFlags) => {
      const policies = policiesOf(flags);
      const client = await connect(flags);
      pageOutput(flags);
      const breaches = new Breaches(policies);
      const print = flags.format === 'table' ? printFitted : printData;
      try {
        const report = await walkRoster(client, breaches);
        if (breaches.total > 0) process.exitCode = 1; // before anything is printed, whose reader may leave
        for (const piece of renderers[flags.format](report, policies, breaches)) await print(piece);
        if (breaches.total > 0)
          printError(`keyroster: ${breaches.total.toLocaleString('en')} breach(es) of policy`);
      } finally {
        breaches.close();
      }
    });
}

function policiesOf({ maxAge: age, defaultWorkspace }: ReportFlags): Policy[] {
  const policies: Policy[] = [];
  if (age !== undefined) policies.push(maxAge(daysOf(age)));
  if (!defaultWorkspace) policies.push(noDefaultWorkspace);
  return policies;
}

function daysOf(text: string): number {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  return required(
    '--max-age',
    days === undefined ? undefined : Number(days),
    'must be a number of days such as 365d',
  );
}

async function walkRoster(client: KeyrosterClient, breaches: Breaches): Promise<RosterReport> {
  const now = new Date();
  const builder = new ReportBuilder(now, text => hash('sha256', text, 'buffer'));
  for await (const page of walkPages(client, { limit: WALK_LIMIT })) {
    builder.ofOrganization(page.organizationId);
    const keys = page.data.map(key => ({ key, ageMs: known(ageOf(key.created_at, now), key.id) }));
    for (const { key, ageMs } of keys) builder.add(key, ageMs);
    breaches.add(keys);
  }
  return builder.report();
}

function known(ageMs: number | undefined, id: string): number {
  if (ageMs === undefined)
    throw new Refused(`the service lists ${id} with a created_at that is not a timestamp`);
  return ageMs;
}
