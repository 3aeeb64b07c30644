import { useMemo } from 'preact/hooks';
import { type Band, bandText, DAY_MS } from '../../admin/report/age.ts';
import { teamDigest } from '../people/lookup.ts';
import { WorkspaceName } from '../people/names.tsx';
import { rosterAddress } from '../shell/address.ts';
import { Link } from '../shell/link.tsx';
import { numberText } from '../walk/keys-text.ts';
import { ANY_POLICY, ofWorkspace, type RosterQuery } from '../walk/query.ts';
import { NumberRow, type NumberRowProps, type NumbersProps } from './numbers.tsx';

/** More of a kind nobody compares at a glance. */
const MAX_BARS = 10;
const ACTIVE: RosterQuery = { status: 'active' };

/** The active keys by age, by team and by workspace, to look at. Teams are there once all keys are counted. */
export function Charts({ desk, count }: NumbersProps) {
  const { figures, now, total } = count;
  const teams = useMemo(() => {
    if (total === undefined || desk.directory.size === 0) return [];
    const broken = count.brokenOfTeams(desk.directory);
    const first = figures.teams(desk.directory).slice(0, MAX_BARS);
    return first.map(({ team: label, active }) => {
      const team = teamDigest(label);
      const { keys = 0 } = broken.find(each => teamDigest(each.team) === team) ?? {};
      const link = rosterAddress({ team, ...desk.breaking(ANY_POLICY) });
      const children = <Link to={link}>{numberText(keys)} break a policy</Link>;
      return { keys: active, label, shows: { ...ACTIVE, team }, children };
    });
  }, [count, total, desk.directory]);
  const ages = figures.snapshot().by_age.map(band => ({
    keys: band.active,
    label: bandText(band),
    shows: { ...ACTIVE, ...createdIn(band, now) },
  }));
  const workspaces = figures.workspaces(MAX_BARS).map(({ group, active }) => ({
    keys: active,
    label: <WorkspaceName id={group} />,
    shows: ofWorkspace(ACTIVE, group),
  }));
  return (
    <>
      <Bars title="Active keys by age" bars={ages} />
      {teams.length > 0 && <Bars title="Active keys by team" bars={teams} />}
      <Bars title="Active keys by workspace" bars={workspaces} />
    </>
  );
}

interface BarsProps {
  readonly title: string;
  readonly bars: readonly NumberRowProps[];
}

/** Numbers of keys, each with a bar as long as it is large. The bar says nothing that the number doesn't. */
function Bars({ title, bars }: BarsProps) {
  const max = Math.max(1, ...bars.map(({ keys }) => keys));
  return (
    <section class="card bars" aria-label={title}>
      <h2>
        {title} {bars.length === MAX_BARS && <small>the {MAX_BARS} with the most</small>}
      </h2>
      <ul>
        {bars.map(({ children, ...row }, index) => (
          <NumberRow key={index} {...row}>
            <span class="bar-place">
              <span class="bar" style={{ width: `${(100 * row.keys) / max}%` }} />
            </span>
            {children}
          </NumberRow>
        ))}
      </ul>
    </section>
  );
}

/** As filters of the service, which has microseconds: a key of exactly so many days is in the older band. */
function createdIn({ from_days, to_days }: Band, now: Date): RosterQuery {
  const justAfter = (days: number) =>
    new Date(now.getTime() - days * DAY_MS).toISOString().replace('Z', '001Z');
  return {
    ...(to_days !== null && { created_from: justAfter(to_days) }),
    ...(from_days && { created_before: justAfter(from_days) }),
  };
}
