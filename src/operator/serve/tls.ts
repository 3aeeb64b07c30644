import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { Log } from '../../service/api/log.ts';
import { type KeyPair, secureContext, Tls } from '../../service/server/tls.ts';
import { cannotRead, readableByAnyone, textOfFile } from '../../shared/command/input/text-of-file.ts';
import { Refused } from '../../shared/record/faults.ts';

/** Paths of PEM files. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

interface CheckedPair extends KeyPair {
  readonly validUntil: Date;
}

/** Throws a `Refused`. With `reloadOnHangup` the files are read again on each SIGHUP; a pair that is refused changes nothing. */
export function openTls(files: TlsFiles) {
  const pair = readKeyPair(files);
  const tls = new Tls(pair);
  const reloadOnHangup = (log: Log) => {
    report(pair, files, log);
    process.on('SIGHUP', () => {
      try {
        const next = readKeyPair(files);
        tls.replace(next);
        report(next, files, log);
      } catch (error) {
        log.error(`the TLS certificate was not replaced: ${(error as Error).message}`);
      }
    });
  };
  return { tls, reloadOnHangup };
}

function report({ validUntil }: CheckedPair, { cert, key }: TlsFiles, log: Log): void {
  log.info(`TLS with the certificate in ${cert}, valid until ${validUntil.toISOString()}`);
  if (readableByAnyone(key))
    log.warn(`--tls-key: every user of this machine may read ${key}: let only the service's user read it`);
}

/** Reads and checks both files. Throws a `Refused` that names the flag and the file. */
export function readKeyPair({ cert, key }: TlsFiles): CheckedPair {
  const pair = { cert: read('--tls-cert', cert), key: read('--tls-key', key) };
  const certificate = certificateIn(cert, pair.cert);
  const privateKey = parsed(
    () => createPrivateKey(pair.key),
    `--tls-key: ${key} has no private key in PEM without a passphrase`,
  );
  if (!certificate.checkPrivateKey(privateKey))
    throw new Refused(`--tls-key: ${key} is not the key of the first certificate in ${cert}`);
  const validUntil = certificate.validToDate;
  if (validUntil < new Date())
    throw new Refused(`--tls-cert: the certificate in ${cert} expired at ${validUntil.toISOString()}`);
  parsed(() => createSecureContext(secureContext(pair)), `--tls-cert: ${cert} can't be used`);
  return { ...pair, validUntil };
}

export function certificateIn(file: string, pem = read('--tls-cert', file)): X509Certificate {
  return parsed(() => new X509Certificate(pem), `--tls-cert: ${file} has no certificate in PEM`);
}

function read(option: string, file: string): string {
  try {
    return textOfFile(file);
  } catch (error) {
    throw new Refused(`${option}: ${cannotRead(file, error)}`, { cause: error });
  }
}

/** OpenSSL's messages say what was wrong with the text, and never repeat it. */
function parsed<T>(parse: () => T, refusal: string): T {
  try {
    return parse();
  } catch (error) {
    throw new Refused(`${refusal}: ${(error as Error).message}`, { cause: error });
  }
}
