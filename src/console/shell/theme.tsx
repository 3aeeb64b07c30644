import { useState } from 'preact/hooks';
import { remember, remembered } from './preferences.ts';

/** The first one is the default: light or dark as the system has it. */
const themes = { system: 'System', light: 'Light', dark: 'Dark' } as const;
type Theme = keyof typeof themes;

/** Runs before the first paint: the page's script blocks it. */
export function applyRememberedTheme(): void {
  apply(themeOf(remembered('theme')));
}

/** styles/base.css has the colours. */
function apply(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
}

function themeOf(text: string | null | undefined): Theme {
  return text === 'light' || text === 'dark' ? text : 'system';
}

export function ThemeSwitch() {
  const [theme, setTheme] = useState(themeOf(document.documentElement.dataset.theme));
  const choose = (chosen: Theme) => {
    apply(chosen);
    setTheme(chosen);
    remember('theme', chosen === 'system' ? null : chosen);
  };
  return (
    <label class="field">
      Theme
      <select value={theme} onChange={event => choose(themeOf(event.currentTarget.value))}>
        {Object.entries(themes).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
