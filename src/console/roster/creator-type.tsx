import { ServiceAccountIcon, UserIcon } from './icons.tsx';

/** Whether a person or a program made the key, as an icon and a word. A newer service may have other types. */
export function CreatorType({ type }: { readonly type: string }) {
  return (
    <span class="creator-type muted small">
      {type === 'user' && <UserIcon />}
      {type === 'service_account' && <ServiceAccountIcon />}
      {type.replaceAll('_', ' ')}
    </span>
  );
}
