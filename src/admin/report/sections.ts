/** The sections of a report, as the text and the HTML page both show them. */

import { UNTOLD } from '../../client/listed-key.ts';
import { scopeWords } from '../../shared/record/list-query.ts';
import { coverageText, type Directory } from '../directory/directory.ts';
import { bandText } from './age.ts';
import type { RosterReport } from './report-builder.ts';
import type { Count, Counted } from './status-counts.ts';
import { byTeam } from './teams.ts';

/** Groups per section. The rest are only counted; the JSON report has all of them. */
export const MAX_SHOWN = 20;

/** Can't be mistaken for an ID: those have none of these characters. */
export const DEFAULT_WORKSPACE = '<default>';

export interface Section {
  readonly title: string;
  readonly groups: readonly Group[];
  /** How many groups aren't shown. */
  readonly more: number;
}

export interface Group extends Counted {
  readonly label: string;
  /** How many are active, as far as they tell. */
  readonly activeText: string;
}

export function titleOf({ organization_id, scope, by_profile, missing = [] }: RosterReport): string {
  const whose = by_profile?.map(each => each.profile + partText(each.scope)).join('; ');
  const lacking = missing.length === 0 ? '' : `; not all keys of ${missing.join(', ')} were read`;
  return `API keys${ofText(whose ?? organization_id)}${partText(scope)}${lacking}`;
}

const ofText = (whose: string | null) => (whose ? ` of ${whose}` : '');
const partText = (scope: string | null) => (scope === null ? '' : `, only ${scopeWords(scope)}`);

export function sectionsOf(report: RosterReport, directory: Directory | undefined): Section[] {
  const first = 'those with the most active keys first';
  const { by_profile = [] } = report;
  const isUntold = tellsNoStatus(report);
  const ofProfiles = section(
    'By profile',
    by_profile,
    row => row.profile + ofText(row.organization_id),
    isUntold,
  );
  const creators = report.by_creator.map(({ creator: { id }, ...counts }) => [id, counts] as const);
  const teams = directory ? byTeam(directory, creators) : [];
  return [
    ...(by_profile.length > 0 ? [ofProfiles] : []),
    section('By status', report.by_status, ({ status }) => status, isUntold),
    section('By age', report.by_age, bandText, isUntold),
    section(
      `By workspace, ${first}`,
      report.by_workspace,
      ({ workspace_id }) => workspaceText(workspace_id, directory),
      isUntold,
    ),
    ...(teams.length > 0 ? [section(`By team, ${first}`, teams, ({ team }) => team, isUntold)] : []),
    section(
      `By creator, ${first}`,
      report.by_creator,
      ({ creator: { id } }) => directory?.creatorName(id) ?? id,
      isUntold,
    ),
  ];
}

function section<Row extends Counted>(
  title: string,
  rows: readonly Row[],
  labelOf: (row: Row) => string,
  isUntold: boolean,
): Section {
  const groups = rows.slice(0, MAX_SHOWN).map(row => ({
    label: labelOf(row),
    keys: row.keys,
    active: row.active,
    activeText: activeText(row, isUntold),
  }));
  return { title, groups, more: rows.length - groups.length };
}

function activeText(
  { keys, active, statuses }: Counted & Partial<Pick<Count, 'statuses'>>,
  isUntold: boolean,
): string {
  const untold = statuses?.[UNTOLD] ?? (isUntold ? keys : 0);
  if (untold === 0) return number(active);
  return untold >= keys ? UNTOLD : atLeast(active);
}

const tellsNoStatus = ({ keys, untold }: Pick<RosterReport, 'keys' | 'untold'>) =>
  keys > 0 && untold?.status === keys;
const atLeast = (count: number) => `at least ${number(count)}`;

/** `undefined`: it isn't told. */
export const workspaceText = (id: string | null | undefined, directory: Directory | undefined) =>
  id === null ? DEFAULT_WORKSPACE : ((id && directory?.workspaceName(id)) ?? id ?? UNTOLD);

/** One for all numbers: `toLocaleString` takes 15 times as long, and a report may have millions of rows. */
const inEnglish = new Intl.NumberFormat('en');
/** The figures above the sections as text. */
export function figureTexts(report: RosterReport) {
  const { active, expired, directory, left, disabled, not_in_directory, default_workspace } = report;
  const { untold = {}, expires_within_30_days: soon = 0 } = report;
  const isUntold = tellsNoStatus(report);
  const ofThem = (active: number) => (isUntold ? UNTOLD : untold.status ? atLeast(active) : number(active));
  const keysOf = (who: string, { keys, active }: Counted = { keys: 0, active: 0 }) =>
    keys > 0 && `${number(keys)} of ${who}, ${ofThem(active)} of them active`;
  return {
    active: ofThem(active),
    ofWhichExpired:
      expired === undefined
        ? ''
        : `, of which ${number(expired)} expired and ${number(soon)} expire within 30 days`,
    ofPeople: [
      keysOf('people who have left', left),
      keysOf('people who are disabled', disabled),
      directory && coverageText(directory),
      keysOf('the others', not_in_directory),
    ]
      .filter(Boolean)
      .join('; '),
    inDefault: untold.workspace_id ? atLeast(default_workspace.keys) : number(default_workspace.keys),
    activeInDefault: ofThem(default_workspace.active),
    untold: unjudgedText(new Map(Object.entries(untold))).replace('judged', 'told'),
  };
}

/** Such as `can't be judged: 3 key(s) have no workspace_id`; empty: the policy has judged all. */
export function unjudgedText(unjudged: ReadonlyMap<string, number>): string {
  if (unjudged.size === 0) return '';
  const counts = Array.from(unjudged, ([field, count]) => `${number(count)} key(s) have no ${field}`);
  return `can't be judged: ${counts.join(', ')}`;
}

export const number = (value: number) => inEnglish.format(value);
export const dayOf = (timestamp: string | null | undefined) => timestamp?.slice(0, 10) || UNTOLD;
export const dayText = (time: number) => dayOf(new Date(time).toISOString());
