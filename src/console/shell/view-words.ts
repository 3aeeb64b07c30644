import type { View } from './address.ts';

interface ViewWords {
  readonly title: string;
  /** After `g`, this key goes to the view. */
  readonly key: string;
}

/** A view without words doesn't compile. Their order is that of the addresses. */
export const viewWords: Readonly<Record<View, ViewWords>> = {
  overview: { title: 'Overview', key: 'o' },
  roster: { title: 'Roster', key: 'r' },
  find: { title: 'Find', key: 'f' },
};
