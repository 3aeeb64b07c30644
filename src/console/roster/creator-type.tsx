/** Whether a person or a program made the key, as an icon, which CSS draws, and a word. A newer service may have other types. */
export function CreatorType({ type }: { readonly type: string }) {
  return <span class={`creator-type ${classes[type] ?? ''}`}>{type.replaceAll('_', ' ')}</span>;
}

const classes: Readonly<Record<string, string>> = { user: 'user', service_account: 'service-account' };
