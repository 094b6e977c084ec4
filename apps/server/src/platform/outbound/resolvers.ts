import { lookup, Resolver } from 'node:dns/promises'

/** Returns every address of a name; throws when the list may be incomplete. */
export type Resolve = (host: string) => Promise<string[]>

/** Resolves like this machine, with its hosts file: for development. */
export const resolveHere: Resolve = async (host) => {
  const found = await lookup(host, { all: true })
  return found.map(({ address }) => address)
}

/** Resolves by the name servers. A hosts file could name private machines. */
export function nameServers(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  if (servers) resolver.setServers(servers)
  return async (host) => {
    const families = await Promise.all([none(resolver.resolve4(host)), none(resolver.resolve6(host))])
    return families.flat()
  }
}

/** A name may have addresses of one family only. Any other error leaves the addresses unknown. */
const none = (answer: Promise<string[]>): Promise<string[]> =>
  answer.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENODATA' || error.code === 'ENOTFOUND') return []
    throw error
  })
