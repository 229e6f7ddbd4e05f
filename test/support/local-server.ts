import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on this machine, on a port that the system picks. */
export async function startLocal(handle: RequestListener) {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port, url: `http://127.0.0.1:${port}`, stop };
}
