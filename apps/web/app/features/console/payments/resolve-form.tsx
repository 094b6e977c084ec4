import { useRefusedFieldTexts } from '../../../api/api-error.ts'
import { Button } from '../../../components/ui/button.tsx'
import { ChoiceCards } from '../../../components/ui/choice-cards.tsx'
import { font, grid } from '../../../components/ui/classes.ts'
import { AreaField, TextField } from '../../../components/ui/field.tsx'
import { formProps, useForm } from '../../../lib/forms.ts'
import { useDecider } from '../decisions/kinds.ts'
import { Refused } from '../decisions/reason-dialog.tsx'
import { useProposal } from '../decisions/use-proposal.ts'
import type { ProposalBody } from '../queries.ts'
import { useConsoleText } from '../text.ts'

interface Answer {
  readonly label: string
  readonly help: string
}

interface ResolveFormProps {
  readonly kind: 'attempt.resolve' | 'refund.resolve'
  readonly subject: string
  readonly attempt?: string
  readonly price: string
  readonly question: string
  readonly yes: Answer
  readonly no: Answer
  /** The reference that the provider has named. */
  readonly suggestion: string
}

type Outcome = NonNullable<ProposalBody['outcome']>

/** The outcome with its evidence. With two operators it is a proposal, and nothing is booked before somebody else approves it. */
export function ResolveForm(props: ResolveFormProps) {
  const { kind, subject, attempt, price, question, yes, no, suggestion } = props
  const t = useConsoleText()
  const { isAlone } = useDecider()
  const initialValues = { outcome: null as Outcome | null, reference: suggestion, reason: '' }
  const form = useForm({
    initialValues,
    validate: ({ outcome, reference, reason }) => ({
      ...(outcome === null && { outcome: t('resolveChoice') }),
      ...(outcome === 'completed' && reference.trim() === '' && { reference: t('resolveReferenceMissing') }),
      ...(reason.trim() === '' && { reason: t('reasonMissing') }),
    }),
  })
  const change = useProposal()
  const submit = ({ outcome, reference, reason }: typeof initialValues) =>
    change.mutate({
      kind,
      subject,
      reason: reason.trim(),
      ...(attempt !== undefined && { attempt }),
      ...(outcome !== null && { outcome }),
      ...(outcome === 'completed' && { reference: reference.trim() }),
    })
  const refused = useRefusedFieldTexts()(change.error)
  const { outcome } = form.values
  const errorOf = (name: 'reference' | 'reason') => form.errors[name] ?? refused[name]
  const chosen = outcome === null ? null : outcome === 'completed' ? yes.label : no.label
  return (
    <form className={grid('gap20')} {...formProps(form, change.isPending, submit)}>
      <ChoiceCards
        label={question}
        isLabelHidden
        name={`${kind} ${subject} ${attempt ?? ''}`}
        choices={[
          { value: 'completed', ...yes },
          { value: 'failed', ...no },
        ]}
        value={outcome}
        error={form.errors.outcome}
        data-path="outcome"
        onChange={(value: Outcome) => form.setFieldValue('outcome', value)}
      />
      {outcome === 'completed' && (
        <TextField
          label={t('resolveReference')}
          maxLength={100}
          autoComplete="off"
          {...form.getInputProps('reference')}
          error={errorOf('reference')}
        />
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
          {chosen === null
            ? t(isAlone(kind) ? 'decideNow' : 'proposeDo')
            : t(isAlone(kind) ? 'resolveNow' : 'resolvePropose', { answer: chosen, price })}
        </Button>
        {!isAlone(kind) && <p className={font('sm', 'quiet', 'pretty')}>{t('secondNeeded')}</p>}
      </div>
    </form>
  )
}
