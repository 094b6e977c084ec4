import { IconSettings } from '../../ui/icons.ts'
import { EmptyState } from '../../ui/message.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import panel from '../../ui/panel.module.css'
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
