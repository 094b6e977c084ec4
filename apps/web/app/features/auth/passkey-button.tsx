import * as calls from 'virtual:calls/passkeys'
import type { Tokens } from '@muripo/contract/auth'
import { useEffect } from 'react'
import { useFailedCallText } from '../../api/error-texts.ts'
import { IconFingerprint } from '../../components/icons.ts'
import { toast } from '../../components/toast.ts'
import { Button } from '../../components/ui/button.tsx'
import { font, place, row } from '../../components/ui/classes.ts'
import { useSubmit } from '../../lib/forms.ts'
import { sendPublic } from '../../lib/http.ts'
import { preparePasskeys, showPasskey } from '../../lib/passkeys.ts'
import styles from './auth.module.css'
import { useAuthText } from './text.ts'

interface PasskeyButtonProps {
  readonly otpId: string
  readonly onSignedIn: (tokens: Tokens) => void
}

/** These sentences are longer than those of other toasts. */
const READING_MS = 8000

/** Signs in with a passkey in place of the code. */
export function PasskeyButton({ otpId, onSignedIn }: PasskeyButtonProps) {
  const t = useAuthText()
  const failureText = useFailedCallText()
  useEffect(preparePasskeys, [])

  /** Returns the sentence for a failure. */
  const signIn = async (): Promise<string | null> => {
    const started = await sendPublic(calls.requestPasskey, {
      params: { otpId },
    })
    if (started.data === null) return failureText(started, t('passkeyFailed'))
    const { passkey, failure } = await showPasskey(started.data, t)
    if (failure !== null) return failure
    const result = await sendPublic(calls.verifyPasskey, {
      params: { otpId },
      body: { passkey },
    })
    if (!result.data?.authToken || !result.data.refreshToken) return failureText(result, t('passkeyFailed'))
    onSignedIn(result.data)
    return null
  }
  const { running, submit } = useSubmit<void>(async () => {
    const failure = await signIn()
    if (failure !== null) toast.error(failure, READING_MS)
  })

  return (
    <div className={place('above16')}>
      <p className={`${styles.or} ${row('centre', 'gap12')} ${font('sm', 'quiet')}`}>{t('or')}</p>
      <Button
        kind="default"
        block
        icon={IconFingerprint}
        running={running}
        runningLabel={t('waitingForPasskey')}
        onClick={() => submit()}
      >
        {t('usePasskey')}
      </Button>
    </div>
  )
}
