import { nextMessage, startProcess } from '../lib/child-process.ts'
import type { EndedCharge } from './wallet.ts'

export interface Payers {
  readonly ports: readonly number[]
  readonly keys: readonly string[]
  readonly connections: number
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
  | { readonly kind: 'begin'; readonly payers: Payers }
  | { readonly kind: 'ended'; readonly charges: readonly EndedCharge[] }
  | { readonly kind: 'end' }

export interface WaitingPayers {
  readonly pid: number
  /** @returns the end of the round, a while after `end` was called. It rejects when anything but success was answered */
  begin(payers: Payers): Promise<WaitingResult>
  ended(charges: readonly EndedCharge[]): void
  end(): void
  stop(): void
}

export function startWaitingPayers(): WaitingPayers {
  const child = startProcess(new URL('./waiting-payers-process.ts', import.meta.url))
  // After an error the process has ended, while the wallet still reports charges: the gateway and its database are stopped in order.
  const send = (message: FromMain) => void (child.connected && child.send(message))
  return {
    pid: child.pid ?? 0,
    begin(payers) {
      send({ kind: 'begin', payers })
      return nextMessage<WaitingResult>(child, 'the payers who wait')
    },
    ended: (charges) => send({ kind: 'ended', charges }),
    end: () => send({ kind: 'end' }),
    stop: () => child.disconnect(),
  }
}
