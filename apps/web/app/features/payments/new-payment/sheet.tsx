import { useAccount } from '../../../api/account.ts'
import { useApplications } from '../../../api/applications.ts'
import { usePaymentOptions } from '../../../api/new-payment.ts'
import { IconApps } from '../../../components/icons.ts'
import { PageSpinner } from '../../../components/page-spinner.tsx'
import { ButtonLink } from '../../../components/ui/button.tsx'
import { EmptyState, QueryError } from '../../../components/ui/empty-state.tsx'
import { Sheet } from '../../../components/ui/sheet.tsx'
import { CREATES, paths } from '../../../lib/paths.ts'
import { usePaymentsText } from '../../../lib/payments-text.ts'
import type { Opened } from './draft.ts'
import { NewPaymentForm } from './form.tsx'
import { NewPaymentResult } from './result.tsx'
import { useNewPaymentText } from './text.ts'

interface SheetProps {
  readonly isOpen: boolean
  readonly opened: Opened
  readonly onChange: (opened: Opened) => void
  readonly onClose: () => void
}

export function NewPaymentSheet({ isOpen, opened, onChange, onClose }: SheetProps) {
  const t = usePaymentsText()
  const { created } = opened
  return (
    <Sheet opened={isOpen} onClose={onClose} title={t('newPayment')}>
      {created === null ? (
        <Start opened={opened} onChange={onChange} />
      ) : (
        <NewPaymentResult
          key={created.paymentId}
          created={created}
          onClose={onClose}
          onNext={() => onChange({ draft: { currency: created.currency }, created: null })}
        />
      )}
    </Sheet>
  )
}

/** The form, or the reason why there is none. */
function Start({ opened, onChange }: Pick<SheetProps, 'opened' | 'onChange'>) {
  const account = useAccount()
  const applications = useApplications()
  const options = usePaymentOptions()
  const t = useNewPaymentText()
  const failed = [account, applications, options].find(({ error, data }) => error !== null && !data)
  if (failed) return <QueryError query={failed} />
  if (!account.data || !applications.data || !options.data) return <PageSpinner />
  if (account.data.status === 'new' && account.data.gatewayMode === 'live')
    return <p>{t('notApprovedYet')}</p>
  const active = applications.data.filter(({ status }) => status === 'active')
  if (active.length === 0)
    return (
      <EmptyState
        icon={IconApps}
        title={t('noApplicationYet')}
        action={
          <ButtonLink to={paths.applications} state={CREATES}>
            {t('createApplicationFirst')}
          </ButtonLink>
        }
      >
        {t('noApplicationYetText')}
      </EmptyState>
    )
  return (
    <NewPaymentForm
      applications={active}
      options={options.data}
      draft={opened.draft}
      onDraft={(draft) => onChange({ draft, created: null })}
      onCreated={(created) => onChange({ draft: {}, created })}
    />
  )
}
