import { Option } from 'commander';
import { Command, UsageError } from '../../../shared/command/command.ts';
import { EXIT_CODES } from '../../../shared/command/exit-codes.ts';
import { exactOption, requireCsv, required } from '../../../shared/command/options.ts';
import { printAtEnd, printData, printFitted } from '../../../shared/command/terminal/print.ts';
import { Refused } from '../../../shared/record/faults.ts';
import { ageOf } from '../../report/age.ts';
import { Breaches } from '../../report/breaches.ts';
import { maxAge, noDefaultWorkspace, type Policy } from '../../report/policies.ts';
import { renderHtml } from '../../report/render-html.ts';
import { renderJson } from '../../report/render-json.ts';
import { ReportBuilder } from '../../report/report-builder.ts';
import type { RosterReport } from '../../report/roster-report.ts';
import { number, unjudgedText } from '../../report/sections.ts';
import { connect, refuseServiceOptions, type ServiceFlags, serviceOptions } from '../connection/connect.ts';
import { type WalkedPage, walkPages } from '../connection/walk-pages.ts';
import { reportCsv } from '../report/report-csv.ts';
import { reportText } from '../report/report-text.ts';

interface ReportFlags extends ServiceFlags {
  readonly format: (typeof FORMATS)[number];
  readonly policies?: string;
  readonly maxAge?: string;
  /** What commander makes of `--no-default-workspace`. */
  readonly defaultWorkspace: boolean;
  readonly exact?: boolean;
  readonly file?: string;
}

const FORMATS = ['table', 'json', 'html', 'csv'] as const;

export function reportCommand(): Command {
  return new Command('report')
    .description(
      'counts the API keys by status, age, workspace and creator; exits with 1 when a key breaks a policy',
    )
    .option('--policies <file>', 'policies as JSON (docs/admin.md)')
    .option('--max-age <days>', 'policy: no active key is older than this, such as 365d')
    .option('--no-default-workspace', 'policy: no active key is in the default workspace')
    .addOption(
      new Option('--format <format>', 'what to print; csv has the breaches')
        .choices(FORMATS)
        .default('table'),
    )
    .addOption(exactOption())
    .option('--file <file>', 'a roster that list has saved, or - for standard input, and no service')
    .addOptions(...serviceOptions())
    .example('keyroster-admin report --policies policies.json --format html > report.html')
    .action(async (flags: ReportFlags, command: Command) => {
      const policies = await policiesOf(flags);
      if (flags.format === 'csv' && policies.length === 0)
        throw new UsageError('--format: csv has the breaches of policies: give --policies or another policy');
      requireCsv(flags.exact, flags.format === 'csv' || flags.file !== undefined);
      const pages = await pagesOf(flags, command);
      const now = new Date();
      const breaches = new Breaches(policies, now);
      const report = await walkRoster(pages, breaches, now);
      const [broken, warned] = [breaches.total('fail'), breaches.total('warn')];
      const unjudged = policies.filter(policy => breaches.unjudged(policy).size > 0);
      if (broken > 0 || unjudged.some(({ level }) => level === 'fail')) process.exitCode = EXIT_CODES.failed; // before anything is printed, whose reader may leave
      const print = flags.format === 'table' ? printFitted : printData;
      for (const piece of piecesOf(flags, report, policies, breaches)) await print(piece);
      for (const policy of unjudged)
        printAtEnd(`keyroster-admin: ${policy.name} ${unjudgedText(breaches.unjudged(policy))}`);
      if (broken + warned > 0)
        printAtEnd(`keyroster-admin: ${number(broken)} breach(es) of policy, ${number(warned)} warning(s)`);
    });
}

/** The report piece by piece, as breaches may be many. */
function piecesOf(
  { format, exact = false }: ReportFlags,
  report: RosterReport,
  policies: readonly Policy[],
  breaches: Breaches,
): Iterable<string> {
  if (format === 'csv') return reportCsv(policies, breaches, exact);
  return { table: reportText, json: renderJson, html: renderHtml }[format](report, policies, breaches);
}

async function policiesOf({
  policies: file,
  maxAge: age,
  defaultWorkspace,
}: ReportFlags): Promise<readonly Policy[]> {
  const policies: Policy[] = [];
  if (age !== undefined) policies.push(maxAge(daysOf(age)));
  if (!defaultWorkspace) policies.push(noDefaultWorkspace);
  if (file === undefined) return policies;
  const { readPolicies } = await import('../report/policies-file.ts');
  const inFile = readPolicies(file);
  for (const { name } of policies)
    if (inFile.some(policy => policy.name === name))
      throw new UsageError(`--policies: ${file}: the name ${name} is that of the flag: rename the policy`);
  return [...policies, ...inFile];
}

function daysOf(text: string): number {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  return required(
    '--max-age',
    days === undefined ? undefined : Number(days),
    'must be a number of days such as 365d',
  );
}

async function pagesOf(flags: ReportFlags, command: Command): Promise<AsyncIterable<WalkedPage>> {
  const { file, exact, format } = flags;
  if (file === undefined) return walkPages(await connect(flags));
  refuseServiceOptions(command, 'is of a service, and --file asks none');
  const { savedPages } = await import('../saved/saved-roster.ts');
  return savedPages(file, { exact, whenNotCsv: () => requireCsv(exact, format === 'csv') });
}

async function walkRoster(
  pages: AsyncIterable<WalkedPage>,
  breaches: Breaches,
  now: Date,
): Promise<RosterReport> {
  const builder = new ReportBuilder(now);
  for await (const page of pages) {
    builder.ofOrganization(page.organizationId, page.scope);
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
