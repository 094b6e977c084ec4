import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Lets a server listen on a free port of this machine. @returns the port */
async function listenAt(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

/** Lets a server listen on a free port of this machine. @returns its address */
export const listen = async (server: Server): Promise<string> => `http://127.0.0.1:${await listenAt(server)}`

/** Closes a server with its open connections. */
export async function closeServer(server: Server & { closeAllConnections?(): void }): Promise<void> {
  server.closeAllConnections?.()
  server.close()
  await once(server, 'close')
}

export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listenAt(server)
  await closeServer(server)
  return port
}
