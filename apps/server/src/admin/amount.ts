import { type Currency, fromMajor, type Money, MoneyError, money } from '@muripo/contract/money'
import { UsageError } from './command.ts'
import { oneLine } from './print.ts'

/** Parses an amount as an operator types it, 12.50 or 0, in a currency. */
export function typedAmount(text: string, currency: Currency): Money {
  if (/^0(\.0+)?$/.test(text)) return money(0n, currency)
  try {
    if (/^\d{1,12}(\.\d{1,4})?$/.test(text)) return fromMajor(Number(text), currency)
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error
  }
  throw new UsageError(`"${oneLine(text)}" is not an amount in ${currency}, as 12.50.`)
}

const LONGEST_REASON = 300

/** The reason of a booking, for later readers of the ledger. */
export function reasonIn(text: string | undefined, option = 'reason'): string {
  const reason = oneLine(text ?? '')
  if (reason !== '' && reason.length <= LONGEST_REASON) return reason
  throw new UsageError(`Give a reason: --${option} "…", ${LONGEST_REASON} characters at most.`)
}
