import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { Option } from 'commander';
import type { ListedKey } from '../../../client/listed-key.ts';
import { Command, UsageError } from '../../../shared/command/command.ts';
import { EXIT_CODES } from '../../../shared/command/exit-codes.ts';
import { exactOption, requireCsv, required } from '../../../shared/command/options.ts';
import { csvRowToPrint, printAtEnd, printData, printFitted } from '../../../shared/command/terminal/print.ts';
import { withoutUsedAdminKey } from '../../../shared/command/terminal/shown.ts';
import { VERSION } from '../../../shared/version.ts';
import { type Directory, knowsNobody } from '../../directory/directory.ts';
import { isDeclared } from '../../find/told.ts';
import { batchesOf } from '../../report/batches.ts';
import { Breaches } from '../../report/breaches.ts';
import { defaultPolicies, type PoliciesOf } from '../../report/default-policies.ts';
import { ownPolicies } from '../../report/parse-policies.ts';
import { KNOWS_NOBODY, type Policy } from '../../report/policies.ts';
import { fieldsBeyond, sampleOf } from '../../report/readable-record.ts';
import { renderHtml } from '../../report/render-html.ts';
import { renderJson } from '../../report/render-json.ts';
import { ReportBuilder, type RosterReport } from '../../report/report-builder.ts';
import { doubtsOf, type ReportView } from '../../report/report-view.ts';
import { figureTexts, number } from '../../report/sections.ts';
import { revokeCsv } from '../../report/worklist.ts';
import { severalOptions } from '../connection/connect.ts';
import {
  type DirectoryFlags,
  directoryOf,
  directoryOptions,
  type Note,
} from '../connection/directory-file.ts';
import { requireEmptyFolder, TABLE, writeMessages } from '../report/message-files.ts';
import { readPolicies } from '../report/policies-file.ts';
import { reportText } from '../report/report-text.ts';
import { Source, type SourceFlags } from '../source.ts';

interface ReportFlags extends SourceFlags, DirectoryFlags {
  readonly format: (typeof FORMATS)[number];
  readonly policies?: string;
  readonly maxAge?: string;
  readonly expiresWithin?: string;
  /** What commander makes of `--no-default-workspace`. */
  readonly defaultWorkspace: boolean;
  readonly strict?: true;
  readonly messages?: string;
}

const FORMATS = ['table', 'json', 'html', 'csv'] as const;
const DEFAULT_POLICIES = 'default';

export function reportCommand(): Command {
  return new Command('report')
    .description(
      `counts the API keys by status, age, workspace and creator; exits with ${EXIT_CODES.needsALook} when a key breaks a policy`,
    )
    .option(
      '--policies <file>',
      `policies as JSON (docs/admin.md), or ${DEFAULT_POLICIES} for usual ones as warnings`,
    )
    .option('--max-age <days>', 'policy: no active key is older than this, such as 365d')
    .option('--expires-within <days>', 'policy, as a warning: no active key expires within this')
    .option('--no-default-workspace', 'policy: no active key is in the default workspace')
    .option('--strict', 'also fail for what makes a verdict doubtful, such as a policy that selects no keys')
    .addOption(
      new Option('--format <format>', 'what to print; csv has the keys that break a policy')
        .choices(FORMATS)
        .default('table'),
    )
    .option(
      '--messages <folder>',
      `also write there, into a new folder, a text for each owner of keys that break a policy, and who gets which (${TABLE}); without --policies by the usual ones; nothing is sent`,
    )
    .addOption(exactOption())
    .option('--file <file>', 'a roster that list has saved, or - for standard input, and no service')
    .addOptions(...directoryOptions(), ...severalOptions())
    .example('keyroster-admin report --policies policies.json --format html > report.html')
    .action(async (flags: ReportFlags, command: Command) => {
      const { format, exact = false, file, messages } = flags;
      const madeBy = [`keyroster-admin ${VERSION}`];
      const note: Note = (option, name, bytes) => {
        const digest = createHash('sha256').update(bytes).digest('hex');
        madeBy.push(`${option} ${basename(name)}, SHA-256 ${digest}`);
        return bytes;
      };
      const source = new Source(flags, command);
      const directory = directoryOf(flags, note);
      const policies = policiesOf(flags, directory, note);
      requireCsv(exact, format === 'csv' || (messages ?? file) !== undefined);
      if (messages !== undefined) requireEmptyFolder(messages);
      const now = new Date();
      const { report, breaches } = await walkRoster(source, now, policies, directory);
      // Before anything is printed, whose reader may leave. A service that couldn't be read has set one.
      if (isUnsure(report, breaches)) process.exitCode ||= EXIT_CODES.unsure;
      if (isBroken(breaches, flags) && process.exitCode !== EXIT_CODES.failed)
        process.exitCode = EXIT_CODES.needsALook;
      const several = source.profiles !== undefined;
      if (messages !== undefined) await writeMessages(messages, breaches, { now, directory, several, exact });
      const view = { report, breaches, directory, source: source.name, madeBy };
      for (const text of inTexts(piecesOf(flags, view)))
        await (format === 'table' ? printFitted : printData)(text);
      tellVerdicts(view);
    });
}

function isBroken(breaches: Breaches, { strict }: ReportFlags): boolean {
  const isDoubtful = (policy: Policy) => strict === true && doubtsOf(policy, breaches).length > 0;
  const isBroken = (policy: Policy) =>
    policy.level === 'fail' &&
    (breaches.count(policy) > 0 || [...breaches.unjudged(policy).keys()].some(isDeclared));
  return breaches.policies.some(policy => isBroken(policy) || isDoubtful(policy));
}

