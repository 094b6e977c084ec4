import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { ReaderError, useErrorText } from '../../../api/api-error.ts'
import { Button, ButtonLink } from '../../../components/ui/button.tsx'
import { knowsPasskeys, makePasskey, preparePasskeys } from '../../../lib/passkeys.ts'
import { finishEnrolment, startEnrolment } from '../api.ts'
import { IconFingerprint } from '../icons.ts'
import { useConsoleText } from '../text.ts'
import { Door, DoorError } from './door.tsx'

/** Makes the passkey of a new operator with a one-time link, whose token is in the fragment: no log of a server has it. */
export function Enrol() {
  const t = useConsoleText()
  const errorText = useErrorText()
  const { hash } = useLocation()
  const [token] = useState(() => hash.slice(1))
  useEffect(preparePasskeys, [])
  const enrolment = useMutation({
    async mutationFn() {
      const { passkey, failure } = await makePasskey(await startEnrolment(token), t)
      if (failure !== null) throw new ReaderError(failure)
      return finishEnrolment(token, passkey)
    },
  })
  if (enrolment.data)
    return (
      <Door
        title={t('consoleEnrolDone', { name: enrolment.data.name })}
        intro={t('consoleEnrolDoneText', { email: enrolment.data.email })}
      >
        <ButtonLink block spaced to="/console/sign-in" replace>
          {t('consoleToSignIn')}
        </ButtonLink>
      </Door>
    )
  const obstacle = token === '' ? t('consoleNoLink') : knowsPasskeys() ? null : t('consoleNoPasskeys')
  return (
    <Door title={t('consoleEnrolPage')} intro={t('consoleEnrolIntro')}>
      <DoorError>{obstacle ?? (enrolment.error && errorText(enrolment.error))}</DoorError>
      <Button
        block
        spaced
        icon={IconFingerprint}
        disabled={obstacle !== null}
        running={enrolment.isPending}
        runningLabel={t('consolePasskeyWaiting')}
        onClick={() => enrolment.mutate()}
      >
        {t('consoleEnrolButton')}
      </Button>
    </Door>
  )
}
