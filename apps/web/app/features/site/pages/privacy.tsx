import { Link } from 'react-router'
import { type PageHandle, pageMeta } from '../../../lib/page-meta.ts'
import { paths } from '../../../lib/paths.ts'
import { Prose } from './prose.tsx'

export const meta = pageMeta({
  title: 'Privacy · Muripo',
  description:
    'Which data this payment gateway keeps about merchants, customers and visitors, why, and who sees it.',
})

export const handle: PageHandle = { isEnglish: true }

export default function Privacy() {
  return (
    <Prose
      title="Privacy"
      sentence="What this gateway keeps about you, what for, and who can see it. Nothing is sold, and nobody is followed."
      updated="2026-11-20"
    >
      <h2>Who is responsible</h2>
      <p>
        Muripo is software that a company runs itself. Whoever runs this gateway is responsible for the data
        in it, and answers what you ask on the <Link to={paths.contact}>contact page</Link>.
      </p>
      <h2>When you visit this site</h2>
      <p>
        There is no analytics, no advertising and nothing loaded from other companies. The server's log notes
        that a page was asked for, for as long as it takes to find faults and to hold off abuse. What you
        write in the support chat stays in your browser.
      </p>
      <h2>When you have an account</h2>
      <ul>
        <li>Your name, email address, phone number and account type, to know whom we deal with.</li>
        <li>The identification document that you upload. Only the people who check accounts can open it.</li>
        <li>Your password, as a fingerprint from which it cannot be read back.</li>
        <li>Your applications and payments, for as long as the law wants books to be kept.</li>
      </ul>
      <h2>When you pay</h2>
      <p>
        The amount, what it is for, the phone number that you give, and what the provider answers. The shop
        that you pay sees this, and so does the provider that moves the money. Your PIN stays between you and
        your wallet: this gateway never sees it.
      </p>
      <h2>When you write to us</h2>
      <p>Your name, your address and your message go to the people who run this gateway, as a mail.</p>
      <h2>Your rights</h2>
      <p>
        You can ask what is kept about you, have mistakes mended, and have your account closed. Records of
        payments have to stay for as long as the law says. <Link to={paths.contact}>Write to us</Link> from
        the address of your account.
      </p>
    </Prose>
  )
}
