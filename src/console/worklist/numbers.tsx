import type { ComponentChildren } from 'preact';
import { knowsNobody } from '../../admin/directory/directory.ts';
import type { Policy } from '../../admin/report/policies.ts';
import { doubtsOf } from '../../admin/report/report-view.ts';
import { rosterAddress } from '../shell/address.ts';
import { Link } from '../shell/link.tsx';
import { CREATOR_STATES } from '../walk/describe.ts';
import { numberText } from '../walk/keys-text.ts';
import type { RosterQuery } from '../walk/query.ts';
import type { Desk } from './own-files.ts';
import type { WorklistCount } from './worklist-count.ts';

export interface NumberRowProps {
  readonly keys: number;
  readonly label: ComponentChildren;
  /** The roster with exactly these keys. */
  readonly shows: RosterQuery;
  /** What else there is to say or to do. */
  readonly children?: ComponentChildren;
}

/** A number of keys and what they are. All of the row opens them, but for a button in it. */
export function NumberRow({ keys, label, shows, children }: NumberRowProps) {
  return (
    <li class="row number-row">
      <Link class="number-link" to={rosterAddress(shows)}>
        <span class="number">{numberText(keys)}</span> <span>{label}</span>
      </Link>
      {children}
    </li>
  );
}

export interface NumbersProps {
  readonly desk: Desk;
  readonly count: WorklistCount;
}

/** Each policy, with how many keys break it, and what makes that doubtful, which is known once all keys are read. */
export function PolicyNumbers({ desk, count: { breaches, total } }: NumbersProps) {
  const notesOf = (policy: Policy) => {
    const excused = breaches.excused(policy);
    return [
      policy.level === 'fail' && 'fails a report',
      excused > 0 && `${numberText(excused)} excused`,
      ...(total === undefined ? [] : doubtsOf(policy, breaches)),
    ];
  };
  return (
    <section class="card" aria-label="By policy">
      <h2>
        By policy <small>{desk.policiesFile ?? 'the default ones: open a policies file for your own'}</small>
      </h2>
      <ul>
        {breaches.policies.map(policy => (
          <NumberRow
            key={policy.name}
            keys={breaches.count(policy)}
            label={policy.breach}
            shows={desk.breaking(policy.name)}
          >
            <p class="muted small">{notesOf(policy).filter(Boolean).join('; ')}</p>
          </NumberRow>
        ))}
      </ul>
    </section>
  );
}

/** What the roster is made of. */
export function RosterNumbers({ desk: { directory }, count: { figures } }: NumbersProps) {
  const all = figures.snapshot();
  const people = directory.size > 0 ? figures.people(directory) : undefined;
  const known = people && !knowsNobody(people.directory) ? people : undefined;
  const serviceAccounts = all.by_creator_type.find(({ type }) => type === 'service_account')?.active ?? 0;
  const active = { status: 'active' };
  const { active: inDefault } = all.default_workspace;
  type Row = readonly [keys: number | undefined, label: string, shows: RosterQuery];
  const ofCreators = (state: string, keys: number | undefined): Row => [
    keys,
    `active, ${CREATOR_STATES[state]}`,
    { ...active, creator_state: state },
  ];
  const rows: readonly Row[] = [
    [all.keys, 'API keys', {}],
    ...all.by_status.map(({ status, keys }): Row => [keys, status, { status }]),
    [all.expired, 'active, but past their expiry', { expired: 'true' }],
    [all.expires_within_30_days, 'active, expiring within 30 days', { ...active, expires_within: '30d' }],
    [inDefault, 'active, in the default workspace', { ...active, default_workspace: 'true' }],
    [serviceAccounts, 'active, of a service account', { ...active, creator_type: 'service_account' }],
    ofCreators('left', known?.left?.active),
    ofCreators('disabled', known?.disabled.active || undefined),
    ofCreators('unknown', known?.not_in_directory.active),
  ];
  return (
    <section class="card" aria-label="All keys">
      <h2>All keys</h2>
      <ul>
        {rows.map(
          ([keys, label, shows]) =>
            keys !== undefined && <NumberRow key={label} keys={keys} label={label} shows={shows} />,
        )}
      </ul>
    </section>
  );
}
