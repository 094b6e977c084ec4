import { COUNTER_PURPOSE } from '@muripo/contract/constants'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { ApiError, useErrorText, useRefusedFieldTexts } from '../../api/api-error.ts'
import { createKeyring, createPayment, type Keyed, type NewPayment } from '../../api/new-payment.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { ask, type Charge, charge, repeatedly, type TillDetails, useTillPayment } from '../../api/till.ts'
import { IconQrcode } from '../../components/icons.ts'
import { PageSpinner } from '../../components/page-spinner.tsx'
import { Button } from '../../components/ui/button.tsx'
import { font, grid, place, row } from '../../components/ui/classes.ts'
import { QueryError } from '../../components/ui/empty-state.tsx'
import { useFormats } from '../../lib/use-formats.ts'
import { Frame } from './frame.tsx'
import { Pad } from './pad.tsx'
import { priceText, useTillText } from './text.ts'
import styles from './till.module.css'
import { groupedNumber, isWhole, numberAfter, useTyping, walletOfTyped } from './typing.ts'

type FrameParts = Pick<ComponentProps<typeof Frame>, 'counter' | 'end' | 'aside'>

interface NumberPadProps extends FrameParts {
  readonly number: string
  readonly onNumber: (number: string) => void
  readonly price: string
  readonly error: string | null
  readonly running: boolean
  readonly onAsk: () => void
  /** Another way than a number. */
  readonly otherWay?: ReactNode
}

/** The number of the customer, with its wallet as it is typed. */
function NumberPad(props: NumberPadProps) {
  const { number, onNumber, price, error, running, onAsk, otherWay, ...frame } = props
  const t = useTillText()
  const { methodLabel } = useFormats()
  const wallet = walletOfTyped(number)
  const onKey = (key: string) => running || onNumber(numberAfter(number, key))
  const submit = () => isWhole(number) && !running && onAsk()
  useTyping(onKey, submit)
  return (
    <Frame title={t('tillNumber')} {...frame}>
      <div className={`${styles.upper} ${styles.entry} ${grid('gap8')}`}>
        <p className={font('sm', 'quiet')} aria-hidden>
          {t('tillNumber')}
        </p>
        <div
          className={`${styles.box} ${row('centre', 'between', 'gap8')}`}
          data-invalid={error !== null || undefined}
        >
          <output
            className={`${styles.number} ${font('lg', 'medium', 'strong', 'numbers', 'nowrap')}`}
            aria-label={t('tillNumber')}
          >
            {groupedNumber(number)}
          </output>
          <span className={font('sm', 'quiet', 'nowrap')} role="status">
            {wallet !== undefined && (wallet === null ? t('tillNoWallet') : methodLabel(wallet))}
          </span>
        </div>
        {error !== null && (
          <p className={font('sm', 'red', 'pretty')} role="alert">
            {error}
          </p>
        )}
        {otherWay}
      </div>
      <div className={`${styles.lower} ${grid('gap8')}`}>
        <Pad extra="+" onKey={onKey} />
        <Button
          className={styles.tall}
          block
          disabled={!isWhole(number)}
          running={running}
          runningLabel={t('tillAsking')}
          onClick={submit}
        >
          {t('tillAskFor', { price })}
        </Button>
      </div>
    </Frame>
  )
}

/** The sentence for a refused or unanswered request: that of the first field, or its own. */
function useAskError(error: Error | null): string | null {
  const t = useTillText()
  const fields = useRefusedFieldTexts()
  const errorText = useErrorText()
  if (error === null) return null
  if (error instanceof ApiError && error.isTemporary) return t('tillUnsure')
  return Object.values(fields(error))[0] ?? errorText(error)
}

/** Longer than this, the customer's wallet has closed a prompt that an unanswered request may have caused. */
const KEY_LIFE_MS = 10 * 60_000

/** The keys of requests that may have arrived. A request that was answered is followed by one with another key. */
function useKeys<Body>() {
  const make = () => ({ keyed: createKeyring<Body>(), since: Date.now() })
  const [ring, setRing] = useState(make)
  return {
    keyFor(body: Body): Keyed<Body> {
      if (Date.now() - ring.since < KEY_LIFE_MS) return ring.keyed(body)
      const fresh = make()
      setRing(fresh)
      return fresh.keyed(body)
    },
    noteAnswer(error: Error | null): void {
      if (error === null || (error instanceof ApiError && !error.isTemporary)) setRing(make())
    },
  }
}

