import { checkAddress, checkKey, checkOptions, checkTimeout } from './check.ts'
import { Customers } from './customers.ts'
import { Events } from './events.ts'
import { Payments } from './payments.ts'
import { Refunds } from './refunds.ts'
import { Webhooks } from './webhooks.ts'

export interface MuripoOptions {
  /** The address of your gateway, such as https://pay.example.com. Default: the environment variable MURIPO_URL. */
  readonly baseUrl?: string | { readonly href: string } | undefined
  /** The time limit of one attempt. Default: 30 seconds. */
  readonly timeoutMs?: number | undefined
}

/** A client of your Muripo gateway, for your server: an application key must never reach a browser. */
export class Muripo {
  readonly payments: Payments
  readonly customers: Customers
  readonly refunds: Refunds
  readonly webhooks: Webhooks
  readonly events: Events

  /**
   * @param key the key of one of your applications, from the dashboard. Its type permits undefined, so that you can pass an environment
   * variable; a missing key throws here, and not at the first call.
   */
  constructor(key: string | undefined, options: MuripoOptions = {}) {
    checkOptions(options, ['baseUrl', 'timeoutMs'], 'Muripo')
    const { baseUrl = addressOfEnvironment(), timeoutMs = 30_000 } = options
    const target = {
      key: checkKey(key),
      baseUrl: checkAddress(baseUrl),
      timeoutMs: checkTimeout(timeoutMs),
    }
    this.payments = new Payments(target)
    this.customers = new Customers(target)
    this.refunds = new Refunds(target)
    this.webhooks = new Webhooks(target)
    this.events = new Events(target)
  }
}

/** Some runtimes have no `process`. */
const addressOfEnvironment = (): string | undefined =>
  typeof process === 'undefined' ? undefined : process.env?.MURIPO_URL
