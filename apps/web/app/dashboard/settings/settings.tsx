import { IconSettings } from '../../ui/icons.ts'
import { EmptyState } from '../../ui/message.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import panel from '../../ui/panel.module.css'
import { Passkeys } from './passkeys/passkeys.tsx'
import { Profile } from './profile.tsx'

export const meta = () => [{ title: 'Settings · Muripo' }, { name: 'robots', content: 'noindex' }]

export default function Settings() {
  return (
    <>
      <PageHead title="Settings" />
      <Profile />
      <Passkeys />
      <section className={panel.panel}>
        <EmptyState icon={IconSettings} title="settings coming soon ..." />
      </section>
    </>
  )
}
