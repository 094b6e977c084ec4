import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'

/** A listener that occupies a free port until the caller closes it. */
export async function takePort(): Promise<{ server: Server; port: number }> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

export async function freePort(): Promise<number> {
  const { server, port } = await takePort()
  server.close()
  await once(server, 'close')
  return port
}
