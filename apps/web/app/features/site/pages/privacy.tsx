import { Link } from 'react-router'
import { type PageHandle, pageMeta } from '../../../lib/page-meta.ts'
import { paths } from '../../../lib/paths.ts'
import { Prose } from './prose.tsx'

export const meta = pageMeta({
  title: 'Privacy · Muripo',
  description:
    'The data that this payment gateway stores about merchants, customers and visitors, and its purpose.',
})

export const handle: PageHandle = { isEnglish: true }

export default function Privacy() {
  return (
    <Prose
      title="Privacy"
      sentence="The data that this gateway stores about you, its purpose, and the people who can see it. No data is sold or used for tracking."
      updated="2026-11-24"
    >
      <h2>Who is responsible</h2>
      <p>
        Muripo is software that a company runs itself. The company that runs this gateway is responsible for
        its data, and answers your questions on the <Link to={paths.contact}>contact page</Link>.
      </p>
      <h2>When you visit this site</h2>
      <p>
        This site has no analytics and no advertising, and loads nothing from other companies. The server logs
        each request, to find errors and to prevent abuse. Your messages in the support chat stay in your
        browser.
      </p>
      <h2>When you have an account</h2>
      <ul>
        <li>Your name, email address, phone number and account type, which identify you.</li>
        <li>The identification document that you upload. Only the people who review accounts can open it.</li>
        <li>A hash of your password, from which the password cannot be computed.</li>
        <li>Your applications and payments, for as long as the law requires accounting records.</li>
      </ul>
      <h2>When you pay</h2>
      <p>
        The gateway stores the amount, its description, your phone number, and the answer of the provider. The
        shop that you pay and the provider that processes the payment can see them. Only your wallet receives
        your PIN, and never this gateway.
      </p>
      <h2>When you write to us</h2>
      <p>
        Your name, your email address and your message are sent by email to the people who run this gateway.
      </p>
      <h2>Your rights</h2>
      <p>
        You can request your data, its correction, and the closing of your account. Records of payments are
        stored for as long as the law requires. <Link to={paths.contact}>Write to us</Link> from the email
        address of your account.
      </p>
    </Prose>
  )
}
