/** For app/v1/organizations/api_keys/route.js. Next compresses by itself; CORS is for your proxy.js. */
import { createKeyroster } from 'keyroster';

const { fetch } = await createKeyroster({ database: process.env.DATABASE_URL });

export {
  fetch as DELETE,
  fetch as GET,
  fetch as HEAD,
  fetch as OPTIONS,
  fetch as PATCH,
  fetch as POST,
  fetch as PUT,
};
