import { createServer, type Server } from 'node:http';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { Metrics } from '../api/metrics.ts';

/** The metrics of this process, with those of Node. With a worker's name, each has it as a label. */
export function processMetrics(worker?: string): Metrics {
  const registry = new Registry();
  if (worker !== undefined) registry.setDefaultLabels({ worker });
  collectDefaultMetrics({ register: registry });
  return new Metrics(registry);
}

/** Metrics have a server of their own, so that callers of the API can't read them. */
export function createMetricsServer(current: () => Registry | Promise<Registry>): Server {
  return createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('metrics are at /metrics\n');
      return;
    }
    const registry = await current();
    const text = await registry.metrics();
    response.writeHead(200, { 'content-type': registry.contentType }).end(text);
  });
}
