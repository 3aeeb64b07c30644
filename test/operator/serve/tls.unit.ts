import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTls } from '../../../src/operator/serve/tls.ts';
import { Refused } from '../../../src/shared/record/faults.ts';
import { makePair, type PairFiles, pairFiles } from '../../support/certificate.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS);
const pair = makePair();
const withPassphrase = createPrivateKey(pair.key)
  .export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'secret' })
  .toString();

const filesOf = ({ certFile: cert, keyFile: key }: PairFiles) => ({ cert, key });

test('a pair is accepted, also with a chain behind the certificate and text between', t => {
  const chain = `a comment\n${pair.cert}${makePair().cert}`;
  openTls(filesOf(pairFiles(t, { ...pair, cert: chain })));
});

const wrong: Record<string, [{ cert?: string; key?: string }, RegExp]> = {
  'an empty certificate': [{ cert: '' }, /^--tls-cert: CERT has no certificate in PEM: /],
  'the key as the certificate': [{ cert: pair.key }, /^--tls-cert: CERT has no certificate in PEM: /],
  'the certificate as the key': [{ key: pair.cert }, /^--tls-key: KEY has no private key in PEM/],
  'half a certificate': [{ cert: pair.cert.slice(0, 200) }, /^--tls-cert: CERT has no certificate in PEM: /],
  'half a key': [{ key: pair.key.slice(0, 100) }, /^--tls-key: KEY has no private key in PEM/],
  'a key with a passphrase': [
    { key: withPassphrase },
    /^--tls-key: KEY has no private key in PEM without a passphrase: /,
  ],
  "another certificate's key": [
    { key: makePair().key },
    /^--tls-key: KEY is not the key of the first certificate in CERT$/,
  ],
  'an expired certificate': [
    makePair({ notBefore: daysFromNow(-2), notAfter: daysFromNow(-1) }),
    /^--tls-cert: the certificate in CERT expired at \d{4}-/,
  ],
  'a damaged chain': [
    { cert: `${pair.cert}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n` },
    /^--tls-cert: CERT can't be used: /,
  ],
};

test('what is wrong with a pair is refused by its flag and file, without its text', t => {
  for (const [what, [parts, message]] of Object.entries(wrong)) {
    const files = filesOf(pairFiles(t, { ...pair, ...parts }));
    assert.throws(
      () => openTls(files),
      (error: Error) => {
        assert(error instanceof Refused);
        assert.match(error.message.replace(files.cert, 'CERT').replace(files.key, 'KEY'), message);
        assert.doesNotMatch(error.message, /BEGIN|MII|MHg/);
        return true;
      },
      what,
    );
  }
});

test('a file that is missing, a folder, a FIFO, which is not opened, or unnamed is refused by its flag', t => {
  const files = filesOf(pairFiles(t));
  const [folder, fifo] = [`${files.cert}.d`, `${files.cert}.fifo`];
  mkdirSync(folder);
  execFileSync('mkfifo', [fifo]);
  for (const file of [join(folder, 'none'), folder, fifo, '']) {
    const why =
      file === '' ? 'the name of the file is empty' : `can't read ${file}: (E|it is not a regular file)`;
    assert.throws(() => openTls({ ...files, cert: file }), { message: new RegExp(`^--tls-cert: ${why}`) });
    assert.throws(() => openTls({ ...files, key: file }), { message: new RegExp(`^--tls-key: ${why}`) });
  }
});
