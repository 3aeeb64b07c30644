import { useEffect, useMemo } from 'preact/hooks';
import { FileProblems, useDroppedFiles } from './files/dropped-files.tsx';
import { FindView } from './find/find-view.tsx';
import { Finder } from './find/finder.ts';
import { DirectoryContext } from './people/names.tsx';
import { RosterView } from './roster/roster-view.tsx';
import { views as addresses, goTo, useAddress, viewOf } from './shell/address.ts';
import { Frame } from './shell/frame.tsx';
import { useChanges } from './shell/observable.ts';
import type { Session } from './shell/session.ts';
import { DownloadsList } from './walk/downloads-list.tsx';
import { openKeyOf, queryOf } from './walk/query.ts';
import { WorklistView } from './worklist/worklist-view.tsx';

/** The views, and what they keep while another one is shown. All of it ends with the session. */
export function SignedIn({
  session,
  onSignOut,
}: {
  readonly session: Session;
  readonly onSignOut: () => void;
}) {
  const address = useAddress();
  const view = viewOf(address);
  const { desk } = session;
  const finder = useMemo(() => new Finder(session), [session]);
  useChanges(desk);
  useDroppedFiles(desk);
  useEffect(() => {
    return () => {
      finder.end();
      desk.end();
      session.downloads.removeAll();
      session.end();
    };
  }, [session, finder]);
  const signOut = () => {
    onSignOut();
    goTo(addresses.worklist.path, { replace: true });
  };

  const views = {
    worklist: () => <WorklistView session={session} />,
    roster: () => <RosterView session={session} query={queryOf(address)} openKey={openKeyOf(address)} />,
    find: () => <FindView finder={finder} />,
  } as const satisfies Record<typeof view, unknown>;
  return (
    <DirectoryContext.Provider value={desk.directory}>
      <Frame view={view} session={session} onSignOut={signOut}>
        <FileProblems desk={desk} />
        <DownloadsList downloads={session.downloads} />
        {views[view]()}
      </Frame>
    </DirectoryContext.Provider>
  );
}
