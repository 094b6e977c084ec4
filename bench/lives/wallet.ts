import { startSimulator } from '@muripo/rig/simulator'

/** The subscribers of a wallet that do not confirm at once. */
export interface Subscribers {
  /** The time from the prompt to the decision, evenly spread. */
  readonly leastMs: number
  readonly mostMs: number
  /** Shares of all charges. */
  readonly refused: number
  readonly lost: number
}

/** A charge whose result a look-up of the gateway has read. */
export interface EndedCharge {
  readonly msisdn: string
  readonly isPaid: boolean
  /** The time of the callback, in milliseconds of the epoch. */
  readonly decidedAt: number
}

interface WalletCounts {
  /** Look-ups since the start. */
  readonly lookups: number
  /** Charges whose result the gateway has not read. */
  readonly waiting: number
}

export interface Wallet {
  readonly pid: number
  /** Of a gateway whose provider it is. */
  readonly environment: Readonly<Record<string, string>>
  /** @param subscribers null: they confirm at once */
  behave(subscribers: Subscribers | null): Promise<void>
  counts(): Promise<WalletCounts>
  onEnded(listener: (charges: readonly EndedCharge[]) => void): void
  stop(): Promise<void>
}

interface Report extends WalletCounts {
  readonly ended: readonly { readonly number: string; readonly isPaid: boolean; readonly endedAt: number }[]
}

const SEED = 1
const REPORT_EVERY_MS = 20
/** A decision without a callback is in the answer to the charge. */
const atOnce: Subscribers = { leastMs: 0, mostMs: 0, refused: 0, lost: 1 }

/** The simulator in the form of EcoCash, whose subscribers all decide by themselves. */
export async function startWallet(): Promise<Wallet> {
  const simulator = await startSimulator(null, 1)
  let onEnded: (charges: readonly EndedCharge[]) => void = () => undefined
  const behave = (subscribers: Subscribers) =>
    simulator.control('/subscribers', { seed: SEED, ...subscribers })
  async function report(): Promise<Report> {
    const read = await simulator.read<Report>('/subscribers')
    if (read.ended.length > 0)
      onEnded(
        read.ended.map(({ number, isPaid, endedAt }) => ({ msisdn: number, isPaid, decidedAt: endedAt })),
      )
    return read
  }
  await behave(atOnce)
  const reports = setInterval(() => void report().catch(() => undefined), REPORT_EVERY_MS)
  return {
    pid: simulator.pid,
    environment: simulator.environment,
    behave: (subscribers) => behave(subscribers ?? atOnce),
    counts: report,
    onEnded(listener) {
      onEnded = listener
    },
    async stop() {
      clearInterval(reports)
      await simulator.close()
    },
  }
}
