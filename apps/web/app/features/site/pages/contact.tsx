import * as calls from 'virtual:calls/site'
import { contactFields } from '@muripo/contract/contact-fields'
import { useEffect, useEffectEvent, useState } from 'react'
import { Link } from 'react-router'
import { useFailedCallText, useFieldText } from '../../../api/error-texts.ts'
import { Button } from '../../../components/ui/button.tsx'
import { font, grid, notice } from '../../../components/ui/classes.ts'
import { AreaField, TextField } from '../../../components/ui/field.tsx'
import { fieldErrors, formProps, useForm, useSubmit, type Values } from '../../../lib/forms.ts'
import { sendPublic } from '../../../lib/http.ts'
import { paths } from '../../../lib/paths.ts'
import { pagesMeta, Sentence, usePagesText } from '../pages-text.ts'
import styles from './contact.module.css'
import { Prose } from './prose.tsx'

export const meta = pagesMeta({ title: 'contactTitle', description: 'contactDescription' })

export default function Contact() {
  const t = usePagesText()
  return (
    <Prose title={t('contactHead')} sentence={t('contactSentence')}>
      <ContactForm />
      <h2>{t('beforeTitle')}</h2>
      <p>
        <Sentence
          of="beforeText"
          values={{ helpPage: <Link to={paths.help}>{t('helpPage')}</Link>, prefix: <code>pay_</code> }}
        />
      </p>
    </Prose>
  )
}

type Message = Values<typeof contactFields>
const blank: Message = { name: '', email: '', message: '' }

function ContactForm() {
  const t = usePagesText()
  const failureText = useFailedCallText()
  const fieldText = useFieldText()
  const [isSent, setIsSent] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const form = useForm({
    initialValues: blank,
    validate: (typed) => fieldErrors(contactFields, typed, fieldText),
  })

  // Text that was typed before the script was loaded is only in the document.
  const adopt = useEffectEvent(() => {
    for (const name of Object.keys(blank) as (keyof Message)[]) {
      const typed = (form.getInputNode(name) as HTMLInputElement | null)?.value
      if (typed) form.setFieldValue(name, typed)
    }
  })
  useEffect(() => adopt(), [])

  const { running, submit } = useSubmit(async (body: Message) => {
    setFailure(null)
    const result = await sendPublic(calls.sendContact, { body })
    if (result.error === null) setIsSent(true)
    else setFailure(failureText(result, t('notSent')))
  })
  if (isSent) {
    return (
      <div className={`${styles.sent} ${notice('success')} ${font('base', 'strong')}`} role="status">
        <h2>{t('sentTitle')}</h2>
        <p>{t('sentText')}</p>
      </div>
    )
  }
  return (
    <form className={`${styles.form} ${grid('gap20')}`} {...formProps(form, running, submit)}>
      <noscript>
        <p>{t('needsScript')}</p>
      </noscript>
      <div className={styles.pair}>
        <TextField
          required
          label={t('name')}
          autoComplete="name"
          data-framework
          {...form.getInputProps('name')}
        />
        <TextField
          required
          label={t('email')}
          type="email"
          autoComplete="email"
          data-framework
          {...form.getInputProps('email')}
        />
      </div>
      <AreaField required rows={6} label={t('message')} data-framework {...form.getInputProps('message')} />
      {failure && (
        <p className={notice('failure')} role="alert">
          {failure}
        </p>
      )}
      <Button submit className={styles.submit} data-framework running={running} runningLabel={t('sending')}>
        {t('sendMessage')}
      </Button>
    </form>
  )
}
