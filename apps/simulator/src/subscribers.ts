import { z } from 'zod'
import type { Behaviour } from './behaviour.ts'
import type { Transaction } from './ledger.ts'
import { DelayMs } from './spoil.ts'

const Share = z.number().min(0).max(1)

/** All subscribers of a wallet, who decide without a handset. */
export const Subscribers = z.strictObject({
  /** The same number gives the same decisions. */
  seed: z.int().positive(),
  /** The time from the prompt to the decision, evenly spread. */
  leastMs: DelayMs,
  mostMs: DelayMs,
  /** The parts of all charges that are refused, and whose callback is lost. */
  refused: Share,
  lost: Share,
})

/** A charge whose decision a look-up of the merchant has read. */
interface EndedCharge {
  readonly number: string
  readonly isPaid: boolean
  readonly endedAt: number
}

/** Charges that many subscribers decide, for measurements under load. */
export function createSubscribers() {
  let draw: (() => Behaviour) | null = null
  let ended: EndedCharge[] = []
  const read = new WeakSet<Transaction>()
  const counts = { lookups: 0, waiting: 0 }
  return {
    counts,
    behave(subscribers: z.infer<typeof Subscribers>): void {
      draw = drawFrom(subscribers)
    },
    /** The behaviour of the next charge, which has none of its own. */
    next(): Behaviour {
      if (draw === null) return {}
      const behaviour = draw()
      if (isPrompted(behaviour)) counts.waiting += 1
      return behaviour
    },
    noteLookup(transaction: Transaction): void {
      if (draw === null || !isPrompted(transaction.behaviour)) return
      counts.lookups += 1
      const { number, status, endedAt } = transaction
      if (endedAt === null || read.has(transaction)) return
      read.add(transaction)
      counts.waiting -= 1
      ended.push({ number, isPaid: status === 'completed', endedAt })
    },
    /** Those since the last call. */
    takeEnded(): EndedCharge[] {
      const taken = ended
      ended = []
      return taken
    },
  }
}
export type AllSubscribers = ReturnType<typeof createSubscribers>

/** A charge that is decided at once has its decision in the answer. */
const isPrompted = ({ decision }: Behaviour): boolean => decision !== undefined && decision.afterMs > 0

function drawFrom({ seed, leastMs, mostMs, refused, lost }: z.infer<typeof Subscribers>): () => Behaviour {
  const chance = chanceOf(seed)
  return () => {
    const afterMs = Math.round(leastMs + chance() * (mostMs - leastMs))
    const verdict = chance() < refused ? 'cancelled' : 'success'
    return { decision: { verdict, afterMs }, ...(chance() < lost && { callback: 'lost' }) }
  }
}

/** Marsaglia's xorshift: numbers from 0 up to 1. */
function chanceOf(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 2 ** 32
  }
}
