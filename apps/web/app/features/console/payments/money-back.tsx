import type { ConsolePaymentDetails } from '@muripo/contract/console'
import { row } from '../../../components/ui/classes.ts'
import { Panel } from '../../../components/ui/panel.tsx'
import { useFormats } from '../../../lib/use-formats.ts'
import { DecisionButton, type DecisionButtonProps } from '../decisions/decision-button.tsx'
import { type DecisionField, useAmountCheck } from '../decisions/decision-fields.tsx'
import { useDecider } from '../decisions/kinds.ts'
import { bodyClass } from '../panel-parts.tsx'
import { priceText, useConsoleText } from '../text.ts'

/** In whole cents: 25.1 - 25.05 is exactly 0.05. */
const less = (amount: number, part: number): number =>
  (Math.round(amount * 100) - Math.round(part * 100)) / 100

/** The decisions about a payment that was paid, as far as an amount of it remains. */
export function MoneyBack({ details }: { readonly details: ConsolePaymentDetails }) {
  const t = useConsoleText()
  const checkAmount = useAmountCheck()
  const { decides } = useDecider()
  const { payment, proposals } = details
  const returned = useReturned(details)
  const { paymentId, currency, amountCaptured, amountRefunded, amountReversed } = payment
  const unrefunded = less(amountCaptured ?? 0, amountRefunded)
  const remaining = less(unrefunded, amountReversed)
  const amountUpTo = (most: number) =>
    ({
      name: 'amount',
      label: t('consoleAmount'),
      check: (value: string) => checkAmount(value, currency, most),
    }) as const
  const possible: readonly Pick<DecisionButtonProps, 'kind' | 'text' | 'fields' | 'danger'>[] = [
    ...(remaining > 0
      ? ([
          {
            kind: 'refund.open',
            text: t('refundOpenText'),
            fields: [
              { ...amountUpTo(remaining), help: t('refundOpenHelp'), isOptional: true },
              { name: 'byHand', label: t('refundByHand'), isBox: true },
            ],
          },
          {
            kind: 'payment.reverse',
            text: t('reverseText'),
            fields: [{ ...amountUpTo(unrefunded), help: t('reverseHelp') }],
            danger: true,
          },
        ] as const)
      : []),
    ...(returned.length > 0
      ? ([{ kind: 'payment.return', text: t('returnText'), fields: returned }] as const)
      : []),
  ]
  const shown = possible.filter(
    ({ kind }) => decides(kind) && proposals.every((proposal) => proposal.kind !== kind),
  )
  return (
    shown.length > 0 && (
      <Panel title={t('decision')} busy={false}>
        <div className={`${bodyClass} ${row('wrap', 'gap12')}`}>
          {shown.map((each) => (
            <DecisionButton key={each.kind} body={{ subject: paymentId }} {...each} />
          ))}
        </div>
      </Panel>
    )
  )
}

/** The amount that came back, and of several reversed charges the one that is meant; nothing without a reversed charge. */
function useReturned({ payment: { currency }, reversedCharges }: ConsolePaymentDetails): DecisionField[] {
  const t = useConsoleText()
  const checkAmount = useAmountCheck()
  const { methodLabel } = useFormats()
  const [first, second] = reversedCharges
  if (!first) return []
  const meant = (review: string | undefined) =>
    reversedCharges.find((charge) => charge.review === review) ?? (second ? undefined : first)
  const amount: DecisionField = {
    name: 'amount',
    label: t('consoleAmount'),
    check: (value, { review }) => checkAmount(value, currency, meant(review)?.amount),
  }
  if (!second) return [amount]
  const choices = reversedCharges.map(({ review, provider, reference, amount: reversed }) => ({
    value: review,
    label: [methodLabel(provider), reference, priceText(currency, reversed)].filter(Boolean).join(', '),
  }))
  return [{ name: 'review', label: t('returnCharge'), choices }, amount]
}
