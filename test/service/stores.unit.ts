import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storeAt } from '../../src/operator/options/database.ts';

test("of a database's URL all is shown but the password, wherever it stands", async () => {
  const shown: [url: string, shown: string][] = [
    [
      'postgres://reader:s3:cr@et@db1:1,db2:2/k?sslmode=disable',
      'postgres://reader:…@db1:1,db2:2/k?sslmode=disable',
    ],
    ['postgres://rea@der:secret@db/k', 'postgres://rea@der:…@db/k'],
    [
      'postgres://db/k?user=reader&password=secret&sslmode=disable',
      'postgres://db/k?user=reader&password=…&sslmode=disable',
    ],
    ['postgres://reader@db:5432/k', 'postgres://reader@db:5432/k'],
    // What isn't used as the user is a password that was put there.
    [
      'postgres://u@db/k?application_name=x?password=secret&password=secret',
      'postgres://u@db/k?application_name=x?password=…&password=…',
    ],
    ['postgres://secret@db/k?user=reader', 'postgres://…@db/k?user=reader'],
    ['postgres://x:secret@db/k?sslmode=disable&user=reader', 'postgres://…@db/k?sslmode=disable&user=reader'],
    ['sqlite:data/a:b@c.db', 'sqlite:data/a:b@c.db'],
  ];
  for (const [url, text] of shown) assert.equal(await storeAt(url).shownUrl(), text);
  const malformed = storeAt('postgres://reader:sec/ret@db/k').shownUrl();
  await assert.rejects(malformed, { name: 'Refused', message: /^database: the URL is malformed(?!.*ret@)/ });
});
