import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { useDialogInAddress } from '../../../lib/dialog-in-address.ts'
import { usePaymentsText } from '../../../lib/payments-text.ts'
import { useDialogModule } from '../dialog-module.ts'

/** The details of a payment. Their code is loaded once the first rows are on the screen, or when they are opened. */
export function PaymentDialog({ payments }: { readonly payments: readonly DashboardPayment[] | undefined }) {
  const { value: paymentId, close } = useDialogInAddress('payment')
  const isOpen = paymentId !== null
  const module = useDialogModule(() => import('./open-payment.tsx'), {
    isOpen,
    isExpected: payments !== undefined,
    close,
  })
  const t = usePaymentsText()
  return (
    <Dialog opened={isOpen} onClose={close} title={t('paymentDetails')} size="wide">
      {isOpen &&
        (module ? (
          <module.OpenPayment
            key={paymentId}
            paymentId={paymentId}
            row={payments?.find((payment) => payment.paymentId === paymentId)}
            onClose={close}
          />
        ) : (
          <div aria-busy="true">
            <Skeleton h={480} />
          </div>
        ))}
    </Dialog>
  )
}
