import { PASSWORD_MIN_LENGTH } from '@muripo/contract/constants'
import { type AccountType, accountTypes } from '@muripo/contract/enums'
import { useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { createAccount, type SignUpValues } from '../../api/create-account.ts'
import { useFailedCallText, useFieldText } from '../../api/error-texts.ts'
import { toast } from '../../components/toast.ts'
import { ChoiceCards } from '../../components/ui/choice-cards.tsx'
import { font, textLinkClass } from '../../components/ui/classes.ts'
import { SecretField, SelectField, TextField } from '../../components/ui/field.tsx'
import { focusFirst, formProps, useForm, useSubmit } from '../../lib/forms.ts'
import { useLazyModule } from '../../lib/lazy.ts'
import { useCommonText } from '../../lib/page-text.ts'
import { paths } from '../../lib/paths.ts'
import { withProgress } from '../../lib/upload.ts'
import styles from './auth.module.css'
import { AuthCard, AuthForm, EmailField } from './auth-card.tsx'
import { documentChoices, pdfError, signUpErrors } from './auth-forms.ts'
import { DocumentField } from './document-field.tsx'
import { type AuthHandle, useAuthText } from './text.ts'

export const handle: AuthHandle = { title: 'signUpPage' }

const blank: SignUpValues = {
  accountType: 'business',
  fullname: '',
  email: '',
  password: '',
  phonenumber: '',
  identificationDocumentType: '',
  document: null,
}

type SignUpForm = ReturnType<typeof useForm<SignUpValues>>

export default function SignUp() {
  const t = useAuthText()
  const fieldText = useFieldText()
  const commonText = useCommonText()
  const form = useForm({ initialValues: blank, validate: (values) => signUpErrors(values, fieldText) })
  const { running, submit, sent, cancelUpload, createdDialog } = useAccountCreation(form)

  const pickDocument = (file: File) => {
    form.setFieldValue('document', file)
    const error = pdfError(file)
    form.setFieldError('document', error && fieldText(error))
  }

  return (
    <AuthCard title={t('signUpHeading')} intro={t('signUpIntro')} wide>
      <AuthForm {...formProps(form, running, submit)} running={running} submitLabel={t('createAccount')}>
        <AccountTypeChoice form={form} />
        <TextField label={t('fullName')} autoComplete="name" {...form.getInputProps('fullname')} />
        <div className={styles.pair}>
          <EmailField {...form.getInputProps('email')} />
          <TextField
            label={t('phoneNumber')}
            type="tel"
            autoComplete="tel"
            {...form.getInputProps('phonenumber')}
          />
        </div>
        <SecretField
          label={t('password')}
          eyeLabel={t('showPassword')}
          help={commonText('passwordHint', { length: PASSWORD_MIN_LENGTH })}
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
        <SelectField
          label={t('documentType')}
          choices={[
            { value: '', label: t('chooseOne'), disabled: true },
            ...documentChoices(form.values.accountType, t),
          ]}
          {...form.getInputProps('identificationDocumentType')}
        />
        <DocumentField
          file={form.values.document}
          error={form.errors.document as string | undefined}
          onPick={pickDocument}
          sent={sent}
          onCancel={cancelUpload}
        />
      </AuthForm>
      <p className={`${styles.below} ${font('md', 'quiet', 'centred', 'above24')}`}>
        {t('haveAccount')}{' '}
        <Link to={paths.signIn} className={textLinkClass}>
          {t('signInLink')}
        </Link>
      </p>
      {createdDialog}
    </AuthCard>
  )
}

/** Sends the form, with its document first, and shows the result. */
function useAccountCreation(form: SignUpForm) {
  const navigate = useNavigate()
  const t = useAuthText()
  const failureText = useFailedCallText('networkError')
  const [created, setCreated] = useState(false)
  // Only a new account shows the dialog.
  const dialog = useLazyModule(() => import('./account-created.tsx'), { mayReload: false })
  const [sent, setSent] = useState<number | null>(null)
  const upload = useRef<AbortController>(null)

  const showFailure = (result: Awaited<ReturnType<typeof createAccount>>) => {
    if (result.documentError === undefined) {
      toast.error(failureText(result, t('signUpFailed')))
      return
    }
    if (result.documentError) {
      const document = failureText({ ...result, message: result.documentError }, t('uploadFailed'))
      form.setFieldError('document', document)
      focusFirst(form)({ document })
    }
    toast.error(failureText({ ...result, message: null }, t('uploadFailed')))
  }

  const { running, submit } = useSubmit(async (values: SignUpValues) => {
    const loading = dialog.load()
    upload.current = new AbortController()
    const { signal } = upload.current
    setSent(0)
    const result = await createAccount(values, { signal, transport: withProgress(setSent) })
    setSent(null)
    if (result.error !== null) {
      if (!signal.aborted) showFailure(result)
      return
    }
    toast.success(t('accountCreated'))
    if (await loading) setCreated(true)
    else void navigate(paths.signIn)
  })
  return {
    running,
    submit,
    /** The sent part of the document while it is uploaded. */
    sent,
    cancelUpload: () => upload.current?.abort(),
    createdDialog: created && dialog.module && <dialog.module.AccountCreated />,
  }
}

function AccountTypeChoice({ form }: { readonly form: SignUpForm }) {
  const t = useAuthText()
  const change = (accountType: AccountType) => {
    form.setValues({ accountType, identificationDocumentType: '' })
    form.setFieldError('identificationDocumentType', null)
  }
  return (
    <ChoiceCards
      label={t('accountType')}
      name="accountType"
      choices={accountTypes.map((type) => ({ value: type, label: t(type) }))}
      {...form.getInputProps('accountType')}
      onChange={change}
    />
  )
}
