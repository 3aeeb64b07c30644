import { createKeyroster } from 'keyroster/own-store';
import { callerOf, Store } from './yours.js';

export default {
  async fetch(request, env) {
    // One for each request: in a Worker a request must not wait for another one, as it would for a place among those being read.
    const keyroster = await createKeyroster({
      roster: new Store(env),
      authenticate: asked => callerOf(asked, env),
      rateLimit: 0, // it would count one request
      compression: false, // the runtime compresses, and would do it twice
    });
    const clientAddress = request.headers.get('cf-connecting-ip') ?? undefined;
    return keyroster.fetch(request, { clientAddress });
  },
};
