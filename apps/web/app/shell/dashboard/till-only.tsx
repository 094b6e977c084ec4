import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { useAccount } from '../../api/account.ts'
import { paths } from '../../lib/paths.ts'

/** Leads a member who may use the till, and sees no payments of other days, from the dashboard to the till. */
export function ExceptTillOnly({ children }: { readonly children: ReactNode }) {
  const { data: account } = useAccount()
  const may = account?.permissions
  const isTillOnly = may?.includes('till.read') === true && !may.includes('payments.read')
  return isTillOnly ? <Navigate to={paths.till} replace /> : children
}
