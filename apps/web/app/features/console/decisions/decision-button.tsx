import type { Proposal } from '@muripo/contract/proposals'
import { useState } from 'react'
import { useRefusedFieldTexts } from '../../../api/api-error.ts'
import { Button } from '../../../components/ui/button.tsx'
import { TextField } from '../../../components/ui/field.tsx'
import type { ProposalBody } from '../queries.ts'
import { useConsoleText } from '../text.ts'
import { kindText, useDecider } from './kinds.ts'
import { ReasonDialog } from './reason-dialog.tsx'
import { useProposal } from './use-proposal.ts'

interface DecisionField {
  readonly name: 'subject' | 'amount' | 'currency' | 'debit' | 'credit' | 'route'
  readonly label: string
  readonly help?: string
  readonly isOptional?: boolean
  readonly initial?: string
}

interface DecisionButtonProps {
  readonly kind: ProposalBody['kind']
  /** The values that the page knows. The subject is null where a field asks for it. */
  readonly body: Omit<ProposalBody, 'kind' | 'reason' | 'subject'> & { readonly subject: string | null }
  /** The consequence of the act. */
  readonly text: string
  readonly fields?: readonly DecisionField[]
  readonly danger?: boolean
  /** Whether the merchant reads the reason. */
  readonly isForMerchant?: boolean
  /** The name for screen readers, where the page has several buttons of the kind. */
  readonly name?: string
  /** The open proposals of the page: a subject has one of each kind. */
  readonly proposals?: readonly Proposal[]
}

/** A decision with its own fields and a reason. Nothing is shown to an operator who does not decide it. */
export function DecisionButton(props: DecisionButtonProps) {
  const { kind, body, text, fields = [], danger, isForMerchant, name, proposals = [] } = props
  const t = useConsoleText()
  const { decides, isAlone } = useDecider()
  const [isOpen, setOpen] = useState(false)
  const [hasTried, setTried] = useState(false)
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const [times, setTimes] = useState(0)
  const typedIn = ({ name: field, initial = '' }: DecisionField) => typed[field] ?? initial
  const change = useProposal(() => {
    setOpen(false)
    setTyped({})
    setTried(false)
    setTimes(times + 1)
  })
  const refused = useRefusedFieldTexts()(change.error)
  const isMissing = (field: DecisionField) => !field.isOptional && typedIn(field).trim() === ''
  const isProposed = proposals.some((each) => each.kind === kind && each.subject === body.subject)
  if (!decides(kind) || isProposed) return null
  const title = kindText(kind, t)
  return (
    <>
      <Button
        kind={danger ? 'danger-quiet' : 'default'}
        aria-haspopup="dialog"
        aria-label={name === undefined ? undefined : `${title}: ${name}`}
        onClick={() => setOpen(true)}
      >
        {title}
      </Button>
      <ReasonDialog
        key={times}
        opened={isOpen}
        title={title}
        text={isAlone(kind) ? text : `${text} ${t('secondNeeded')}`}
        help={t(isForMerchant ? 'reasonForMerchant' : isAlone(kind) ? 'reasonAlone' : 'reasonForSecond')}
        verb={t(isAlone(kind) ? 'decideNow' : 'proposeDo')}
        danger={danger ?? false}
        running={change.isPending}
        error={change.error}
        onClose={() => setOpen(false)}
        onReason={(reason) => {
          setTried(true)
          if (fields.some(isMissing)) return
          const filled = fields.flatMap((field) => {
            const value = typedIn(field).trim()
            return value === '' ? [] : [[field.name, value]]
          })
          change.mutate({ ...body, ...Object.fromEntries(filled), kind, reason } as ProposalBody)
        }}
      >
        {fields.map((field) => (
          <TextField
            key={field.name}
            label={field.label}
            help={field.help}
            autoComplete="off"
            maxLength={254}
            inputMode={field.name === 'amount' ? 'decimal' : 'text'}
            value={typedIn(field)}
            error={hasTried && isMissing(field) ? t('fieldMissing') : refused[field.name]}
            onChange={({ currentTarget: { value } }) =>
              setTyped((before) => ({ ...before, [field.name]: value }))
            }
          />
        ))}
      </ReasonDialog>
    </>
  )
}
