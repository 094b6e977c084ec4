import type { sendContact } from '@muripo/contract/site'
import { type FormEvent, useId, useRef, useState } from 'react'
import { failureText } from '../../../api/errors.ts'
import { sendPublic } from '../../../lib/http.ts'
import styles from './contact-form.module.css'
import { type ContactErrors, type ContactField, contactErrors } from './contact-rules.ts'

const NOT_SENT = 'Your message could not be sent. Please try again.'

interface FieldProps {
  readonly name: ContactField
  readonly label: string
  readonly error: string | undefined
  readonly autoComplete?: string
  readonly onEdit: (name: ContactField) => void
}

function Field({ name, label, error, autoComplete, onEdit }: FieldProps) {
  const id = useId()
  const attributes = {
    id,
    name,
    required: true,
    'aria-invalid': error !== undefined,
    'aria-describedby': error === undefined ? undefined : `${id}-error`,
    onInput: () => onEdit(name),
  }
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {name === 'message' ? (
        <textarea {...attributes} rows={6} />
      ) : (
        <input {...attributes} type={name === 'email' ? 'email' : 'text'} autoComplete={autoComplete} />
      )}
      {error && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  )
}

export function ContactForm() {
  const [errors, setErrors] = useState<ContactErrors>({})
  const [state, setState] = useState<'open' | 'sending' | 'sent'>('open')
  const [failure, setFailure] = useState<string | null>(null)
  const form = useRef<HTMLFormElement>(null)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (form.current === null || state === 'sending') return
    const typed = Object.fromEntries(new FormData(form.current)) as Record<ContactField, string>
    const found = contactErrors(typed)
    setErrors(found)
    setFailure(null)
    const first = Object.keys(found)[0]
    if (first !== undefined) {
      form.current.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
      return
    }
    setState('sending')
    const result = await sendPublic<typeof sendContact>('POST', '/contact', { body: typed })
    setState(result.error === null ? 'sent' : 'open')
    if (result.error !== null) setFailure(failureText(result, NOT_SENT))
  }
  if (state === 'sent') {
    return (
      <div className={styles.sent} role="status">
        <h2>Thank you</h2>
        <p>Your message is on its way. The answer comes to the address that you gave.</p>
      </div>
    )
  }
  const onEdit = (name: ContactField) => setErrors((before) => ({ ...before, [name]: undefined }))
  return (
    <form ref={form} className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
      <noscript>
        <p>Sending this form needs JavaScript, which is switched off in this browser.</p>
      </noscript>
      <div className={styles.pair}>
        <Field name="name" label="Name" autoComplete="name" error={errors.name} onEdit={onEdit} />
        <Field name="email" label="Email" autoComplete="email" error={errors.email} onEdit={onEdit} />
      </div>
      <Field name="message" label="Message" error={errors.message} onEdit={onEdit} />
      {failure && (
        <p className={styles.failure} role="alert">
          {failure}
        </p>
      )}
      <button type="submit" className={styles.submit} disabled={state === 'sending'}>
        {state === 'sending' ? 'Sending...' : 'Send Message'}
      </button>
    </form>
  )
}
