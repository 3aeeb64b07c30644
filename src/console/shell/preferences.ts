/**
 * What a person has chosen for this browser: the only things that the console stores. Where the browser denies storage, a
 * choice lasts until the page is left.
 */
export type Preference = 'theme' | 'shortcuts';

export function remembered(preference: Preference): string | null {
  try {
    return localStorage.getItem(nameOf(preference));
  } catch {
    return null;
  }
}

/** `null` forgets the choice. */
export function remember(preference: Preference, choice: string | null): void {
  try {
    if (choice === null) localStorage.removeItem(nameOf(preference));
    else localStorage.setItem(nameOf(preference), choice);
  } catch {}
}

const nameOf = (preference: Preference) => `keyroster:${preference}`;
