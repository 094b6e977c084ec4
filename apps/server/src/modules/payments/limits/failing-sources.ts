import type { AccountId } from '@muripo/contract/ids'
import { plusMs } from '../../../platform/clock.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { type Network, networksOf, widestNetworkOf } from '../../../platform/http/network.ts'

const WINDOW_MS = 10 * 60_000
/** Attempts are accepted while one success stands against so many failures. */
const FAILURES_PER_SUCCESS = 4
const MOST_SUBJECTS = 10_000

/** The number of payers of one address whose attempts failed, at any merchant. Wider networks have their share. */
const OF_ADDRESS = 300
/** The number of payers whose attempts at one merchant failed. */
const OF_MERCHANT = 600
/** One network counts for so many of them: a merchant is paused only when payers of many networks fail. */
const OF_NETWORK = 30
/** A network with fewer failures at a paused merchant is still served. */
const SERVED_BELOW = 3

/** The results in a window, by network. */
interface Results {
  readonly endsAt: Date
  readonly failed: Map<string, Set<string>>
  successes: number
}

export interface FailingSources {
  /** Whether too many payers of this address or a network around it have failed. */
  isSourceRefused(address: string): boolean
  /** Whether payers of many networks have failed at the merchant, and this address is not one of the others. */
  isMerchantRefused(accountId: AccountId, address: string | undefined): boolean
  note(accountId: AccountId, address: string | undefined, payer: string, result: 'completed' | 'failed'): void
}

/** The results of attempts by source and by merchant, in the memory of this process. */
export function createFailingSources({ clock, config }: Pick<Ctx, 'clock' | 'config'>): FailingSources {
  const factor = config.rateLimitFactor
  const subjects = new Map<string, Results>()

  function resultsOf(subject: string): Results | undefined {
    const known = subjects.get(subject)
    if (known && known.endsAt > clock.now()) return known
    subjects.delete(subject)
    return undefined
  }

  function startWindow(subject: string): Results {
    const [oldest] = subjects.size >= MOST_SUBJECTS ? subjects.keys() : []
    if (oldest !== undefined) subjects.delete(oldest)
    const started = { endsAt: plusMs(clock.now(), WINDOW_MS), failed: new Map(), successes: 0 }
    subjects.set(subject, started)
    return started
  }

  function noteIn(subject: string, network: string, payer: string, most: number | null): void {
    const results = resultsOf(subject) ?? startWindow(subject)
    if (most === null) {
      results.successes += 1
      return
    }
    const failed = results.failed.get(network) ?? new Set()
    if (failed.size < most) failed.add(payer)
    results.failed.set(network, failed)
  }

  const isFailing = (results: Results | undefined, most: number): boolean => {
    if (!results) return false
    let failed = 0
    for (const { size } of results.failed.values()) failed += size
    return failed >= most && failed > FAILURES_PER_SUCCESS * results.successes
  }

  const mostOf = ({ share }: Network): number => OF_ADDRESS * share * factor

  return {
    isSourceRefused: (address) =>
      sourcesOf(address).some((network) => isFailing(resultsOf(network.name), mostOf(network))),

    isMerchantRefused(accountId, address) {
      const results = resultsOf(accountId)
      if (!isFailing(results, OF_MERCHANT * factor)) return false
      const own = results?.failed.get(networkNameOf(address))?.size ?? 0
      return own >= SERVED_BELOW * factor
    },

    note(accountId, address, payer, result) {
      const most = (quota: number) => (result === 'completed' ? null : quota)
      noteIn(accountId, networkNameOf(address), payer, most(OF_NETWORK * factor))
      for (const network of address === undefined ? [] : sourcesOf(address))
        noteIn(network.name, network.name, payer, most(mostOf(network)))
    },
  }
}

const sourcesOf = (address: string): readonly Network[] => networksOf(address, { ipv4Networks: true })

/** Attempts whose payer's address this process does not have count as one network. */
const networkNameOf = (address: string | undefined): string =>
  address === undefined ? 'unknown' : widestNetworkOf(address)
