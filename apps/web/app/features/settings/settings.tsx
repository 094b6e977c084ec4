import { Skeleton } from '@mantine/core'
import type { Account } from '@muripo/contract/account'
import { useAccount } from '../../api/account.ts'
import { Fact, Facts } from '../../components/description-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { IconSettings } from '../../components/icons.ts'
import { PageHead } from '../../components/page-header.tsx'
import panel from '../../components/panel.module.css'
import type { DashboardHandle } from '../../lib/dashboard-text.ts'
import { Language } from './language.tsx'
import { Passkeys } from './passkeys/passkeys.tsx'
import { Password } from './password.tsx'
import section from './section.module.css'
import { Section } from './section.tsx'
import { Sessions } from './sessions.tsx'
import { TimeZone } from './time-zone.tsx'

export const handle: DashboardHandle = { title: 'settingsPage' }

export default function Settings() {
  return (
    <>
      <PageHead title="Settings" />
      <Profile />
      <Language />
      <TimeZone />
      <Password />
      <Passkeys />
      <Sessions />
      <section className={panel.panel}>
        <EmptyState icon={IconSettings} title="settings coming soon ..." />
      </section>
    </>
  )
}

const types: Readonly<Record<Account['accountType'], string>> = {
  individual: 'Individual',
  business: 'Business',
}

function Profile() {
  const { data: account, error, isFetching, refetch } = useAccount()
  const value = (text: string | undefined) => text ?? <Skeleton h={14} w="60%" my={5} />
  return (
    <Section
      title="Profile"
      about="As you gave it when you opened the account. Write to us when something of it has changed."
      busy={!account}
      error={error && !account ? { error, onRetry: refetch, retrying: isFetching } : null}
    >
      <div className={section.profile}>
        <Facts columns>
          <Fact name="Name">{value(account?.fullname)}</Fact>
          <Fact name="Account type">{value(account && types[account.accountType])}</Fact>
          <Fact name="Email">{value(account?.email)}</Fact>
          <Fact name="Phone">{value(account?.phone)}</Fact>
        </Facts>
      </div>
    </Section>
  )
}
