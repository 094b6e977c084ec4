import { grid } from '../../../components/ui/classes.ts'
import { PageHeader } from '../../../components/ui/page-header.tsx'
import { OpenProposals } from '../open-proposals.tsx'
import { useConsoleText } from '../text.ts'
import { Incidents } from './incidents.tsx'
import { Operators } from './operators.tsx'

/** The operators, and the incidents of the status page. */
export default function Settings() {
  const t = useConsoleText()
  return (
    <>
      <PageHeader title={t('consoleSettingsPage')} />
      <OpenProposals kinds={['operator.']} />
      <div className={grid('gap24')}>
        <Operators />
        <Incidents />
      </div>
    </>
  )
}
