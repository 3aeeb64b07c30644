/**
 * What a person has chosen for this browser: the only things that the console stores. Where the browser denies storage, a
 * choice lasts until the page is left. A directory is stored only if asked.
 */
export type Preference = 'theme' | 'shortcuts' | 'directory';

export function remembered(preference: Preference): string | null {
  try {
    return localStorage.getItem(nameOf(preference));
  } catch {
    return null;
  }
}

/** `null` forgets the choice. Returns whether the browser has it; otherwise it holds until the page is left. */
export function remember(preference: Preference, choice: string | null): boolean {
  try {
    if (choice === null) localStorage.removeItem(nameOf(preference));
    else localStorage.setItem(nameOf(preference), choice);
    return true;
  } catch {
    return false;
  }
}

const nameOf = (preference: Preference) => `keyroster:${preference}`;
