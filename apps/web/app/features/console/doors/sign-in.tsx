import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { ReaderError, useErrorText } from '../../../api/api-error.ts'
import { Button } from '../../../components/ui/button.tsx'
import { knowsPasskeys, preparePasskeys, showPasskey } from '../../../lib/passkeys.ts'
import { consoleKeys, finishSignIn, startSignIn } from '../api.ts'
import { IconFingerprint } from '../icons.ts'
import { refresh } from '../queries.ts'
import { consoleSession, dropReturnTo, returnTo } from '../session.ts'
import { useConsoleText } from '../text.ts'
import { Door, DoorError } from './door.tsx'

/** The sign-in with a passkey, also behind a page whose session has ended. */
export function SignIn() {
  const t = useConsoleText()
  const errorText = useErrorText()
  const navigate = useNavigate()
  const queries = useQueryClient()
  useEffect(preparePasskeys, [])
  const signIn = useMutation({
    async mutationFn() {
      const { passkey, failure } = await showPasskey(await startSignIn(), t)
      if (failure !== null) throw new ReaderError(failure)
      return finishSignIn(passkey)
    },
    onSuccess(me) {
      const before = queries.getQueryData<typeof me>(consoleKeys.me)
      const address = returnTo()
      dropReturnTo()
      if (before !== undefined && before.id !== me.id) return window.location.assign(address)
      queries.setQueryData(consoleKeys.me, me)
      consoleSession.open()
      void refresh(queries)
      void navigate(address, { replace: true })
    },
  })
  const canSignIn = knowsPasskeys()
  return (
    <Door
      title={t('consoleSignInPage')}
      intro={t(consoleSession.hasEnded() ? 'consoleEnded' : 'consoleSignInIntro')}
    >
      <DoorError>{canSignIn ? signIn.error && errorText(signIn.error) : t('consoleNoPasskeys')}</DoorError>
      <Button
        block
        spaced
        icon={IconFingerprint}
        disabled={!canSignIn}
        running={signIn.isPending}
        runningLabel={t('consolePasskeyWaiting')}
        onClick={() => signIn.mutate()}
      >
        {t('consoleSignInButton')}
      </Button>
    </Door>
  )
}
