import createClient from 'openapi-fetch';
import type { paths } from './client.d.ts';

const { BASE_URL = '', ADMIN_KEY = '' } = process.env;
const header = { 'anthropic-version': '2023-06-01' } as const;
const api = createClient<paths>({ baseUrl: BASE_URL, headers: { 'x-api-key': ADMIN_KEY } });

let after_id: string | null = null;
do {
  const query: { limit: number; after_id?: string } = { limit: 50, ...(after_id && { after_id }) };
  const { data, error } = await api.GET('/v1/organizations/api_keys', { params: { header, query } });
  if (error) throw new Error(error.error.message);
  for (const key of data.data) process.stdout.write(`${key.id}\n`);
  after_id = data.has_more ? data.last_id : null;
} while (after_id);

const query = { workspace_id: 'no workspace' };
const { error } = await api.GET('/v1/organizations/api_keys', { params: { header, query } });
if (error) process.stdout.write(`${error.error.type} ${error.error.message}\n`);

// @ts-expect-error: a status that the document lacks
void (() => api.GET('/v1/organizations/api_keys', { params: { header, query: { status: 'lost' } } }));
