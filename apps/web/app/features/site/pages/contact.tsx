import { Link } from 'react-router'
import { pageMeta } from '../../../lib/page-meta.ts'
import { paths } from '../../../lib/paths.ts'
import { ContactForm } from './contact-form.tsx'
import { Prose } from './prose.tsx'

export const meta = pageMeta({
  title: 'Contact · Muripo',
  description: 'Write to the people who run this payment gateway. Your message goes to them as a mail.',
})

export default function Contact() {
  return (
    <Prose
      title="Contact"
      sentence="Your message goes to the people who run this gateway. They answer by mail."
    >
      <ContactForm />
      <h2>Before you write</h2>
      <p>
        Many answers stand on the <Link to={paths.help}>help page</Link>. About a payment, name its ID; it
        begins with <code>pay_</code>. Never send a password, a PIN, a sign-in code or an application key:
        nobody here will ask for one.
      </p>
    </Prose>
  )
}
