import type { ComponentChildren } from 'preact';

/** A drawing of 16 × 16 units in the colour of the text. A word beside it says the same. */
function Icon({ children }: { readonly children: ComponentChildren }) {
  return (
    <svg
      class="icon"
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export const UserIcon = () => (
  <Icon>
    <circle cx="8" cy="5" r="2.75" />
    <path d="M2.75 14c.5-3 2.5-4.5 5.25-4.5s4.75 1.5 5.25 4.5" />
  </Icon>
);

/** A robot. */
export const ServiceAccountIcon = () => (
  <Icon>
    <rect x="2.5" y="5.5" width="11" height="8" rx="1.5" />
    <path d="M8 5.5v-3M6 9v1.5M10 9v1.5" />
  </Icon>
);

export const CopyIcon = () => (
  <Icon>
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
    <path d="M10.5 5.5v-2a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2" />
  </Icon>
);
