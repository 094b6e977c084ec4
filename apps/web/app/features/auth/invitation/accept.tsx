import * as accountCalls from 'virtual:calls/account'
import * as calls from 'virtual:calls/team'
import { useEffect, useState } from 'react'
import { useFailedCallText } from '../../../api/error-texts.ts'
import { toast } from '../../../components/toast.ts'
import { Button } from '../../../components/ui/button.tsx'
import { font, notice } from '../../../components/ui/classes.ts'
import { useSubmit } from '../../../lib/forms.ts'
import { errorCode } from '../../../lib/http.ts'
import { paths } from '../../../lib/paths.ts'
import { openMerchant } from '../../../session/open-merchant.ts'
import { send, signOutNow } from '../../../session/session.ts'
import type { StepProps } from './join.tsx'
import { useInvitationText } from './text.ts'
import { forgetInvitation, keepInvitation } from './token.ts'

/** The address of the signed-in person; empty until it is loaded. */
function useOwnEmail(): string {
  const [email, setEmail] = useState('')
  useEffect(() => {
    const abort = new AbortController()
    void send(accountCalls.getAccount, { signal: abort.signal }).then(({ data }) => {
      if (data && !abort.signal.aborted) setEmail(data.email)
    })
    return () => abort.abort()
  }, [])
  return email
}

/** The part of an address that a masked one shows: the first letter and the host. Capital letters make no other address. */
const shownPart = (email: string): string =>
  (email.slice(0, 1) + email.slice(email.lastIndexOf('@'))).toLowerCase()

/** Whether the address cannot be the masked one. */
const isOtherAddress = (email: string, maskedEmail: string): boolean =>
  email !== '' && shownPart(email) !== shownPart(maskedEmail)

/** For a signed-in person: the invitation is accepted, or it is for another account. */
export function Accept({ invitation, token, onGone }: StepProps) {
  const t = useInvitationText()
  const failureText = useFailedCallText()
  const email = useOwnEmail()
  const [isOther, setOther] = useState(false)
  const { running, submit } = useSubmit<void>(async () => {
    const result = await send(calls.acceptInvitation, { body: { token } })
    const code = errorCode(result)
    if (result.data) {
      forgetInvitation()
      const opened = await openMerchant(result.data.merchant.id)
      // The member is in the team: the choice of the shops offers it.
      if (opened.error !== null) window.location.assign(paths.dashboard)
    } else if (code === 'invitation_of_another') setOther(true)
    else if (code === 'invitation_expired') onGone()
    else toast.error(failureText(result, t('acceptFailed')))
  })
  if (isOther || isOtherAddress(email, invitation.email))
    return <OtherAccount email={email} invited={invitation.email} token={token} />
  return (
    <>
      <p className={font('md', 'quiet', 'above20', 'anywhere')}>
        {email && t('signedInWith', { email })} {t('invitedAddress', { email: invitation.email })}
      </p>
      <Button block spaced running={running} runningLabel={t('accepting')} onClick={() => submit()}>
        {t('accept')}
      </Button>
    </>
  )
}

interface OtherAccountProps {
  readonly email: string
  readonly invited: string
  readonly token: string
}

function OtherAccount({ email, invited, token }: OtherAccountProps) {
  const t = useInvitationText()
  const leave = () => {
    signOutNow()
    keepInvitation(token)
  }
  return (
    <>
      <p className={notice('above20')} role="alert">
        {t('otherAccount', { email, invited })}
      </p>
      <Button block spaced onClick={leave}>
        {t('signOutHere')}
      </Button>
    </>
  )
}
