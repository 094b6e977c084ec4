import { useState } from 'react'
import { useAccount } from '../../../api/account.ts'
import { type Factors, useFactors } from '../../../api/factors.ts'
import { useMay } from '../../../api/may.ts'
import { Note } from '../../../components/ui/note.tsx'
import type { DashboardHandle } from '../../../lib/dashboard-text.ts'
import { serverNow } from '../../../lib/timing.ts'
import { useFormats } from '../../../lib/use-formats.ts'
import { Passkeys } from '../passkeys/passkeys.tsx'
import { Authenticator } from './authenticator.tsx'
import { CodesDialog } from './codes-dialog.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { Rules } from './rules.tsx'
import styles from './security.module.css'
import { useSecurityText } from './text.ts'

export const handle: DashboardHandle = { title: 'securityPage', isOwn: true }

/** The second factors of the person, and the requirements of the team for those who may change them. */
export default function Security() {
  const factors = useFactors()
  const mayRule = useMay('team.write')
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  return (
    <>
      {factors.data && <MustAdd factors={factors.data} />}
      <Authenticator query={factors} onCodes={setCodes} />
      <RecoveryCodes query={factors} onCodes={setCodes} />
      <Passkeys />
      {mayRule && <Rules />}
      <CodesDialog codes={codes} onClose={() => setCodes(null)} />
    </>
  )
}

/** The requirement of the merchant that the person lacks and that closes the account first. */
function missing({ totp, passkeys, requiredFrom, passkeyRequiredFrom }: Factors) {
  const factor = totp === null && passkeys === 0 ? requiredFrom : null
  const passkey = passkeys === 0 ? passkeyRequiredFrom : null
  if (passkey !== null && (factor === null || passkey <= factor)) return { what: 'passkey', from: passkey }
  return factor === null ? null : { what: 'factor', from: factor }
}

function MustAdd({ factors }: { readonly factors: Factors }) {
  const t = useSecurityText()
  const { dateText } = useFormats()
  const merchant = useAccount().data?.merchant.name
  const lack = missing(factors)
  if (lack === null || merchant === undefined) return null
  const { what, from } = lack
  const isDue = serverNow() >= Date.parse(from)
  return (
    <div className={styles.must} role="status">
      <Note>
        {isDue ? t('mustAddNow', { merchant, what }) : t('mustAdd', { merchant, what, date: dateText(from) })}
      </Note>
    </div>
  )
}
