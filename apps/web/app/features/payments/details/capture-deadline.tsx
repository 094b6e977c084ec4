import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import { useTimeZone } from '../../../api/account.ts'
import { useFormats } from '../../../lib/use-formats.ts'
import { usePaymentsText } from '../text.ts'
import { awaitsCapture } from './capture.ts'

interface CaptureDeadlineProps {
  readonly payment: DashboardPayment
  readonly className: string | undefined
}

/** The end of an authorisation. */
export function CaptureDeadline({ payment, className }: CaptureDeadlineProps) {
  const t = usePaymentsText()
  const { dateText, exactText } = useFormats()
  const timeZone = useTimeZone()
  const { captureBefore } = payment
  if (!awaitsCapture(payment) || captureBefore === null) return null
  return (
    <p className={className}>
      <time dateTime={captureBefore} title={exactText(captureBefore, timeZone)}>
        {t('captureBefore', { date: dateText(captureBefore, timeZone) })}
      </time>
    </p>
  )
}
