import { PageHead } from '../../ui/page-head.tsx'

export const meta = () => [{ title: 'Settings · Muripo' }, { name: 'robots', content: 'noindex' }]

export default function Settings() {
  return (
    <>
      <PageHead title="Settings" />
      <p>settings coming soon ...</p>
    </>
  )
}
