import type { Proposal } from '@muripo/contract/proposals'
import { useState } from 'react'
import { useRefusedFieldTexts } from '../../../api/api-error.ts'
import { Button } from '../../../components/ui/button.tsx'
import type { ProposalBody } from '../queries.ts'
import { useConsoleText } from '../text.ts'
import { type DecisionField, DecisionFields, type FieldValues } from './decision-fields.tsx'
import { kindText, useDecider } from './kinds.ts'
import { ReasonDialog } from './reason-dialog.tsx'
import { useProposal } from './use-proposal.ts'

export interface DecisionButtonProps {
  readonly kind: ProposalBody['kind']
  /** The values that the page knows. The subject is null where a field asks for it. */
  readonly body: Omit<ProposalBody, 'kind' | 'reason' | 'subject'> & { readonly subject: string | null }
  /** The consequence of the act. */
  readonly text: string
  readonly fields?: readonly DecisionField[]
  readonly danger?: boolean
  /** Whether the merchant reads the reason. */
  readonly isForMerchant?: boolean
  /** The name of the button, where the kind does not say enough. */
  readonly label?: string
  /** The subject, where the page has several buttons of the kind. */
  readonly name?: string
  /** The open proposals of the page: a subject has one of each kind. */
  readonly proposals?: readonly Proposal[]
}

/** A decision with its own fields and a reason. Nothing is shown to an operator who does not decide it. */
export function DecisionButton(props: DecisionButtonProps) {
  const { kind, body, text, fields = [], danger, isForMerchant, label, name, proposals = [] } = props
  const t = useConsoleText()
  const { decides, isAlone } = useDecider()
  const [isOpen, setOpen] = useState(false)
  const [hasTried, setTried] = useState(false)
  const [typed, setTyped] = useState<FieldValues>({})
  const [times, setTimes] = useState(0)
  const values: FieldValues = Object.fromEntries(
    fields.map((field) => [field.name, typed[field.name] ?? field.initial ?? '']),
  )
  const change = useProposal(() => {
    setOpen(false)
    setTyped({})
    setTried(false)
    setTimes(times + 1)
  })
  const sent: Partial<Record<string, unknown>> = change.variables ?? {}
  const fieldValue = ({ name: field, isBox }: DecisionField): string | true | undefined => {
    const value = values[field]?.trim() ?? ''
    return value === '' ? undefined : isBox || value
  }
  const refused = useRefusedFieldTexts()(change.error)
  const wrong = ({ name: field, isOptional, isBox, missing, check }: DecisionField): string | null => {
    const value = values[field]?.trim() ?? ''
    if (value === '') return isOptional || isBox ? null : (missing ?? t('fieldMissing'))
    return check?.(value, values) ?? null
  }
  const errorOf = (field: DecisionField): string | undefined => {
    const isSent = sent[field.name] === fieldValue(field)
    return (hasTried ? wrong(field) : null) ?? (isSent ? refused[field.name] : undefined)
  }
  const isProposed = proposals.some((each) => each.kind === kind && each.subject === body.subject)
  if (!decides(kind) || isProposed) return null
  const verb = label ?? kindText(kind, t)
  const title = name === undefined ? verb : `${verb}: ${name}`
  return (
    <>
      <Button
        kind={danger ? 'danger-quiet' : 'default'}
        aria-haspopup="dialog"
        aria-label={name === undefined ? undefined : title}
        onClick={() => setOpen(true)}
      >
        {verb}
      </Button>
      <ReasonDialog
        key={times}
        opened={isOpen}
        title={title.replace(/\.{3}$/, '')}
        text={isAlone(kind) ? text : `${text} ${t('secondNeeded')}`}
        help={t(isForMerchant ? 'reasonForMerchant' : isAlone(kind) ? 'reasonAlone' : 'reasonForSecond')}
        verb={t(isAlone(kind) ? 'decideNow' : 'proposeDo')}
        danger={danger ?? false}
        running={change.isPending}
        error={change.error}
        onClose={() => setOpen(false)}
        fieldNames={fields.map((field) => field.name)}
        onTry={() => {
          setTried(true)
          return !fields.some(wrong)
        }}
        onReason={(reason) => {
          const own = Object.fromEntries(fields.map((field) => [field.name, fieldValue(field)]))
          change.mutate({ ...body, ...own, kind, reason } as ProposalBody)
        }}
      >
        <DecisionFields
          fields={fields}
          values={values}
          errorOf={errorOf}
          onType={(field, value) => setTyped((before) => ({ ...before, [field]: value }))}
        />
      </ReasonDialog>
    </>
  )
}
