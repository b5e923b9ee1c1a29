// A thread with an upstream, and a client of the proxy before it. While the proxy's thread stands still, the client asks and the upstream closes
// the connection that the proxy keeps: the proxy learns of both at the same time.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { listen } from '../../../../__test__/support/listen.mjs';

const still = new Int32Array(workerData);
let taken = 0;
const server = createServer((request, response) => {
  taken++;
  request.resume().on('end', () => response.end('{}'));
});
parentPort.postMessage(await listen(server));
const [url] = await once(parentPort, 'message');
const { host, hostname, port } = new URL(url);

const statuses = [];
for (let round = 0; round < 6; round++) {
  const client = connect(Number(port), hostname).setEncoding('latin1');
  const ask = () => client.write(`GET /v1/other HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  ask();
  await once(client, 'data');
  parentPort.postMessage('stand still');
  Atomics.wait(still, 0, 0);
  ask();
  await wait(20);
  server.closeIdleConnections();
  await wait(20);
  const answer = once(client, 'data');
  Atomics.store(still, 0, 0);
  Atomics.notify(still, 0);
  const [text] = await answer;
  statuses.push(text.split(' ')[1]);
  client.destroy();
}
parentPort.postMessage({ statuses, taken });
server.closeAllConnections();
server.close();
