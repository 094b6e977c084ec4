import { VisuallyHidden } from '../../components/ui/visually-hidden.tsx'
import { useDashboardText } from '../../lib/dashboard-text.ts'
import { useLive } from '../../live/live.tsx'

/** Tells screen readers how many payments have changed. */
export function LiveAnnouncement() {
  const t = useDashboardText()
  const { announced } = useLive()
  return (
    <VisuallyHidden as="p" role="status">
      {announced > 0 && t('paymentsUpdated', { count: announced })}
    </VisuallyHidden>
  )
}
