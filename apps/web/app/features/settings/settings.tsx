import { EmptyState } from '../../components/empty-state.tsx'
import { IconSettings } from '../../components/icons.ts'
import { PageHead } from '../../components/page-header.tsx'
import panel from '../../components/panel.module.css'
import { Passkeys } from './passkeys/passkeys.tsx'
import { Password } from './password.tsx'
import { Profile } from './profile.tsx'
import { Sessions } from './sessions.tsx'
import { TimeZone } from './time-zone.tsx'

export const meta = () => [{ title: 'Settings · Muripo' }, { name: 'robots', content: 'noindex' }]

export default function Settings() {
  return (
    <>
      <PageHead title="Settings" />
      <Profile />
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
