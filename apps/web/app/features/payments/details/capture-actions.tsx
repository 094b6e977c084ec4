import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import { Link } from 'react-router'
import { dashboardToast } from '../../../components/toast.ts'
import { Button } from '../../../components/ui/button.tsx'
import { notice, row } from '../../../components/ui/classes.ts'
import { useLazyModule } from '../../../lib/lazy.ts'
import { useCommonText } from '../../../lib/page-text.ts'
import { paths } from '../../../lib/paths.ts'
import { usePaymentsText } from '../../../lib/payments-text.ts'
import { useFormats } from '../../../lib/use-formats.ts'
import { awaitsCapture, useInstruction } from './capture.ts'
import styles from './details.module.css'

/** The question on the screen about an authorised payment. */
export type CaptureQuestion = 'capture' | 'void'

interface CaptureActionsProps {
  readonly payment: DashboardPayment
  readonly question: CaptureQuestion | null
  readonly onQuestion: (question: CaptureQuestion | null) => void
}

/** The buttons of an authorised payment with their dialogs, and the result. */
export function CaptureActions({ payment, question, onQuestion }: CaptureActionsProps) {
  const t = usePaymentsText()
  const common = useCommonText()
  // Few payments are authorised: the dialogs are loaded when one is opened.
  const { module, isLoading, load } = useLazyModule(() => import('./capture-dialogs.tsx'))
  const { give, result, ...instruction } = useInstruction(() => onQuestion(null))
  async function open(next: CaptureQuestion) {
    if (module ?? (await load())) onQuestion(next)
    else dashboardToast.error(common('checkConnection'))
  }
  const dialog = {
    ...instruction,
    payment,
    onConfirm: (amount: number | null) => give({ payment, amount }),
    onClose: () => {
      onQuestion(null)
      instruction.onRetype()
    },
  }
  return (
    <>
      {result && (
        <p className={notice('success', 'above16', 'screenOnly')} role="status">
          {result}
        </p>
      )}
      {awaitsCapture(payment) && result === null && (
        <div className={`${styles.instructions} ${row('gap8')}`}>
          <Button kind="default" running={isLoading} onClick={() => void open('void')}>
            {t('void')}
          </Button>
          <Button running={isLoading} onClick={() => void open('capture')}>
            {t('capture')}
          </Button>
        </div>
      )}
      {module && (
        <>
          <module.CaptureDialog {...dialog} opened={question === 'capture'} />
          <module.VoidDialog {...dialog} opened={question === 'void'} />
        </>
      )}
    </>
  )
}

interface CaptureDeadlineProps {
  readonly payment: DashboardPayment
  readonly className: string | undefined
}

/** The end of an authorisation, and a link to all payments that wait for a capture. */
export function CaptureDeadline({ payment, className }: CaptureDeadlineProps) {
  const t = usePaymentsText()
  const { dateText, exactText } = useFormats()
  const { captureBefore } = payment
  if (!awaitsCapture(payment) || captureBefore === null) return null
  return (
    <>
      <p className={className}>
        <time dateTime={captureBefore} title={exactText(captureBefore)}>
          {t('captureBefore', { date: dateText(captureBefore) })}
        </time>
      </p>
      <p className={className}>
        <Link to={paths.paymentsOf('authorized')}>{t('everyAuthorised')}</Link>
      </p>
    </>
  )
}
