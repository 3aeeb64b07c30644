/** The process of one client that walks a roster in pages of 1,000, for as long as its parent asks for. */
import { Agent, get, type RequestOptions } from 'node:http';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { LIST_API_KEYS_PATH } from '../../src/api/paths.ts';
import { answerRequests } from '../processes/worker.ts';
import type { Target } from './load.ts';

answerRequests(walk);

export interface Walk extends Target {
  readonly seconds: number;
}

export interface WalkResult {
  readonly pages: number;
}

async function walk({ port, headers, seconds }: Walk): Promise<WalkResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const end = performance.now() + seconds * 1000;
  let cursor = '';
  let pages = 0;
  while (performance.now() < end) {
    const path = `${LIST_API_KEYS_PATH}?limit=1000${cursor}`;
    const body = await bodyOf({ host: '127.0.0.1', port, path, headers, agent });
    const found = /"last_id":"([^"]+)","has_more":true\}$/.exec(body.subarray(-200).toString());
    cursor = found ? `&after_id=${found[1]}` : ''; // from the first page again after the last
    pages += 1;
  }
  agent.destroy();
  return { pages };
}

const decompressors: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  zstd: body => zstdDecompressSync(body),
  br: body => brotliDecompressSync(body),
  gzip: body => gunzipSync(body),
};

function bodyOf(options: RequestOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const request = get(options, response => {
      const chunks: Buffer[] = [];
      response.on('data', chunk => chunks.push(chunk));
      const decompress = decompressors[String(response.headers['content-encoding'])] ?? (body => body);
      response.on('end', () => resolve(decompress(Buffer.concat(chunks))));
      response.on('error', reject);
    });
    request.on('error', reject);
  });
}
