import type { Wallet } from '../lives/wallet.ts'
import type { Gateway } from './gateway.ts'
import type { Options } from './options.ts'

/** The run of one part of the bench, with a gateway and a database of its own. */
export interface Run {
  readonly gateway: Gateway
  /** The gateway's provider, in the parts that have one. */
  readonly wallet: Wallet
  readonly options: Options
  readonly log: (line: string) => void
}
