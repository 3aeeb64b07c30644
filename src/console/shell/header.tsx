import { addressOf, type View, views } from './address.ts';
import { focusContent } from './keep-focus.ts';
import { Link } from './link.tsx';
import { ThemeSwitch } from './theme.tsx';
import { viewWords } from './view-words.ts';

interface HeaderProps {
  readonly view: View;
  readonly organizationId: string | null;
  readonly onShortcuts: () => void;
  readonly onSignOut: () => void;
}

export function Header({ view, organizationId, onShortcuts, onSignOut }: HeaderProps) {
  return (
    <header class="header">
      <button type="button" class="skip" onClick={focusContent}>
        Skip to content
      </button>
      <span class="brand">Keyroster</span>
      <nav aria-label="Views">
        {views.map(each => (
          <Link key={each} to={addressOf(each)} aria-current={each === view ? 'page' : undefined}>
            {viewWords[each].title}
          </Link>
        ))}
      </nav>
      <div class="header-end">
        <span class="organization truncate" title={`The organization of your admin key: ${organizationId}`}>
          <span class="visually-hidden">Organization </span>
          {organizationId}
        </span>
        <ThemeSwitch />
        <button type="button" class="quiet icon" aria-label="Keyboard shortcuts" onClick={onShortcuts}>
          ?
        </button>
        <button type="button" class="quiet" onClick={onSignOut}>
          Sign out
        </button>
      </div>
    </header>
  );
}
