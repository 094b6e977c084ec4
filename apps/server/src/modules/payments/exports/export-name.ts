import type { AccountId } from '@muripo/contract/ids'
import type { ExportQuery, MovementsQuery } from '@muripo/contract/payment-exports'

const MOST_OF_A_NAME = 40

/** "Tendai's Crafts (Pvt) Ltd" becomes "tendais-crafts-pvt-ltd"; a name without a Latin letter becomes the id. */
function accountIn(fullname: string, accountId: AccountId): string {
  const plain = fullname
    .normalize('NFKD')
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MOST_OF_A_NAME)
    .replace(/^-+|-+$/g, '')
  return plain === '' ? accountId : plain
}

/** Contains the account and the days, and `filtered` when another filter is set. */
export function exportName(accountId: AccountId, fullname: string, query: ExportQuery): string {
  const { from, to, texts: _, ...others } = query
  const isFiltered = Object.values(others).some((value) => value !== undefined && value !== '')
  return nameOf('payments', accountIn(fullname, accountId), { from, to }, isFiltered)
}

export const movementsName = (accountId: AccountId, fullname: string, query: MovementsQuery): string =>
  nameOf('movements', accountIn(fullname, accountId), query)

type Days = Readonly<Record<'from' | 'to', string | undefined>>

function nameOf(
  content: string,
  account: string,
  { from, to }: Days | MovementsQuery,
  isFiltered = false,
): string {
  const days = from && to ? `${from}-to-${to}` : from ? `from-${from}` : to ? `until-${to}` : 'all'
  return [`muripo-${content}`, account, days, ...(isFiltered ? ['filtered'] : [])]
    .join('-')
    .replace(/-all-filtered$/, '-filtered')
    .concat('.csv')
}
