import { nextMessage, startProcess } from '../lib/child-process.ts'
import type { EndedCharge } from './wallet.ts'

interface Shops {
  readonly ports: readonly number[]
  readonly keys: readonly string[]
  readonly connections: number
}

/** Payers whose wallet confirms at once, one on each connection, of shops in turn. */
export interface Lives extends Shops {
  readonly seconds: number
}

export interface LivesResult {
  /** All lives that were paid, including those after the end. */
  readonly lived: number
  /** The rate of the lives that were paid before the end. */
  readonly perSecond: number
  /** Milliseconds from the first request to the last answer of a life. */
  readonly p50: number
  readonly p99: number
}

/** Payers of production's shape, who wait for their wallet. */
export interface WaitingPayers extends Shops {
  /** Number of concurrent payers. */
  readonly waiting: number
  /** The time that a wallet takes on average: the first payments begin evenly over it. */
  readonly meanWaitMs: number
  /** The share of the paid ones. */
  readonly refundedShare: number
}

export interface WaitingResult {
  paid: number
  refused: number
  refunded: number
}

export type FromMain =
  | { readonly kind: 'live'; readonly lives: Lives }
  | { readonly kind: 'begin'; readonly payers: WaitingPayers }
  | { readonly kind: 'ended'; readonly charges: readonly EndedCharge[] }
  | { readonly kind: 'end' }

/** A round rejects when anything but success was answered: a run with errors has no figure. */
export interface Payers {
  readonly pid: number
  live(lives: Lives): Promise<LivesResult>
  /** @returns the end of the round, a while after `end` was called */
  begin(payers: WaitingPayers): Promise<WaitingResult>
  ended(charges: readonly EndedCharge[]): void
  end(): void
  stop(): void
}

export function startPayers(): Payers {
  const child = startProcess(new URL('./payers-process.ts', import.meta.url))
  // After an error the process has ended, while the wallet still reports charges: the gateway and its database are stopped in order.
  const send = (message: FromMain) => void (child.connected && child.send(message))
  const round = <Result>(message: FromMain): Promise<Result> => {
    send(message)
    return nextMessage<Result>(child, 'the payers')
  }
  return {
    pid: child.pid ?? 0,
    live: (lives) => round({ kind: 'live', lives }),
    begin: (payers) => round({ kind: 'begin', payers }),
    ended: (charges) => send({ kind: 'ended', charges }),
    end: () => send({ kind: 'end' }),
    stop: () => child.disconnect(),
  }
}
