import serverlessExpress from '@codegenie/serverless-express';
import { createKeyroster } from 'keyroster';

const keyroster = await createKeyroster({ database: process.env.DATABASE_URL });
export const handler = serverlessExpress({ app: keyroster });
