import { createKeyroster } from 'keyroster';
import serverless from 'serverless-http';

const keyroster = await createKeyroster({ database: process.env.DATABASE_URL });
export const handler = serverless(keyroster.handle);
