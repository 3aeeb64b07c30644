import type { ApiKeyRecord } from '../../client/client.ts';
import { ageOf, daysOld } from '../../report/age.ts';
import { rosterAddress } from '../shell/address.ts';
import { Link } from '../shell/link.tsx';
import { number } from './bars.tsx';
import { Chart } from './chart.tsx';
import { CutId, CutName } from './cut-text.tsx';

interface Props {
  readonly keys: readonly ApiKeyRecord[];
  readonly now: Date;
}

export function OldestKeys({ keys, now }: Props) {
  return (
    <Chart title="Oldest active keys" note={keys.length === 0 ? 'None.' : null}>
      {keys.length > 0 && (
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
          <CutName name={name} />
        </Link>
      </td>
      <td>
        <time dateTime={created_at} title={created_at}>
          {created_at.slice(0, '2026-11-22'.length)}
        </time>
      </td>
      <td class="number">{number(daysOld(ageOf(created_at, now) ?? 0))}</td>
      <td>
        <CutId id={created_by.id} />
      </td>
    </tr>
  );
}

/** The active keys from this one on, which is shown with its details. */
function addressOfKey({ id, created_at }: ApiKeyRecord): string {
  const next = new Date(Date.parse(created_at) + 1).toISOString();
  const list = rosterAddress({ status: 'active', created_before: next });
  return `${list}&${new URLSearchParams({ key: id })}`;
}
