import * as calls from 'virtual:calls/team'
import type { ShownInvitation } from '@muripo/contract/team'
import { type ReactNode, useEffect, useState } from 'react'
import { RoleDuties } from '../../../components/role-duties.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { font, notice, place } from '../../../components/ui/classes.ts'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { errorCode, sendPublic } from '../../../lib/http.ts'
import { useRoleName } from '../../../lib/role-name.ts'
import { withElements } from '../../../lib/sentence.tsx'
import { useFormats } from '../../../lib/use-formats.ts'
import { useSession } from '../../../session/session.ts'
import { AuthCard, BackToSignIn } from '../auth-card.tsx'
import { type AuthHandle, useAuthText } from '../text.ts'
import { Accept } from './accept.tsx'
import { Join, SignInFirst } from './join.tsx'
import { useInvitationText } from './text.ts'
import { forgetInvitation, useInvitationToken } from './token.ts'

export const handle: AuthHandle = { title: 'invitationPage', isForAll: true }

type Shown = ShownInvitation | 'loading' | 'gone' | 'failed'

function useInvitation(token: string) {
  const [shown, setShown] = useState<Shown>(token === '' ? 'gone' : 'loading')
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: an attempt repeats it
  useEffect(() => {
    if (token === '') return
    const abort = new AbortController()
    void sendPublic(calls.showInvitation, { body: { token }, signal: abort.signal }).then((result) => {
      if (abort.signal.aborted) return
      const isGone = ['invitation_expired', 'validation_failed'].includes(errorCode(result) ?? '')
      setShown(result.data ?? (isGone ? 'gone' : 'failed'))
    })
    return () => abort.abort()
  }, [token, attempt])
  return {
    shown,
    retry() {
      setShown('loading')
      setAttempt(attempt + 1)
    },
    end() {
      forgetInvitation()
      setShown('gone')
    },
  }
}

/** The offer of an invitation, and the way to accept it for each reader. */
export default function Invitation() {
  const t = useInvitationText()
  const token = useInvitationToken()
  const { shown, retry, end } = useInvitation(token)
  const isSignedIn = useSession().status === 'authenticated'
  if (shown === 'gone') return <Gone isSignedIn={isSignedIn} />
  if (shown === 'failed')
    return (
      <AuthCard title={t('loadingInvitation')} intro={t('invitationNotLoaded')} announced>
        <Button block spaced onClick={retry}>
          {t('invitationRetry')}
        </Button>
      </AuthCard>
    )
  if (shown === 'loading') return <Loading />
  const step = { invitation: shown, token, onGone: end }
  return (
    <Offer invitation={shown}>
      {isSignedIn ? <Accept {...step} /> : shown.hasAccount ? <SignInFirst {...step} /> : <Join {...step} />}
    </Offer>
  )
}

function Offer({
  invitation,
  children,
}: {
  readonly invitation: ShownInvitation
  readonly children: ReactNode
}) {
  const t = useInvitationText()
  const roleName = useRoleName()
  const { dayText } = useFormats()
  const { merchant, invitedBy, role, applications, expiresAt } = invitation
  const elements = { role: <strong className={font('strong')}>{roleName(role)}</strong> }
  return (
    <AuthCard
      title={t('joinMerchant', { merchant })}
      intro={
        applications === null
          ? withElements((values) => t('invitedAs', { person: invitedBy, ...values }), elements)
          : withElements(
              (values) =>
                t('invitedAsOf', { person: invitedBy, applications: applications.join(', '), ...values }),
              elements,
            )
      }
    >
      <div className={place('above20')}>
        <RoleDuties role={role} />
      </div>
      {children}
      <p className={font('sm', 'quiet', 'above20', 'pretty')}>
        {t('openUntil', { date: dayText(expiresAt) })}
      </p>
    </AuthCard>
  )
}

function Loading() {
  const t = useInvitationText()
  return (
    <div role="status" aria-label={t('loadingInvitation')}>
      <AuthCard title="…" intro={<Skeleton h={16} w="80%" my={4} />}>
        {['may', 'not', 'field', 'button'].map((line) => (
          <Skeleton key={line} h={20} mt={16} />
        ))}
      </AuthCard>
    </div>
  )
}

/** Expired, withdrawn, used and unknown invitations look alike. */
function Gone({ isSignedIn }: { readonly isSignedIn: boolean }) {
  const t = useInvitationText()
  const auth = useAuthText()
  return (
    <AuthCard title={auth('invitationPage')} intro={t('invitationGone')} announced>
      <p className={notice('above24')} role="alert">
        {t('invitationGoneAbout')}
      </p>
      {!isSignedIn && <BackToSignIn />}
    </AuthCard>
  )
}