/** A directory that knows none of the creators can't tell who has left. Without policies it is for the figures to be of all keys. A policy's level says what it means where an operator can declare the field. */
function isUnsure({ untold, directory }: RosterReport, breaches: Breaches): boolean {
  if (directory && knowsNobody(directory))
    if (breaches.policies.some(policy => breaches.remarks(policy).includes(KNOWS_NOBODY))) return true;
  const unjudged = breaches.policies.flatMap(policy => [...breaches.unjudged(policy).keys()]);
  return breaches.policies.length === 0 ? untold !== undefined : unjudged.some(field => !isDeclared(field));
}

function tellVerdicts({ report, breaches }: ReportView): void {
  const { untold } = figureTexts(report);
  if (untold !== '') printAtEnd(`keyroster-admin: ${untold}`);
  for (const policy of breaches.policies)
    for (const doubt of doubtsOf(policy, breaches)) printAtEnd(`keyroster-admin: ${policy.name}: ${doubt}`);
  const [broken, warned] = [breaches.total('fail'), breaches.total('warn')];
  if (broken + warned > 0)
    printAtEnd(`keyroster-admin: ${number(broken)} breach(es) of policy, ${number(warned)} warning(s)`);
}

/** Each write takes long, so that one row would be too few for it. */
const PIECES = 100;

function* inTexts(pieces: Iterable<string>) {
  for (const batch of batchesOf(pieces, PIECES)) yield withoutUsedAdminKey(batch.join(''));
}

/** The report piece by piece, as breaches may be many. */
function piecesOf({ format, exact = false }: ReportFlags, view: ReportView): Iterable<string> {
  const csv = () => revokeCsv(view.breaches, exact, csvRowToPrint);
  return { table: reportText, json: renderJson, html: renderHtml, csv }[format](view);
}

/** Those of the flags and the file. Throws a `UsageError`, also where what is asked for needs some. */
function policiesOf(flags: ReportFlags, directory: Directory | undefined, note: Note): PoliciesOf {
  const { format, messages, policies: file = messages && DEFAULT_POLICIES } = flags;
  const ofFlags = policiesOfFlags(flags);
  if (file === DEFAULT_POLICIES) return first => [...ofFlags, ...defaultPolicies(first, directory)];
  if (file === undefined && ofFlags.length === 0 && format === 'csv')
    throw new UsageError('--format: is of keys that break policies: give --policies or another policy');
  const inFile = file === undefined ? [] : readPolicies(file, directory, note);
  for (const { name } of ofFlags)
    if (inFile.some(policy => policy.name === name))
      throw new UsageError(`--policies: ${file}: the name ${name} is that of the flag: rename the policy`);
  return () => [...ofFlags, ...inFile];
}

function policiesOfFlags({ maxAge, expiresWithin, defaultWorkspace }: ReportFlags): readonly Policy[] {
  const policies = [
    maxAge !== undefined && { rule: 'max-age', days: daysOf('--max-age', maxAge) },
    expiresWithin !== undefined && {
      rule: 'expires-within',
      level: 'warn',
      days: daysOf('--expires-within', expiresWithin),
    },
    !defaultWorkspace && { rule: 'no-default-workspace' },
  ].filter(policy => policy !== false);
  return policies.length === 0 ? [] : ownPolicies(policies.map(policy => ({ name: policy.rule, ...policy })));
}

function daysOf(option: string, text: string): number {
  const days = /^\d{1,5}d$/.test(text) ? Number.parseInt(text, 10) : undefined;
  return required(option, days, 'must be a number of days such as 365d');
}

async function walkRoster(
  source: Source,
  now: Date,
  policiesOfFirst: PoliciesOf,
  directory: Directory | undefined,
): Promise<Pick<ReportView, 'report' | 'breaches'>> {
  const builder = new ReportBuilder(now);
  const ofProfiles = new Map(source.profiles?.map(profile => [profile, new ReportBuilder(now)]));
  let breaches: Breaches | undefined;
  let first: ListedKey | undefined;
  let whole: [organizationId: string | null, scope: string | null] | [] = [];
  for await (const page of source.pages()) {
    whole = [page.organizationId, page.scope];
    for (const key of page.data) {
      builder.add(key);
      ofProfiles.get(String(key.profile))?.add(key);
    }
    first ??= sampleOf(page.data);
    breaches ??= new Breaches(policiesOfFirst(first ?? {}), now);
    for (const name of new Set(fieldsBeyond(first ?? {}, page.data)))
      if (policiesOfFirst({ ...first, [name]: null }).length > breaches.policies.length)
        printAtEnd(
          `keyroster-admin: no policy looks at ${name}, which only keys of a later page have: give one`,
        );
    breaches.add(page.data);
  }
  breaches ??= new Breaches(policiesOfFirst({}), now);
  const report = builder.report(directory, ...(source.profiles ? [] : whole));
  if (!source.profiles) return { report, breaches };
  const by_profile = Array.from(ofProfiles, ([profile, of]) => {
    const { organizationId = null, scope = null } = source.read.get(profile) ?? {};
    return { profile, organization_id: organizationId, scope, ...of.snapshot() };
  });
  return { report: { ...report, by_profile, missing: source.missing }, breaches };
}
