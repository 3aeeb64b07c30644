import { createServer, type Server } from 'node:http';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { Metrics } from '../api/metrics.ts';

/** The metrics of this process, with those of Node. */
export function processMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return new Metrics(registry);
}

/** Metrics have a server of their own, so that callers of the API can't read them. */
export function createMetricsServer({ registry }: Metrics): Server {
  return createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('metrics are at /metrics\n');
      return;
    }
    const text = await registry.metrics();
    response.writeHead(200, { 'content-type': registry.contentType }).end(text);
  });
}
