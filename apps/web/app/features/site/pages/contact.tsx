import { contactFields } from '@muripo/contract/contact-fields'
import type { sendContact } from '@muripo/contract/site'
import { type ComponentPropsWithoutRef, useEffect, useEffectEvent, useId, useState } from 'react'
import { Link } from 'react-router'
import { failureText } from '../../../api/errors.ts'
import { busy, fieldErrors, formProps, useForm, useSubmit, type Values } from '../../../lib/forms.ts'
import { sendPublic } from '../../../lib/http.ts'
import { type PageHandle, pageMeta } from '../../../lib/page-meta.ts'
import { paths } from '../../../lib/paths.ts'
import styles from './contact.module.css'
import { Prose } from './prose.tsx'

export const meta = pageMeta({
  title: 'Contact · Muripo',
  description: 'Write to the people who run this payment gateway. Your message goes to them as a mail.',
})

export const handle: PageHandle = { onDemand: false }

export default function Contact() {
  return (
    <Prose
      title="Contact"
      sentence="Your message goes to the people who run this gateway. They answer by mail."
    >
      <ContactForm />
      <h2>Before you write</h2>
      <p>
        The <Link to={paths.help}>help page</Link> has many answers. About a payment, name its ID; it begins
        with <code>pay_</code>. Never send a password, a PIN, a sign-in code or an application key: nobody
        here will ask for one.
      </p>
    </Prose>
  )
}

const NOT_SENT = 'Your message could not be sent. Please try again.'

type Message = Values<typeof contactFields>
const blank: Message = { name: '', email: '', message: '' }

interface FieldProps extends ComponentPropsWithoutRef<'input'> {
  readonly label: string
  readonly error: string | undefined
  readonly as?: 'input' | 'textarea'
}

function Field({ label, error, as: Input = 'input', ...input }: FieldProps) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <Input
        {...(input as object)}
        id={id}
        required
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
      />
      {error && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  )
}

function ContactForm() {
  const [isSent, setIsSent] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const form = useForm({ initialValues: blank, validate: (typed) => fieldErrors(contactFields, typed) })

  // Text that was typed before the script arrived is in the document only.
  const adopt = useEffectEvent(() => {
    for (const name of Object.keys(blank) as (keyof Message)[]) {
      const typed = (form.getInputNode(name) as HTMLInputElement | null)?.value
      if (typed) form.setFieldValue(name, typed)
    }
  })
  useEffect(() => adopt(), [])

  const { running, submit } = useSubmit(async (body: Message) => {
    setFailure(null)
    const result = await sendPublic<typeof sendContact>('POST', '/contact', { body })
    if (result.error === null) setIsSent(true)
    else setFailure(failureText(result, NOT_SENT))
  })
  if (isSent) {
    return (
      <div className={styles.sent} role="status">
        <h2>Thank you</h2>
        <p>Your message is on its way. The answer comes to the address that you gave.</p>
      </div>
    )
  }
  return (
    <form className={styles.form} {...formProps(form, running, submit)}>
      <noscript>
        <p>Sending this form needs JavaScript, which is switched off in this browser.</p>
      </noscript>
      <div className={styles.pair}>
        <Field label="Name" autoComplete="name" {...form.getInputProps('name')} />
        <Field label="Email" type="email" autoComplete="email" {...form.getInputProps('email')} />
      </div>
      <Field as="textarea" label="Message" {...form.getInputProps('message')} />
      {failure && (
        <p className={styles.failure} role="alert">
          {failure}
        </p>
      )}
      <button type="submit" className={styles.submit} {...busy(running)}>
        {running ? 'Sending...' : 'Send Message'}
      </button>
    </form>
  )
}
