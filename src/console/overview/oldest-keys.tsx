import type { ApiKeyRecord } from '../../client/client.ts';
import { ageOf, daysOld } from '../../report/age.ts';
import { dateOf, exactTime } from '../roster/created.tsx';
import { KeyName } from '../roster/key-name.tsx';
import { Middle } from '../roster/middle.tsx';
import { rosterAddress } from '../shell/address.ts';
import { Link } from '../shell/link.tsx';
import { numberText } from '../walk/keys-text.ts';
import { Chart } from './chart.tsx';
import { NotReached } from './so-far.tsx';

interface Props {
  /** `null`: the count, which reads the newest first, hasn't reached them. */
  readonly keys: readonly ApiKeyRecord[] | null;
  readonly now: Date;
}

export function OldestKeys({ keys, now }: Props) {
  return (
    <Chart title="Oldest active keys" note={keys?.length === 0 ? 'None.' : null}>
      {keys === null && (
        <p>
          – <NotReached />
        </p>
      )}
      {keys !== null && keys.length > 0 && (
        <table class="table oldest-keys">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Created</th>
              <th scope="col" class="number">
                Days
              </th>
              <th scope="col">Creator</th>
            </tr>
          </thead>
          <tbody>
            {keys.map(key => (
              <Row key={key.id} record={key} now={now} />
            ))}
          </tbody>
        </table>
      )}
    </Chart>
  );
}

function Row({ record, now }: { readonly record: ApiKeyRecord; readonly now: Date }) {
  const { name, created_at, created_by } = record;
  return (
    <tr>
      <td>
        <Link to={addressOfKey(record)}>
          <KeyName name={name} />
        </Link>
      </td>
      <td>
        <time dateTime={created_at} title={exactTime(created_at)}>
          {dateOf(created_at)}
        </time>
      </td>
      <td class="number">{numberText(daysOld(ageOf(created_at, now) ?? 0))}</td>
      <td>
        <Middle text={created_by.id} />
      </td>
    </tr>
  );
}

/** The active keys from this one on, which is shown with its details. */
function addressOfKey({ id, created_at }: ApiKeyRecord): string {
  const next = new Date(Date.parse(created_at) + 1).toISOString();
  return rosterAddress({ status: 'active', created_before: next }, id);
}
