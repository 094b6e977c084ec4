import { useAccount } from '../../api/account.ts'
import { isLimited, may } from '../../api/may.ts'
import { useTeam } from '../../api/team.ts'
import { IconLock } from '../../components/icons.ts'
import { ButtonLink } from '../../components/ui/button.tsx'
import { panelClass } from '../../components/ui/classes.ts'
import { EmptyState } from '../../components/ui/empty-state.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { useAccessText } from '../../lib/access-text.ts'
import { type DashboardHandle, useDashboardText } from '../../lib/dashboard-text.ts'
import { firstPageOf, navigationEntries } from './entries.ts'

/** For a link that was kept: who may not open the page, who can change it, and that nothing was lost. */
export function NotAllowed({ title }: Pick<DashboardHandle, 'title'>) {
  const t = useAccessText()
  const dashboard = useDashboardText()
  const { data: account } = useAccount()
  const { data: team } = useTeam(account !== undefined && may(account, 'team.read'))
  if (account === undefined) return null
  const page = dashboard(title)
  const [owner] = team?.members ?? []
  const to = firstPageOf(account)
  const next = navigationEntries.find((entry) => entry.to === to)?.label
  return (
    <>
      <PageHeader title={page} />
      <section className={panelClass}>
        <EmptyState
          icon={IconLock}
          title={
            isLimited(account)
              ? t('notAllowedLimited', { page })
              : t('notAllowed', { role: account.role, page })
          }
          action={
            <ButtonLink to={to} kind="default">
              {t('goTo', { page: dashboard(next ?? 'settingsPage') })}
            </ButtonLink>
          }
        >
          {owner
            ? t('ownerCanChange', { owner: owner.fullname })
            : t('someoneCanChange', { merchant: account.merchant.name })}
        </EmptyState>
      </section>
    </>
  )
}
