import { Link } from 'react-router'
import { type PageHandle, pageMeta } from '../../../lib/page-meta.ts'
import { paths } from '../../../lib/paths.ts'
import { Prose } from './prose.tsx'

export const meta = pageMeta({
  title: 'Terms · Muripo',
  description:
    'The terms for using this payment gateway: accounts, keys, fees, refunds, and what nobody can promise.',
})

export const handle: PageHandle = { isEnglish: true }

export default function Terms() {
  return (
    <Prose
      title="Terms"
      sentence="What you may expect of this gateway, and what it expects of you."
      updated="2026-11-20"
    >
      <h2>The two sides</h2>
      <p>
        You are a merchant with an account. On the other side is the company that runs this gateway. Where the
        two of you have signed a contract, the contract goes before this page.
      </p>
      <h2>Your account</h2>
      <ul>
        <li>What you tell us about yourself or your business has to be true.</li>
        <li>Your password, your sign-in codes and your application keys are yours to keep safe.</li>
        <li>
          If a key has got into wrong hands, regenerate it at once. From that moment the old one is refused.
        </li>
      </ul>
      <h2>Payments and fees</h2>
      <p>
        You may take payments for what you lawfully sell. The fees are those of the{' '}
        <Link to={paths.pricing}>pricing page</Link>; there is nothing to pay for setting up. You answer to
        your customers for what they bought.
      </p>
      <h2>Refunds</h2>
      <p>
        You can refund a completed payment in the dashboard, and all or a part of it through the API. A refund
        takes its amount out of what is owed to you and cannot be taken back. The fee of the payment stays
        with us; if more is refunded than is owed to you, you owe the difference.
      </p>
      <h2>What nobody can promise</h2>
      <p>
        Wallets, banks and phone networks have bad days. When a provider does not answer, a payment stays
        pending until it is known what became of it. The software comes under the Apache License 2.0, as it
        is, without warranty.
      </p>
      <h2>An end</h2>
      <p>
        You can close your account at any time. An account that is used for fraud, or against the law, is
        stopped. What is owed to either side is still owed afterwards.
      </p>
    </Prose>
  )
}
