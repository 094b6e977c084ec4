import { lookup, Resolver } from 'node:dns/promises'

/** Every address of a name; it throws when that cannot be said for certain. */
export type Resolve = (host: string) => Promise<string[]>

/** As this machine sees it, with its own file of hosts: for development. */
export const resolveHere: Resolve = async (host) => {
  const found = await lookup(host, { all: true })
  return found.map(({ address }) => address)
}

/** As the name servers say. A machine's own file of hosts could name what is private. */
export function nameServers(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  if (servers) resolver.setServers(servers)
  return async (host) => {
    const families = await Promise.all([none(resolver.resolve4(host)), none(resolver.resolve6(host))])
    return families.flat()
  }
}

/** A name may well have addresses of one family only. Whatever else goes wrong leaves something unknown. */
const none = (answer: Promise<string[]>): Promise<string[]> =>
  answer.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENODATA' || error.code === 'ENOTFOUND') return []
    throw error
  })
