import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import { Link } from 'react-router'
import { useTimeZone } from '../../../api/account.ts'
import { paths } from '../../../lib/paths.ts'
import { useFormats } from '../../../lib/use-formats.ts'
import { usePaymentsText } from '../text.ts'
import { awaitsCapture } from './capture.ts'

interface CaptureDeadlineProps {
  readonly payment: DashboardPayment
  readonly className: string | undefined
}

/** The end of an authorisation, and the way to all others that wait for a capture. */
export function CaptureDeadline({ payment, className }: CaptureDeadlineProps) {
  const t = usePaymentsText()
  const { dateText, exactText } = useFormats()
  const timeZone = useTimeZone()
  const { captureBefore } = payment
  if (!awaitsCapture(payment) || captureBefore === null) return null
  return (
    <>
      <p className={className}>
        <time dateTime={captureBefore} title={exactText(captureBefore, timeZone)}>
          {t('captureBefore', { date: dateText(captureBefore, timeZone) })}
        </time>
      </p>
      <p className={className}>
        <Link to={paths.paymentsOf('authorized')}>{t('everyAuthorised')}</Link>
      </p>
    </>
  )
}
