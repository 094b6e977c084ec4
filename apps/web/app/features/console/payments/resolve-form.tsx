import type { Currency } from '@muripo/contract/amounts'
import { useRefusedFieldTexts } from '../../../api/api-error.ts'
import { Button } from '../../../components/ui/button.tsx'
import { ChoiceCards } from '../../../components/ui/choice-cards.tsx'
import { font, grid } from '../../../components/ui/classes.ts'
import { AreaField, SelectField, TextField } from '../../../components/ui/field.tsx'
import { formProps, useForm } from '../../../lib/forms.ts'
import { useAmountCheck } from '../decisions/decision-fields.tsx'
import { useDecider } from '../decisions/kinds.ts'
import { Refused } from '../decisions/reason-dialog.tsx'
import { useProposal } from '../decisions/use-proposal.ts'
import type { ProposalBody } from '../queries.ts'
import { useConsoleText } from '../text.ts'

type Outcome = NonNullable<ProposalBody['outcome']>

interface AmountAsked {
  readonly label: string
  readonly help?: string
  readonly isOptional?: boolean
  readonly suggestion?: string
}

/** One possible outcome, with the evidence that it needs. */
export interface Answer {
  readonly value: Outcome
  readonly label: string
  readonly help: string
  /** The provider's reference, with the one that it has named. */
  readonly reference?: string
  readonly amount?: AmountAsked
  /** Whether the difference may be the merchant's. */
  readonly hasSide?: boolean
  /** Whether a reason may be needed, because the provider reports that the money went back. */
  readonly hasAlthough?: boolean
}

interface ResolveFormProps {
  readonly kind: 'attempt.resolve' | 'anomaly.resolve' | 'refund.resolve'
  readonly body: Pick<ProposalBody, 'subject' | 'attempt' | 'review'>
  readonly currency: Currency
  /** The amount that an answer without an amount of its own is about; null without one. */
  readonly price: string | null
  readonly question: string
  readonly answers: readonly Answer[]
}

const sides = { suspense: 'sideSuspense', merchant: 'sideMerchant' } as const

/** The outcome with its evidence. With two operators it is a proposal, and nothing is booked before somebody else approves it. */
export function ResolveForm(props: ResolveFormProps) {
  const { kind, body, currency, price, question, answers } = props
  const t = useConsoleText()
  const checkAmount = useAmountCheck()
  const { isAlone } = useDecider()
  const initialValues = {
    outcome: null as Outcome | null,
    reference: answers.find(({ reference }) => reference)?.reference ?? '',
    amount: answers.find(({ amount }) => amount?.suggestion)?.amount?.suggestion ?? '',
    to: 'suspense' as keyof typeof sides,
    although: '',
    reason: '',
  }
  const answerOf = (outcome: Outcome | null) => answers.find(({ value }) => value === outcome)
  const wrongAmount = (asked: AmountAsked, typed: string) => {
    if (typed !== '') return checkAmount(typed, currency)
    return asked.isOptional ? null : t('fieldMissing')
  }
  const form = useForm({
    initialValues,
    validate({ outcome, reference, amount, reason }) {
      const asked = answerOf(outcome)
      const wrong = asked?.amount && wrongAmount(asked.amount, amount.trim())
      return {
        ...(outcome === null && { outcome: t('resolveChoice') }),
        ...(asked?.reference !== undefined &&
          reference.trim() === '' && { reference: t('resolveReferenceMissing') }),
        ...(wrong && { amount: wrong }),
        ...(reason.trim() === '' && { reason: t('reasonMissing') }),
      }
    },
  })
  const change = useProposal()
  const submit = ({ outcome, reference, amount, to, although, reason }: typeof initialValues) => {
    const asked = answerOf(outcome)
    change.mutate({
      ...body,
      kind,
      reason: reason.trim(),
      ...(outcome !== null && { outcome }),
      ...(asked?.reference !== undefined && { reference: reference.trim() }),
      ...(asked?.amount && amount.trim() !== '' && { amount: amount.trim() }),
      ...(asked?.hasSide && { to }),
      ...(asked?.hasAlthough && although.trim() !== '' && { although: although.trim() }),
    })
  }
  const verbOf = (chosen: Answer | undefined, about: string | null): string => {
    if (!chosen) return t(isAlone(kind) ? 'decideNow' : 'proposeDo')
    const { label: answer } = chosen
    if (about === null) return isAlone(kind) ? answer : t('resolveProposeAnswer', { answer })
    return t(isAlone(kind) ? 'resolveNow' : 'resolvePropose', { answer, price: about })
  }
  const refused = useRefusedFieldTexts()(change.error)
  const { outcome, to, amount } = form.values
  const asked = answerOf(outcome)
  const typedPrice = asked?.amount && amount.trim() !== '' ? `${currency}\u00a0${amount.trim()}` : price
  const verb = verbOf(asked, typedPrice)
  const errorOf = (name: 'reference' | 'amount' | 'although' | 'reason') => form.errors[name] ?? refused[name]
  const typed = (name: 'reference' | 'amount' | 'although') => ({
    autoComplete: 'off',
    ...form.getInputProps(name),
    error: errorOf(name),
  })
  return (
    <form className={grid('gap20')} {...formProps(form, change.isPending, submit)}>
      <ChoiceCards
        label={question}
        isLabelHidden
        name={[kind, ...Object.values(body)].join(' ')}
        choices={answers}
        value={outcome}
        error={form.errors.outcome}
        data-path="outcome"
        onChange={(value: Outcome) => form.setFieldValue('outcome', value)}
      />
      {asked?.reference !== undefined && (
        <TextField label={t('resolveReference')} maxLength={100} {...typed('reference')} />
      )}
      {asked?.amount && (
        <TextField
          label={asked.amount.label}
          help={asked.amount.help}
          maxLength={20}
          inputMode="decimal"
          {...typed('amount')}
        />
      )}
      {asked?.hasSide && (
        <SelectField
          label={t('side')}
          value={to}
          choices={Object.entries(sides).map(([value, key]) => ({ value, label: t(key) }))}
          onChange={({ currentTarget: { value } }) => form.setFieldValue('to', value as keyof typeof sides)}
        />
      )}
      {asked?.hasAlthough && (
        <TextField label={t('although')} help={t('althoughHelp')} maxLength={300} {...typed('although')} />
      )}
      <AreaField
        label={t('reason')}
        help={t(isAlone(kind) ? 'reasonAlone' : 'reasonForSecond')}
        rows={3}
        maxLength={300}
        {...form.getInputProps('reason')}
        error={errorOf('reason')}
      />
      {Object.keys(refused).length === 0 && <Refused error={change.error} />}
      <div className={grid('gap8')}>
        <Button submit block running={change.isPending} runningLabel={t('working')}>
          {verb}
        </Button>
        {!isAlone(kind) && <p className={font('sm', 'quiet', 'pretty')}>{t('secondNeeded')}</p>}
      </div>
    </form>
  )
}
