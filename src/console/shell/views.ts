import type { View } from './address.ts';

interface ViewWords {
  readonly title: string;
  /** After `g`, this key goes to the view. */
  readonly key: string;
}

/** The views in the order of the header. One that is missing doesn't compile. */
export const views = {
  roster: { title: 'Roster', key: 'r' },
  overview: { title: 'Overview', key: 'o' },
} as const satisfies Record<View, ViewWords>;

export const viewNames = Object.keys(views) as readonly View[];
