import { nextMessage, startProcess } from '../lib/child-process.ts'

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

export type ToWallet =
  | { readonly kind: 'counts' }
  | { readonly kind: 'behave'; readonly subscribers: Subscribers | null }

interface WalletCounts {
  /** Look-ups since the start. */
  readonly lookups: number
  /** Charges whose result the gateway has not read. */
  readonly waiting: number
}

export type FromWallet =
  | { readonly kind: 'ready'; readonly port: number }
  | ({ readonly kind: 'counts' } & WalletCounts)
  | { readonly kind: 'ended'; readonly charges: readonly EndedCharge[] }

export interface Wallet {
  readonly pid: number
  readonly url: string
  /** @param subscribers null: they confirm at once */
  behave(subscribers: Subscribers | null): void
  counts(): Promise<WalletCounts>
  onEnded(listener: (charges: readonly EndedCharge[]) => void): void
  stop(): void
}

export async function startWallet(): Promise<Wallet> {
  const child = startProcess(new URL('./wallet-process.ts', import.meta.url))
  const ready = await nextMessage<{ port: number }>(child, 'the wallet')
  let onEnded: (charges: readonly EndedCharge[]) => void = () => undefined
  let onCounts: (counts: WalletCounts) => void = () => undefined
  child.on('message', (message: FromWallet) => {
    if (message.kind === 'ended') onEnded(message.charges)
    else if (message.kind === 'counts') onCounts(message)
  })
  return {
    pid: child.pid ?? 0,
    url: `http://127.0.0.1:${ready.port}/payment/v1`,
    behave: (subscribers) => void child.send({ kind: 'behave', subscribers } satisfies ToWallet),
    counts: () =>
      new Promise((resolve) => {
        onCounts = resolve
        child.send({ kind: 'counts' } satisfies ToWallet)
      }),
    onEnded(listener) {
      onEnded = listener
    },
    stop: () => child.disconnect(),
  }
}
