/** Self-signed certificates for localhost, 127.0.0.1 and 0.0.0.0, made as they are needed: Node reads X.509, but doesn't write it. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Scope, temporaryFolder } from './scope.ts';

export interface Pair {
  /** PEM. */
  readonly cert: string;
  /** PEM. */
  readonly key: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;

export function makePair({
  notBefore = new Date(Date.now() - DAY_MS),
  notAfter = new Date(Date.now() + DAY_MS),
} = {}): Pair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.of(2))), // version 3
    der(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)])), // serial number
    ECDSA_WITH_SHA256,
    NAME,
    sequence(time(notBefore), time(notAfter)),
    NAME,
    publicKey.export({ format: 'der', type: 'spki' }),
    der(0xa3, sequence(SUBJECT_ALTERNATIVE_NAME)),
  );
  const signature = bits(sign('sha256', toBeSigned, privateKey));
  const cert = pem(sequence(toBeSigned, ECDSA_WITH_SHA256, signature));
  return { cert, key: privateKey.export({ format: 'pem', type: 'pkcs8' }) as string };
}

export interface PairFiles {
  readonly certFile: string;
  readonly keyFile: string;
  /** The settings of `serve`. */
  readonly env: Record<string, string>;
  /** Replaces both files. */
  write(pair: Pair): void;
}

export function pairFiles(scope: Scope, pair: Pair = makePair()): PairFiles {
  const folder = temporaryFolder(scope);
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const write = ({ cert, key }: Pair) => {
    writeFileSync(certFile, cert);
    writeFileSync(keyFile, key);
    chmodSync(keyFile, 0o600);
  };
  write(pair);
  const env = { KEYROSTER_TLS_CERT: certFile, KEYROSTER_TLS_KEY: keyFile };
  return { certFile, keyFile, env, write };
}

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const lengthBytes = length < 128 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...lengthBytes), content]);
}

function sequence(...contents: readonly Buffer[]): Buffer {
  return der(0x30, ...contents);
}

function bits(content: Buffer): Buffer {
  return der(0x03, Buffer.of(0), content);
}

/** A GeneralizedTime, to the second. */
function time(date: Date): Buffer {
  return der(0x18, Buffer.from(`${date.toISOString().replace(/\D/g, '').slice(0, 14)}Z`));
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function pem(content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));
const COMMON_NAME = sequence(oid('550403'), der(0x0c, Buffer.from('localhost')));
const NAME = sequence(der(0x31, COMMON_NAME));
const SUBJECT_ALTERNATIVE_NAME = sequence(
  oid('551d11'),
  der(
    0x04,
    sequence(
      der(0x82, Buffer.from('localhost')),
      der(0x87, Buffer.of(127, 0, 0, 1)),
      der(0x87, Buffer.of(0, 0, 0, 0)),
    ),
  ),
);
