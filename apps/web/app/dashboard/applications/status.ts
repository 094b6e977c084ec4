import { capitalise } from '../../lib/format.ts'

/** How a status is shown; one that is missing as well. */
export const statusOf = ({ status }: { readonly status?: string }) => ({
  tone: status === 'active' ? ('green' as const) : ('yellow' as const),
  word: status ? capitalise(status) : 'Unknown',
})
