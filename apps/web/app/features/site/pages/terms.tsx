import { Link } from 'react-router'
import { type PageHandle, pageMeta } from '../../../lib/page-meta.ts'
import { paths } from '../../../lib/paths.ts'
import { Prose } from './prose.tsx'

export const meta = pageMeta({
  title: 'Terms · Muripo',
  description: 'The terms of this payment gateway: accounts, keys, fees, refunds, and availability.',
})

export const handle: PageHandle = { isEnglish: true }

export default function Terms() {
  return (
    <Prose
      title="Terms"
      sentence="Your rights and duties as a merchant of this gateway."
      updated="2026-11-24"
    >
      <h2>The parties</h2>
      <p>
        The parties are you, a merchant with an account, and the company that runs this gateway. A contract
        that both have signed takes precedence over this page.
      </p>
      <h2>Your account</h2>
      <ul>
        <li>Your statements about yourself and your business must be true.</li>
        <li>You must keep your password, your sign-in codes and your application keys secret.</li>
        <li>Regenerate a key at once when other people may know it. The old key is refused from then on.</li>
      </ul>
      <h2>Payments and fees</h2>
      <p>
        You may take payments for lawful goods and services. The fees are those of the{' '}
        <Link to={paths.pricing}>pricing page</Link>, and there is no setup fee. You are responsible to your
        customers for their purchases.
      </p>
      <h2>Refunds</h2>
      <p>
        You can refund a completed payment in the dashboard or through the API, in full or in part. The amount
        of a refund is deducted from your balance, and a refund cannot be reversed. The fee of the payment is
        not returned. If refunds exceed your balance, you owe the difference.
      </p>
      <h2>Availability</h2>
      <p>
        Wallets, banks and phone networks may fail. When a provider does not answer, a payment stays pending
        until its outcome is known. The software is provided under the Apache License 2.0, as is and without
        warranty.
      </p>
      <h2>Termination</h2>
      <p>
        You can close your account at any time. An account that is used for fraud or in breach of the law is
        suspended. Debts of either party remain after the termination.
      </p>
    </Prose>
  )
}
