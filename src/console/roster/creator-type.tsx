/** Whether a person or a program made the key, as an icon, which CSS draws, and a word. A newer service may have other types. */
export function CreatorType({ type }: { readonly type: string }) {
  const words = type.replaceAll('_', ' ');
  return (
    <span class={`creator-type ${classes[type] ?? ''}`} title={words}>
      {words}
    </span>
  );
}

const classes: Readonly<Record<string, string>> = { user: 'user', service_account: 'service-account' };
