import * as calls from 'virtual:calls/team'
import { joinFields } from '@muripo/contract/auth-fields'
import { PASSWORD_MIN_LENGTH } from '@muripo/contract/constants'
import type { ShownInvitation } from '@muripo/contract/team'
import { useNavigate } from 'react-router'
import { useFailedCallText, useFieldText } from '../../../api/error-texts.ts'
import { toast } from '../../../components/toast.ts'
import { ButtonLink } from '../../../components/ui/button.tsx'
import { font } from '../../../components/ui/classes.ts'
import { SecretField, TextField } from '../../../components/ui/field.tsx'
import { cleanValues, fieldErrors, formProps, useForm, useSubmit } from '../../../lib/forms.ts'
import { errorCode, sendPublic } from '../../../lib/http.ts'
import { paths } from '../../../lib/paths.ts'
import { AuthForm } from '../auth-card.tsx'
import { useAuthText } from '../text.ts'
import { useInvitationText } from './text.ts'
import { forgetInvitation, keepInvitation } from './token.ts'

export interface StepProps {
  readonly invitation: ShownInvitation
  readonly token: string
  /** Called when the invitation can no longer be used. */
  readonly onGone: () => void
}

/** For a guest whose address has an account. */
export function SignInFirst({ invitation: { email }, token }: StepProps) {
  const t = useInvitationText()
  return (
    <>
      <p className={font('md', 'quiet', 'above20', 'anywhere')}>{t('hasAccount', { email })}</p>
      <ButtonLink to={paths.signIn} block spaced onClick={() => keepInvitation(token)}>
        {t('signInToAccept')}
      </ButtonLink>
    </>
  )
}

/** For a guest whose address has no account: a name and a password, then the sign-in. */
export function Join({ invitation: { email, merchant }, token, onGone }: StepProps) {
  const navigate = useNavigate()
  const t = useInvitationText()
  const auth = useAuthText()
  const fieldText = useFieldText()
  const failureText = useFailedCallText()
  const form = useForm({
    initialValues: { fullname: '', password: '' },
    validate: (values) => fieldErrors(joinFields, values, fieldText),
  })
  const { running, submit } = useSubmit(async (values: typeof form.values) => {
    const result = await sendPublic(calls.joinByInvitation, {
      body: { token, ...cleanValues(joinFields, values) },
    })
    const code = errorCode(result)
    if (result.data) {
      forgetInvitation()
      toast.success(t('joined', { merchant, email }))
      await navigate(paths.signIn, { replace: true })
    } else if (code === 'invitation_expired') onGone()
    else if (code === 'validation_failed')
      form.setFieldError('password', failureText(result, t('joinFailed')))
    else toast.error(failureText(result, t('joinFailed')))
  })
  return (
    <AuthForm
      {...formProps(form, running, submit)}
      running={running}
      submitLabel={t(running ? 'joining' : 'join')}
    >
      <TextField label={t('yourName')} name="name" autoComplete="name" {...form.getInputProps('fullname')} />
      <SecretField
        label={auth('password')}
        eyeLabel={auth('showPassword')}
        help={t('passwordFor', { length: PASSWORD_MIN_LENGTH, email })}
        isHelpKept
        name="password"
        autoComplete="new-password"
        {...form.getInputProps('password')}
      />
    </AuthForm>
  )
}
