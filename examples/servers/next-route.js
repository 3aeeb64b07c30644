/**
 * For app/v1/organizations/api_keys/route.js; next.config.mjs needs `serverExternalPackages: ['keyroster']`. CORS is for your proxy.js,
 * which is middleware.js in Next 15.
 */
import { routeHandlers } from 'keyroster/next';

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeHandlers(() => ({
  database: process.env.DATABASE_URL,
}));
