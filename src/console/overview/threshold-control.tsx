import { useId, useState } from 'preact/hooks';
import { numberText } from '../walk/keys-text.ts';

const choices: readonly { readonly days: number; readonly label: string }[] = [
  { days: 90, label: '90 days' },
  { days: 180, label: '180 days' },
  { days: 365, label: '1 year' },
  { days: 730, label: '2 years' },
];
export const DEFAULT_THRESHOLD = 365;
/** That of the report's `--max-age`. */
const MAX_DAYS = 99_999;
const OWN = 'own';

interface Props {
  readonly days: number;
  readonly onDays: (days: number) => void;
}

/** From which age on an active key counts as old. */
export function ThresholdControl({ days, onDays }: Props) {
  const [isOwn, setOwn] = useState(choices.every(choice => choice.days !== days));
  const [isWrong, setWrong] = useState(false);
  const message = useId();
  const choose = (value: string) => {
    setWrong(false);
    setOwn(value === OWN);
    if (value !== OWN) onDays(Number(value));
  };
  const type = (input: HTMLInputElement) => {
    const isRight = input.checkValidity();
    setWrong(!isRight);
    if (isRight) onDays(input.valueAsNumber);
  };
  return (
    <>
      <select
        aria-label="Older than"
        value={isOwn ? OWN : String(days)}
        onChange={event => choose(event.currentTarget.value)}
      >
        {choices.map(choice => (
          <option key={choice.days} value={String(choice.days)}>
            {choice.label}
          </option>
        ))}
        <option value={OWN}>Other…</option>
      </select>
      {isOwn && (
        <label>
          <input
            type="number"
            required
            min={1}
            max={MAX_DAYS}
            defaultValue={String(days)}
            aria-invalid={isWrong}
            aria-describedby={message}
            onInput={event => type(event.currentTarget)}
          />{' '}
          days
        </label>
      )}
      {isOwn && (
        <span id={message} class="wrong" role="status">
          {isWrong &&
            `Enter a whole number from 1 to ${numberText(MAX_DAYS)}. Counted are still ${numberText(days)} days.`}
        </span>
      )}
    </>
  );
}
