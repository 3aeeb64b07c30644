import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { addressOf, goTo, useAddress, type View, views } from './address.ts';
import { announce } from './announce.ts';
import { Header } from './header.tsx';
import { focusContent, keepFocus } from './keep-focus.ts';
import { useScroll } from './scroll.ts';
import { ShortcutSheet } from './shortcut-sheet.tsx';
import { listenForShortcuts, useShortcuts } from './shortcuts.ts';
import { viewWords } from './view-words.ts';

interface FrameProps {
  readonly view: View;
  readonly organizationId: string | null;
  readonly onSignOut: () => void;
  /** The view. */
  readonly children: ComponentChildren;
}

/** What is around each view, from sign-in to sign-out. */
export function Frame({ view, organizationId, onSignOut, children }: FrameProps) {
  const [help, setHelp] = useState(false);
  useEffect(listenForShortcuts, []);
  useEffect(keepFocus, []);
  useScroll(useAddress());
  useShortcuts({
    ...Object.fromEntries(views.map(each => [each, () => goTo(addressOf(each))])),
    help: () => setHelp(true),
  });
  useLayoutEffect(() => {
    focusContent(); // the field of the admin key is gone
    announce(`Signed in. ${viewWords[view].title}`);
  }, []);

  return (
    <>
      <Header
        view={view}
        organizationId={organizationId}
        onShortcuts={() => setHelp(true)}
        onSignOut={onSignOut}
      />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      {help && <ShortcutSheet onClose={() => setHelp(false)} />}
    </>
  );
}
