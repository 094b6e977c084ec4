import { Link } from 'react-router'
import { pageMeta } from '../../../lib/page-meta.ts'
import { paths } from '../../../lib/paths.ts'
import { Prose } from './prose.tsx'

export const meta = pageMeta({
  title: 'Help · Muripo',
  description:
    'Answers for merchants and for people who pay: signing in, pending payments, refunds, keys and fees.',
})

export default function Help() {
  return (
    <Prose title="Help" sentence="Short answers to what people ask most. If yours is missing, write to us.">
      <h2>For people who pay</h2>
      <h3>I confirmed on my phone, and the page still waits</h3>
      <p>
        Give it a minute: the answer of your wallet is on its way. The page asks again by itself. You can
        close it and open the shop's link later; you will not be charged twice.
      </p>
      <h3>No prompt came to my phone</h3>
      <p>
        Check that the number is right and that the phone has signal. When the time on the page has run out,
        you can try again or choose another way to pay.
      </p>
      <h3>I want my money back</h3>
      <p>Ask the shop that you paid. It can send the money back with two clicks.</p>

      <h2>For merchants</h2>
      <h3>The sign-in code has not come</h3>
      <p>
        Look into the spam folder, then ask for another one on the page where you enter it. Only the newest
        code works, and for ten minutes.
      </p>
      <h3>A payment has been pending for a long time</h3>
      <p>
        The provider has not said yet what became of it. We keep asking. Do not ask your customer to pay again
        before it shows Completed or Failed.
      </p>
      <h3>How do I refund a payment?</h3>
      <p>
        Open <Link to={paths.payments}>Payments</Link>, choose View Details on a completed payment, and then
        Refund Payment.
      </p>
      <h3>My application key has got into wrong hands</h3>
      <p>
        Open the application, go to Application Key and regenerate it. The old key stops working in that
        moment, so have your server's settings at hand.
      </p>
      <h3>What does it cost?</h3>
      <p>
        A share of each payment and a fixed part, both on the <Link to={paths.pricing}>pricing page</Link>{' '}
        with a calculator. There is no setup fee.
      </p>

      <h2>Still stuck?</h2>
      <p>
        See whether everything is running on the <Link to={paths.status}>status page</Link>, or{' '}
        <Link to={paths.contact}>write to us</Link>. If you build with the API,{' '}
        <Link to={paths.devSupport}>developer support</Link> is the shorter way.
      </p>
    </Prose>
  )
}