interface ChargeStepProps extends FrameParts {
  readonly order: Pick<Charge, 'applicationId' | 'currency' | 'amount'> & { readonly purpose: string }
  readonly number: string
  readonly onNumber: (number: string) => void
  readonly onPayment: (payment: Pick<TillDetails, 'paymentId'>, number?: string) => void
}

/** Charges a new payment, or shows its page as a QR. */
export function ChargeStep({ order, number, onNumber, onPayment, ...frame }: ChargeStepProps) {
  const t = useTillText()
  const client = useQueryClient()
  const keys = useKeys<Charge>()
  const linkKeys = useKeys<NewPayment['body']>()
  const { purpose, ...sum } = order
  const charging = useMutation({
    mutationFn: charge,
    ...repeatedly,
    onSettled: (_, error) => keys.noteAnswer(error),
    onSuccess(payment) {
      client.setQueryData(queryKeys.tillPayment(payment.paymentId), payment)
      void client.invalidateQueries({ queryKey: queryKeys.tillToday })
      onPayment(payment, number)
    },
  })
  const linking = useMutation({
    mutationFn: createPayment,
    ...repeatedly,
    onSettled: (_, error) => linkKeys.noteAnswer(error),
    onSuccess(payment) {
      client.setQueryData(queryKeys.tillQr(payment.paymentId), payment.paymentQr)
      void client.invalidateQueries({ queryKey: queryKeys.tillToday })
      onPayment(payment)
    },
  })
  const error = useAskError(charging.error ?? linking.error)
  const link = () => {
    charging.reset()
    linking.mutate(
      linkKeys.keyFor({ ...sum, purposeDescription: purpose === '' ? COUNTER_PURPOSE : purpose }),
    )
  }
  const submit = () => {
    linking.reset()
    charging.mutate(
      keys.keyFor({ ...sum, phone: number, ...(purpose !== '' && { purposeDescription: purpose }) }),
    )
  }
  return (
    <NumberPad
      {...frame}
      number={number}
      onNumber={(typed) => {
        charging.reset()
        onNumber(typed)
      }}
      price={priceText(order.currency, order.amount)}
      error={error}
      running={charging.isPending}
      onAsk={submit}
      otherWay={
        <div className={place('above4')}>
          <Button kind="plain" icon={IconQrcode} running={linking.isPending} onClick={link}>
            {t('tillShowQr')}
          </Button>
        </div>
      }
    />
  )
}

interface AskStepProps extends FrameParts {
  readonly paymentId: string
  /** The number that was asked before. */
  readonly number: string | undefined
  readonly onAsked: (payment: TillDetails, number: string) => void
}

/** Asks for a payment again, the same number or another one. */
export function AskStep({ paymentId, ...props }: AskStepProps) {
  const t = useTillText()
  const payment = useTillPayment(paymentId)
  if (payment.data) return <AskAgain {...props} payment={payment.data} />
  const { counter, end, aside } = props
  return (
    <Frame title={t('tillNumber')} counter={counter} end={end} aside={aside}>
      {payment.error ? <QueryError query={payment} /> : <PageSpinner isPart />}
    </Frame>
  )
}

interface AskAgainProps extends Omit<AskStepProps, 'paymentId'> {
  readonly payment: TillDetails
}

function AskAgain({ payment, number: before = '', onAsked, ...frame }: AskAgainProps) {
  const client = useQueryClient()
  const [number, setNumber] = useState(before)
  const { paymentId, attempts, currency, amount } = payment
  const asking = useMutation({
    mutationFn: ask,
    ...repeatedly,
    onSuccess(after) {
      client.setQueryData(queryKeys.tillPayment(paymentId), after)
      onAsked(after, number)
    },
  })
  return (
    <NumberPad
      {...frame}
      number={number}
      onNumber={(typed) => {
        asking.reset()
        setNumber(typed)
      }}
      price={priceText(currency, amount)}
      error={useAskError(asking.error)}
      running={asking.isPending}
      onAsk={() => asking.mutate({ paymentId, body: { phone: number, attempts } })}
    />
  )
}
