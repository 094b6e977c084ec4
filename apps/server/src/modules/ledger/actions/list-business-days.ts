import type { Currency } from '@muripo/contract/money'
import type { Ctx } from '../../../platform/ctx.ts'
import { invariant } from '../../../platform/errors.ts'
import { dayRows } from '../store-days.ts'
import { type SettledPart, settledParts, settlesAs } from '../transfer.ts'

/** The amounts that a day moved on merchant.payable in a currency: positive amounts are owed to merchants. */
type PartsOfDay = Readonly<Record<SettledPart, bigint>>

export interface BusinessDay {
  /** As 2026-11-28. */
  readonly date: string
  /** The last of all databases; null while it is open in one of them. */
  readonly closedAt: Date | null
  /** The next day on which banks pay; null while its holidays are unknown. */
  readonly payableOn: string | null
  readonly parts: ReadonlyMap<Currency, PartsOfDay>
}

const nothing = Object.fromEntries(settledParts.map((part) => [part, 0n])) as PartsOfDay

/**
 * The last business days, the newest first. Test payments are never added.
 * @param ctxs over each database
 */
export async function listBusinessDays(
  ctxs: readonly Pick<Ctx, 'db'>[],
  most: number,
): Promise<BusinessDay[]> {
  const days = new Map<string, BusinessDay & { readonly parts: Map<Currency, PartsOfDay> }>()
  for (const ctx of ctxs)
    for (const { currency, kind, minor, ...day } of await dayRows(ctx.db.kysely, most)) {
      const { closedAt, parts } = days.get(day.date) ?? { ...day, parts: new Map<Currency, PartsOfDay>() }
      days.set(day.date, { ...day, closedAt: lastOf(closedAt, day.closedAt), parts })
      if (currency === null || kind === null) continue
      const part = settlesAs(kind)
      invariant(part, `${kind} moves merchant.payable, and so it is settled`)
      const before = parts.get(currency) ?? nothing
      parts.set(currency, { ...before, [part]: before[part] + minor })
    }
  return [...days.values()].toSorted((one, other) => (one.date < other.date ? 1 : -1)).slice(0, most)
}

function lastOf(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return null
  return one > other ? one : other
}
