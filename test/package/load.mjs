/**
 * Requests pages on eight connections until the service stops. Prints a line once it has many answers, and one at the end. Fails
 * unless each request on an open connection was answered.
 */
import { Agent, request } from 'node:http';

const CONNECTIONS = 8;
const MANY = 300;
/** On a busy machine the service may shed load, which is an answer. */
const EXPECTED = [200, 503];
const url = `${process.env.KEYROSTER_BASE_URL}/v1/organizations/api_keys?limit=100`;
const headers = { 'x-api-key': process.env.KEYROSTER_ADMIN_KEY, 'vendor-version': '2023-06-01' };
const statuses = {};
let answered = 0;
let unanswered = 0;

await Promise.all(Array.from({ length: CONNECTIONS }, requestUntilStopped));
process.stdout.write(`${answered} answered, ${unanswered} not\n`);
const unexpected = Object.keys(statuses).filter(status => !EXPECTED.includes(Number(status)));
if (unexpected.length > 0 || unanswered > 0) {
  process.stderr.write(`${JSON.stringify({ statuses, unanswered })}\n`);
  process.exitCode = 1;
}

async function requestUntilStopped() {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (await isAnswered(agent)) {
    // the next one
  }
  agent.destroy();
}

/** False when the service accepts no connection any more. */
function isAnswered(agent) {
  return new Promise(resolve => {
    const sent = request(url, { agent, headers }, answer => {
      answer.on('error', lost).on('end', () => {
        answered += 1;
        if (answered === MANY) process.stdout.write('under load\n');
        statuses[answer.statusCode] = (statuses[answer.statusCode] ?? 0) + 1;
        resolve(true);
      });
      answer.resume();
    });
    // The system may have accepted a new connection that the service never did.
    sent.on('error', () => (sent.reusedSocket ? lost() : resolve(false))).end();
    function lost() {
      unanswered += 1;
      resolve(false);
    }
  });
}
