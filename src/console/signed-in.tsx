import { useEffect, useMemo, useState } from 'preact/hooks';
import { FindView } from './find/find-view.tsx';
import { Finder } from './find/finder.ts';
import { DEFAULT_THRESHOLD } from './overview/figures.tsx';
import { useKnown } from './overview/known.ts';
import { OverviewView } from './overview/overview-view.tsx';
import type { RosterCount } from './overview/roster-count.ts';
import { RosterView } from './roster/roster-view.tsx';
import { goTo, rosterAddress, useAddress, viewOf } from './shell/address.ts';
import { Frame } from './shell/frame.tsx';
import type { Session } from './shell/session.ts';
import { DownloadsList } from './walk/downloads-list.tsx';
import { openKeyOf, queryOf } from './walk/query.ts';

interface SignedInProps {
  readonly session: Session;
  readonly onSignOut: () => void;
}

/** The views, and what they keep while another one is shown. All of it ends with the session. */
export function SignedIn({ session, onSignOut }: SignedInProps) {
  const address = useAddress();
  const view = viewOf(address);
  const [count, setCount] = useState<RosterCount | null>(null);
  const [days, onDays] = useState(DEFAULT_THRESHOLD);
  const finder = useMemo(() => new Finder(session), [session]);
  const known = useKnown(count);
  useEffect(() => () => count?.walk.stop(), [count]);
  useEffect(() => {
    return () => {
      finder.end();
      session.downloads.removeAll();
      session.end();
    };
  }, [session, finder]);
  const signOut = () => {
    onSignOut();
    goTo(rosterAddress({}), { replace: true });
  };

  const views = {
    overview: () => (
      <OverviewView session={session} count={count} onCount={setCount} threshold={{ days, onDays }} />
    ),
    roster: () => (
      <RosterView session={session} query={queryOf(address)} openKey={openKeyOf(address)} {...known} />
    ),
    find: () => <FindView finder={finder} counted={known.counted} />,
  } as const satisfies Record<typeof view, unknown>;
  return (
    <Frame view={view} session={session} onSignOut={signOut}>
      <DownloadsList downloads={session.downloads} />
      {views[view]()}
    </Frame>
  );
}
