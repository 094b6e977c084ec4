import type { ConsoleMerchant } from '@muripo/contract/console'
import { StatusBadge } from '../../../components/ui/status-badge.tsx'
import { merchantStateText, useConsoleText } from '../text.ts'

const tones = { new: 'yellow', approved: 'green', suspended: 'red', closed: 'grey' } as const

/** The decision that the merchant waits for, or else its status. */
export function MerchantBadge({
  merchant,
}: {
  readonly merchant: Pick<ConsoleMerchant, 'status' | 'waitsFor'>
}) {
  const t = useConsoleText()
  const { status, waitsFor } = merchant
  if (waitsFor !== null)
    return (
      <StatusBadge tone="yellow">
        {t(waitsFor === 'approval' ? 'merchantWaitsApproval' : 'merchantWaitsNames')}
      </StatusBadge>
    )
  return <StatusBadge tone={tones[status]}>{merchantStateText(status, t)}</StatusBadge>
}
