// biome-ignore-all lint/suspicious/noConsole: it is how the script tells its results
/**
 * What test/client/runtimes.soak.ts runs in each runtime, with the packed client. Prints one line of JSON; what its runtime makes of
 * errors and clients goes to standard error.
 */
import { KeyrosterClient, KeyrosterError } from '@keyroster/client';

const { direct, failing, breaking, silent, tls, secret } = JSON.parse(process.argv.at(-1));
const clientOf = (baseUrl, options) => new KeyrosterClient({ baseUrl, adminKey: secret, ...options });

async function walk(client, parameters) {
  const ids = [];
  for await (const { id } of client.apiKeys.list(parameters)) ids.push(id);
  return ids;
}

async function errorOf(promise) {
  try {
    await promise;
  } catch (error) {
    console.error(error, JSON.stringify(error), error.stack);
    if (!(error instanceof KeyrosterError)) return String(error);
    const { type, status, code, resume } = error;
    return { type, status, code, resume };
  }
  return 'no error';
}

const client = clientOf(direct);
const results = {
  forward: await walk(client, { limit: 7 }),
  backward: await walk(client, { limit: 7, before_id: 'k44' }),
  filtered: await walk(client, { limit: 2, status: 'inactive', created_by_user_id: 'user_1' }),
  withKeyOfFunction: await walk(clientOf(direct, { adminKey: async () => secret }), { limit: 20 }),
  retried: await walk(clientOf(failing), { limit: 7 }),
};

const page = await client.apiKeys.list({ limit: 5 });
const next = await page.nextPage();
results.neighbours = [page.last_id, next.first_id, (await next.previousPage()).first_id];

results.unknownCursor = await errorOf(client.apiKeys.list({ after_id: 'nobody' }));
results.wrongKey = await errorOf(clientOf(direct, { adminKey: `${secret}x` }).apiKeys.list());
results.failedFunction = await errorOf(
  clientOf(direct, { adminKey: () => Promise.reject(new Error(secret)) }).apiKeys.list(),
);
results.timeout = await errorOf(clientOf(silent, { timeoutMs: 300, retries: 0 }).apiKeys.list());
results.certificate = await errorOf(clientOf(tls).apiKeys.list());
results.noTls = await errorOf(clientOf(direct.replace('http:', 'https:')).apiKeys.list());
results.unknownHost = await errorOf(clientOf('http://no-such-host.invalid').apiKeys.list());
results.nothingListens = await errorOf(clientOf('http://127.0.0.1:9', { retries: 0 }).apiKeys.list());

const controller = new AbortController();
const aborted = clientOf(silent).apiKeys.list({}, { signal: controller.signal }).then();
setTimeout(() => controller.abort(new RangeError('enough')), 100);
results.aborted = await errorOf(aborted);

const broken = clientOf(breaking, { retries: 0 });
const seen = [];
for (let parameters = { limit: 7 }; parameters; ) {
  try {
    for await (const { id } of broken.apiKeys.list(parameters)) seen.push(id);
    parameters = null;
  } catch (error) {
    parameters = JSON.parse(JSON.stringify(error)).resume;
    seen.push('failed');
  }
}
results.resumed = seen;

console.error(client, client.apiKeys, page, client.apiKeys.list());
console.log(JSON.stringify(results));
