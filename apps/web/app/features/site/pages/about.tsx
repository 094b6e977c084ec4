import { Link } from 'react-router'
import { pageMeta } from '../../../lib/page-meta.ts'
import { paths } from '../../../lib/paths.ts'
import { Prose } from './prose.tsx'

export const meta = pageMeta({
  title: 'About · Muripo',
  description:
    'Muripo is an open-source payment gateway that a company runs itself. What it is, and what it stands for.',
})

export default function About() {
  return (
    <Prose
      title="About Muripo"
      sentence="Muripo is Shona for payment. It is a payment gateway that a company runs itself, and whose every line can be read."
    >
      <h2>What it does</h2>
      <p>
        A shop's server asks for a payment. The customer pays it on a simple page, with a mobile wallet or a
        card. The shop sees it, is notified, and can refund it. That is all, and it has to be right every
        time.
      </p>
      <h2>Why it exists</h2>
      <p>
        Most gateways stand between a shop and its money: their rules, their computers, their word for what
        happened. Muripo runs on a computer of your choice. Your payments are in your database, and the code
        that moves them is open to anybody who wants to check it.
      </p>
      <h2>What we hold on to</h2>
      <ul>
        <li>
          <b>Every cent is accounted for.</b> Each payment is a transfer between two accounts, and the
          database itself refuses to change one afterwards.
        </li>
        <li>
          <b>We do not guess.</b> When a provider gives no answer, a payment stays pending and is looked up.
          It is never charged a second time, and never called failed for want of an answer.
        </li>
        <li>
          <b>A cheap phone is enough.</b> The page on which people pay needs no script, no account and hardly
          any data.
        </li>
      </ul>
      <h2>Who makes it</h2>
      <p>
        Muripo is made in the open under the Apache License 2.0. This site is part of the gateway: the people
        who answer for it are the company that runs it. You reach them on the{' '}
        <Link to={paths.contact}>contact page</Link>.
      </p>
    </Prose>
  )
}
