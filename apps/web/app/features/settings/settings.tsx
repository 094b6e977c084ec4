import { useAccount } from '../../api/account.ts'
import { useMay } from '../../api/may.ts'
import { IconSettings } from '../../components/icons.ts'
import { panelClass } from '../../components/ui/classes.ts'
import { EmptyState } from '../../components/ui/empty-state.tsx'
import { Fact, Facts } from '../../components/ui/facts.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { type DashboardHandle, useDashboardText } from '../../lib/dashboard-text.ts'
import { Language } from './language.tsx'
import { Passkeys } from './passkeys/passkeys.tsx'
import { Password } from './password.tsx'
import section from './section.module.css'
import { Section } from './section.tsx'
import { Sessions } from './sessions.tsx'
import { useSettingsText } from './text.ts'
import { TimeZone } from './time-zone.tsx'

export const handle: DashboardHandle = { title: 'settingsPage' }

export default function Settings() {
  const t = useSettingsText()
  const maySetZone = useMay('merchant.write')
  return (
    <>
      <Profile />
      <Language />
      {maySetZone && <TimeZone />}
      <Password />
      <Passkeys />
      <Sessions />
      <section className={panelClass}>
        <EmptyState icon={IconSettings} title={t('settingsComing')} />
      </section>
    </>
  )
}

function Profile() {
  const t = useSettingsText()
  const dashboard = useDashboardText()
  const query = useAccount()
  const account = query.data
  const value = (text: string | undefined) => text ?? <Skeleton h={14} w="60%" my={5} />
  return (
    <Section title={t('profile')} about={t('profileAbout')} query={query}>
      <div className={section.profile}>
        <Facts columns>
          <Fact name={dashboard('name')}>{value(account?.fullname)}</Fact>
          <Fact name={t('accountType')}>{value(account && t(account.accountType))}</Fact>
          <Fact name={dashboard('email')}>{value(account?.email)}</Fact>
          <Fact name={t('phone')}>{value(account?.phone)}</Fact>
        </Facts>
      </div>
    </Section>
  )
}
