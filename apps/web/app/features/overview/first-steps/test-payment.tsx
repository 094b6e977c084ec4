import type { Application } from '@muripo/contract/applications'
import type { CreatedPayment } from '@muripo/contract/payment-actions'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useErrorText } from '../../../api/api-error.ts'
import { createKeyring, createPayment, type NewPayment, usePaymentOptions } from '../../../api/new-payment.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Step } from './step.tsx'
import { useFirstStepsText } from './text.ts'

/** The number of the simulator whose wallet confirms every payment after five seconds. */
const PRACTICE_NUMBER = '0771111111'
const METHOD = 'ecocash'

interface TestPaymentProps {
  readonly application: Application | undefined
  readonly isDone: boolean
  readonly isNext: boolean
  readonly onTestPayment: (paymentId: string) => void
}

/** Submits the form of the payer's page. The page of a refusal is no redirect. */
async function payAsCustomer({ paymentUrl }: CreatedPayment): Promise<boolean> {
  // The dashboard may have been opened at another address than the public one.
  const { pathname } = new URL(paymentUrl)
  const form = new URLSearchParams({ method: METHOD, phone: PRACTICE_NUMBER })
  const { type } = await fetch(pathname, { method: 'POST', body: form, redirect: 'manual' })
  return type === 'opaqueredirect'
}

/** A payment of one unit, which the simulated wallet pays: the same calls as those of a shop and its customer. */
export function TestPayment({ application, isDone, isNext, onTestPayment }: TestPaymentProps) {
  const t = useFirstStepsText()
  const errorText = useErrorText()
  const { data: options } = usePaymentOptions()
  const [keyed] = useState(createKeyring<NewPayment['body']>)
  const [created, setCreated] = useState<CreatedPayment | null>(null)
  const {
    mutate,
    data: isPaying,
    isPending,
    error,
  } = useMutation({
    async mutationFn(body: NewPayment['body']) {
      const payment = await createPayment(keyed(body))
      setCreated(payment)
      onTestPayment(payment.paymentId)
      return payAsCustomer(payment)
    },
  })
  const currency = options?.currencies.find(({ methods }) => methods.includes(METHOD))?.currency
  const take = () => {
    if (application === undefined || currency === undefined) return
    mutate({ applicationId: application._id, amount: 1, currency, purposeDescription: t('testPurpose') })
  }
  const isRefused = isPaying === false && created !== null
  const isAwaited = isPaying === true && !isDone
  const words = isAwaited ? t('walletPays') : t('stepTestText', { price: `${currency ?? 'USD'}\u00a01.00` })
  return (
    <Step
      title={t('stepTest')}
      isDone={isDone}
      isNext={isNext}
      text={
        <>
          <p role="status">{words}</p>
          {error && <p role="alert">{errorText(error)}</p>}
          {isRefused && (
            <p role="alert">
              {t('testRefused')} <a href={created.paymentUrl}>{t('openPaymentPage')}</a>
            </p>
          )}
        </>
      }
    >
      {application && currency && !isAwaited && (
        <Button running={isPending} runningLabel={t('testStarting')} onClick={take}>
          {t('stepTest')}
        </Button>
      )}
    </Step>
  )
}
