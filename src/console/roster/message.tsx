import { useState } from 'preact/hooks';
import type { ApiKeyRecord } from '../../client/client.ts';
import { CopyButton } from './copy-button.tsx';
import { type MessageReason, messageReasons, messageToCreator } from './message-to-creator.ts';

interface MessageProps {
  readonly apiKey: ApiKeyRecord;
  /** Whether a full key that someone has found is this one, as far as its hint tells. */
  readonly leaked: boolean;
}

const REASONS = Object.keys(messageReasons) as readonly MessageReason[];

/** A message to the creator of a key, for the reason that is chosen. */
export function Message({ apiKey, leaked }: MessageProps) {
  const [reason, setReason] = useState<MessageReason>(leaked ? 'leaked' : 'needed');
  const text = messageToCreator(apiKey, reason, Date.now());
  return (
    <section aria-label="A message to its creator">
      <div class="row">
        <h3>A message to its creator</h3>
        <CopyButton what="message" text={text} label="Copy the message" />
      </div>
      <fieldset class="row message-reasons">
        <legend class="visually-hidden">Why</legend>
        {REASONS.map(each => (
          <label key={each}>
            <input type="radio" name="reason" checked={each === reason} onChange={() => setReason(each)} />{' '}
            {messageReasons[each]}
          </label>
        ))}
      </fieldset>
      <pre class="message">{text}</pre>
    </section>
  );
}
