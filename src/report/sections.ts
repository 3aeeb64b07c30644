/** What a report shows to people, for a terminal and for a page: the same sections in the same words. */
import { bandText } from './age.ts';
import type { Count, RosterReport } from './roster-report.ts';

/** Of groups and names that may be many; the rest are counted, and all are in JSON. */
export const MAX_SHOWN = 20;

/** IDs have no parentheses. */
export const DEFAULT_WORKSPACE = '(default)';

export interface Section {
  readonly title: string;
  /** With bars: how many keys, and how many of them are active. */
  readonly groups: readonly Group[];
  /** Groups that aren't shown. */
  readonly more: number;
}

export interface Group extends Count {
  readonly label: string;
}

export function sectionsOf(report: RosterReport): Section[] {
  const names = report.repeated_names.map(({ name, ...count }) => ({ label: name, ...count }));
  return [
    section(
      'By status',
      report.by_status.map(({ status, ...count }) => ({ label: status, ...count })),
    ),
    section(
      'By age',
      report.by_age.map(band => ({ label: bandText(band), keys: band.keys, active: band.active })),
    ),
    section(
      'By workspace, those with the most active keys first',
      report.by_workspace.map(({ workspace_id, ...count }) => ({
        label: workspace_id ?? DEFAULT_WORKSPACE,
        ...count,
      })),
    ),
    section(
      'By creator, those with the most active keys first',
      report.by_creator.map(({ creator, ...count }) => ({ label: creator.id, ...count })),
    ),
    section('Names used more than once', names),
  ];
}

function section(title: string, groups: readonly Group[]): Section {
  return { title, groups: groups.slice(0, MAX_SHOWN), more: Math.max(0, groups.length - MAX_SHOWN) };
}

export const number = (value: number) => value.toLocaleString('en');
export const dayOf = (timestamp: string) => timestamp.slice(0, 10);
