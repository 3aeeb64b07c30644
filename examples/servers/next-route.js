/** For app/v1/organizations/api_keys/route.js. CORS is for your proxy.js, which is middleware.js in Next 15. */
import { createKeyroster } from 'keyroster';

let opened;

async function all(request) {
  // Here, as `next build` runs this file without a store. Uncompressed, as Next drops `content-encoding`.
  opened ??= createKeyroster({ database: process.env.DATABASE_URL, compression: false }).catch(error => {
    opened = undefined;
    throw error;
  });
  return (await opened).fetch(request);
}

export { all as DELETE, all as GET, all as HEAD, all as OPTIONS, all as PATCH, all as POST, all as PUT };
