import { useAccount } from '../../../api/account.ts'
import { useMayForAll } from '../../../api/may.ts'
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
  const mayCreate = useMayForAll('applications.write')
  const options = usePaymentOptions()
  const t = useNewPaymentText()
  const failed = [account, options].find(({ error, data }) => error !== null && !data)
  if (failed) return <QueryError query={failed} />
  if (!account.data || !options.data) return <PageSpinner isPart />
  if (account.data.status === 'new' && account.data.gatewayMode === 'live')
    return <p>{t('notApprovedYet')}</p>
  if (options.data.applications.length === 0) {
    // The first application may have been created since the last answer.
    if (options.isFetching) return <PageSpinner isPart />
    return (
      <EmptyState
        icon={IconApps}
        title={t(mayCreate ? 'noApplicationYet' : 'noApplicationForYou')}
        action={
          mayCreate && (
            <ButtonLink to={paths.applications} state={CREATES}>
              {t('createApplicationFirst')}
            </ButtonLink>
          )
        }
      >
        {t(mayCreate ? 'noApplicationYetText' : 'noApplicationForYouText')}
      </EmptyState>
    )
  }
  return (
    <NewPaymentForm
      options={options.data}
      draft={opened.draft}
      onDraft={(draft) => onChange({ draft, created: null })}
      onCreated={(created) => onChange({ draft: {}, created })}
    />
  )
}
