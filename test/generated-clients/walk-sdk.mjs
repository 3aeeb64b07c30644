import Anthropic from '@anthropic-ai/sdk';

const { BASE_URL, ADMIN_KEY } = process.env;
const { apiKeys } = new Anthropic({ baseURL: BASE_URL, apiKey: ADMIN_KEY, maxRetries: 0 }).organization;

for await (const key of apiKeys.list({ limit: 50 })) process.stdout.write(`${key.id}\n`);

await apiKeys.list({ workspace_id: 'no workspace' }).catch(refused => {
  if (!(refused instanceof Anthropic.BadRequestError)) throw refused;
  process.stdout.write(`${refused.error.error.type} ${refused.error.error.message}\n`);
});
