import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { NOBODY, recipientOf } from '../../admin/report/messages.ts';
import type { ApiKeyRecord } from '../../client/client.ts';
import { useDirectory } from '../people/names.tsx';
import { CopyButton } from './copy-button.tsx';
import { type MessageReason, messageReasons, messageToCreator } from './message-to-creator.ts';

interface MessageProps {
  readonly apiKey: ApiKeyRecord;
  /** Whether a full key that someone has found is this one, as far as its hint tells. */
  readonly leaked: boolean;
}

const REASONS = Object.keys(messageReasons) as readonly MessageReason[];

/** A message to whoever is asked about a key, for the reason that is chosen. */
export function Message({ apiKey, leaked }: MessageProps) {
  const [reason, setReason] = useState<MessageReason>(leaked ? 'leaked' : 'needed');
  const around = { now: new Date(), directory: useDirectory() };
  const text = messageToCreator(apiKey, reason, around);
  return (
    <MessageText title={`A message to ${recipientOf(apiKey, around) || NOBODY}`} text={text}>
      <fieldset class="row">
        <legend class="visually-hidden">Why</legend>
        {REASONS.map(each => (
          <label key={each}>
            <input type="radio" name="reason" checked={each === reason} onChange={() => setReason(each)} />{' '}
            {messageReasons[each][0]}
          </label>
        ))}
      </fieldset>
    </MessageText>
  );
}

interface MessageTextProps {
  readonly title: string;
  readonly text: string;
  readonly children: ComponentChildren;
}

/** A text to copy and send to someone. */
export function MessageText({ title, text, children }: MessageTextProps) {
  return (
    <section aria-label={title}>
      <div class="row">
        <h3>{title}</h3>
        <CopyButton what="message" text={text} />
      </div>
      {children}
      <pre class="message">{text}</pre>
    </section>
  );
}
