import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import type { Stats } from '../../api/answers.ts'
import { useMay, useMayForAll } from '../../api/may.ts'
import { useLazyModule } from '../../lib/lazy.ts'
import { storage } from '../../lib/storage.ts'
import { RevenueChart } from './revenue-chart.tsx'

/** The test payment of the first steps, which is no payment of a customer. */
const TEST_PAYMENT = 'firstTestPayment'

/** Whether no payment but the test payment has been completed. A merchant with more payments than the recent ones has left the first steps. */
function isNewcomer({ totalCompleted, recentPayments }: Stats, testPayment: string | null): boolean {
  const isTest = ({ paymentId }: Stats['recentPayments'][number]) => paymentId === testPayment
  const hasReal = recentPayments.some(
    (payment) => !isTest(payment) && (payment.status === 'COMPLETED' || payment.status === 'REFUNDED'),
  )
  return !hasReal && (totalCompleted === 0 || (totalCompleted === 1 && recentPayments.some(isTest)))
}

/** The revenue chart, or the first steps of a merchant without a payment. Their code is loaded for newcomers only. */
export function RevenueOrSteps({ stats }: { readonly stats: Stats | undefined }) {
  const [testPayment, setTestPayment] = useState(() => storage.getItem(TEST_PAYMENT))
  const { module, hasFailed, load } = useLazyModule(() => import('./first-steps/first-steps.tsx'))
  const loadSteps = useEffectEvent(load)
  const mayCreate = useMayForAll('applications.write')
  const mayStart = useMay('payments.write') && mayCreate
  const isNew = mayStart && stats !== undefined && isNewcomer(stats, testPayment)
  useEffect(() => {
    if (isNew) void loadSteps()
  }, [isNew])
  // The content below does not move when the steps take the place of the chart.
  const [minHeight, setHeight] = useState(0)
  const measure = useCallback((chart: HTMLDivElement | null) => {
    if (chart) setHeight(chart.offsetHeight)
  }, [])
  if (!isNew || hasFailed) return <RevenueChart stats={stats} />
  if (module === null)
    return (
      <div ref={measure}>
        <RevenueChart stats={undefined} />
      </div>
    )
  const onTestPayment = (paymentId: string) => {
    storage.setItem(TEST_PAYMENT, paymentId)
    setTestPayment(paymentId)
  }
  return (
    <div style={{ display: 'grid', minHeight }}>
      <module.FirstSteps stats={stats} onTestPayment={onTestPayment} />
    </div>
  )
}
