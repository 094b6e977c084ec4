import type { Id } from '@muripo/contract/ids'
import { type Currency, fromMajor, type Money, MoneyError, money } from '@muripo/contract/money'
import { parseId } from '../platform/ids.ts'
import { type CommandArguments, UsageError } from './command.ts'
import { oneLine } from './print.ts'

type Options = CommandArguments['options']

/**
 * Parses an id as an operator types it.
 * @param noun the kind of object, for example `an application`
 */
export function typedId<Prefix extends string>(
  kind: Parameters<typeof parseId<Prefix>>[0],
  noun: string,
  text = '',
): Id<Prefix> {
  const id = parseId(kind, text)
  if (id === null) throw new UsageError(`"${oneLine(text)}" is not the id of ${noun}.`)
  return id
}

/** Null without the option. */
export const optionalId = <Prefix extends string>(
  kind: Parameters<typeof parseId<Prefix>>[0],
  noun: string,
  text: string | undefined,
): Id<Prefix> | null => (text === undefined ? null : typedId(kind, noun, text))

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

const REASON_MAX_LENGTH = 300

/**
 * The text of a required option.
 * @param subject the content of the text, for example `the reference`
 */
export function textIn(
  options: Options,
  option: string,
  subject = `the ${option}`,
  maxLength = REASON_MAX_LENGTH,
): string {
  const text = oneLine(options[option] ?? '')
  if (text !== '' && text.length <= maxLength) return text
  throw new UsageError(`Give ${subject}: --${option} "…", ${maxLength} characters at most.`)
}

/** The reason of a change, for later readers of the ledger and the audit log. */
export const reasonIn = (options: Options, option = 'reason'): string => textIn(options, option, 'a reason')

/** The reason of a decision, which an email quotes. */
export const merchantReasonIn = (options: Options): string =>
  textIn(options, 'reason', 'the reason that the merchant will read')
