import { Agent, get } from 'node:http';

/** Requests under way at once: enough to keep the one process of the service busy. */
const CONNECTIONS = 8;

/** Sends this many requests over keep-alive connections, each URL made when it is sent; returns requests per second. */
export async function requestsPerSecond(
  url: () => string,
  headers: Record<string, string>,
  count: number,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let sent = 0;
  const client = async () => {
    while (sent++ < count) await request(url(), headers, agent);
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  const seconds = (performance.now() - start) / 1000;
  agent.destroy();
  return count / seconds;
}

function request(url: string, headers: Record<string, string>, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent }, response => {
      response.resume();
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${response.statusCode} for ${url}`));
      });
    }).on('error', reject);
  });
}
