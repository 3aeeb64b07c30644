/** Self-signed certificates for localhost, 127.0.0.1 and 0.0.0.0, made as they are needed: Node reads X.509, but doesn't write it. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { type Scope, temporaryFolder } from './scope.ts';

export interface Pair {
  /** PEM. */
  readonly cert: string;
  /** PEM. */
  readonly key: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** @param name the only name that the certificate is for, instead of these three. */
export function makePair({
  name = undefined as string | undefined,
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
    der(0xa3, sequence(name === undefined ? THIS_MACHINE : alternativeNames(dnsName(name)))),
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
  // In as few bytes as it needs: Bun and Deno refuse any other form.
  const lengthBytes =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...lengthBytes), content]);
}

function sequence(...contents: readonly Buffer[]): Buffer {
  return der(0x30, ...contents);
}

function bits(content: Buffer): Buffer {
  return der(0x03, Buffer.of(0), content);
}

/** To the second: a UTCTime until 2049, and a GeneralizedTime from then on (RFC 5280, section 4.1.2.5). */
function time(date: Date): Buffer {
  const digits = `${date.toISOString().replace(/\D/g, '').slice(0, 14)}Z`;
  return date.getUTCFullYear() < 2050
    ? der(0x17, Buffer.from(digits.slice(2)))
    : der(0x18, Buffer.from(digits));
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
const THIS_MACHINE = alternativeNames(
  dnsName('localhost'),
  der(0x87, Buffer.of(127, 0, 0, 1)),
  der(0x87, Buffer.of(0, 0, 0, 0)),
);

function alternativeNames(...names: readonly Buffer[]): Buffer {
  return sequence(oid('551d11'), der(0x04, sequence(...names)));
}

function dnsName(name: string): Buffer {
  return der(0x82, Buffer.from(name));
}

/** The type of `connect` lacks the last one. */
export type ClientOptions = ConnectionOptions & { readonly allowHalfOpen?: boolean };

/** Connects to a service on this machine that has this certificate, and waits for the handshake. Rejects when it fails. */
export async function connectSecurely(
  port: number,
  cert: string,
  options: ClientOptions = {},
): Promise<TLSSocket> {
  const socket = connect(port, '127.0.0.1', { ca: cert, ...options });
  await once(socket, 'secureConnect');
  return socket.on('error', () => {}); // a reset after the answer: what was received before counts
}
