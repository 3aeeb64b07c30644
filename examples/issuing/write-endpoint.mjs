/** A write endpoint for an issuer that can only speak HTTP (docs/issuing.md). */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { openWriter, Refused } from 'keyroster';

const { ISSUER_SECRET, KEYROSTER_DATABASE_URL, PORT = '8081' } = process.env;
if (!ISSUER_SECRET || ISSUER_SECRET.length < 32) throw new Error('ISSUER_SECRET: must have 32 characters');
const digest = text => createHash('sha256').update(text).digest();
const expected = digest(`Bearer ${ISSUER_SECRET}`);
const writer = await openWriter({ database: KEYROSTER_DATABASE_URL, actor: 'issuer' });

const server = createServer({ requestTimeout: 10_000 }, async (request, response) => {
  const answer = (status, body) => response.writeHead(status).end(JSON.stringify(body));
  if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) return answer(401, {});
  const [, organization] = /^\/organizations\/([^/]+)\/api_keys$/.exec(request.url) ?? [];
  if (request.method !== 'PUT' || !organization) return answer(404, {});
  try {
    const chunks = [];
    for await (const chunk of request) if (chunks.push(chunk) > 1_000) return answer(413, {});
    const records = JSON.parse(Buffer.concat(chunks).toString());
    answer(200, await writer.put(decodeURIComponent(organization), records));
  } catch (error) {
    if (!(error instanceof Refused))
      answer(error instanceof SyntaxError || error instanceof URIError ? 400 : 500, {});
    else answer(error.faults.length > 0 ? 422 : 503, { faults: error.faults });
  }
});
server.listen(PORT, '127.0.0.1');
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.close(() => writer.close()));
