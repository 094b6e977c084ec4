import { Link } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { CodeBlock } from '../code/code-block.tsx'
import authorisePayment from './samples/authorise-payment.sh?highlight'
import capturePayment from './samples/capture-payment.sh?highlight'
import refundPayment from './samples/refund-payment.sh?highlight'
import { Section } from './section.tsx'
import { Table } from './table.tsx'

export const Refunds = () => (
  <Section id="refunds" title="Refunds">
    <p>
      A completed payment can be refunded in full or in part, with a call or on the dashboard. Without{' '}
      <code>amount</code> the call refunds all that remains. A payment may have many refunds, whose sum never
      exceeds it.
    </p>
    <CodeBlock title="Refund a part of a payment" sample={refundPayment} name="refund-payment" />
    <p>
      The response contains the refund as <code>completed</code>, <code>failed</code> or <code>pending</code>.
      A pending refund may last for days where an operator sends it by hand. The events{' '}
      <code>payment.refunded</code> and <code>refund.failed</code> report the result, and{' '}
      <code>GET /api/v1/refunds/&#123;id&#125;</code> returns it. The payment is <code>refunded</code> when
      nothing remains.
    </p>
    <p>
      Send an <code>Idempotency-Key</code> with each refund: a repeated request is one refund. Without a key,
      a request with the same payment and amount within ten minutes returns the first refund. A refund returns
      the whole amount to the customer, takes it from your balance, and does not return the fee.
    </p>
  </Section>
)

const captures = [
  ['capture without an amount', 'The payment is completed with the whole amount.'],
  [
    'capture a part',
    'The payment is completed with amount_captured. The rest is released and cannot be captured later.',
  ],
  ['cancel', 'The authorisation is voided, and the payment fails as cancelled.'],
  [
    'nothing until capture_before, about a week',
    'The gateway voids the authorisation, and the payment fails as expired.',
  ],
] as const

export const Captures = () => (
  <Section id="captures" title="Captures">
    <p>
      With <code>capture: manual</code> your customer authorises the amount now, and you take it when you
      ship. Only cards can reserve an amount: a payment without such a method is refused.
    </p>
    <CodeBlock title="Create a payment to capture later" sample={authorisePayment} name="authorise-payment" />
    <p>
      The payment becomes <code>authorized</code>, and the event <code>payment.authorized</code> reports it.
      Capture it once, in full or in part:
    </p>
    <CodeBlock title="Capture a part" sample={capturePayment} name="capture-payment" />
    <Table
      caption="The end of an authorisation"
      head={['Your action', 'Result']}
      rows={captures.map(([action, result]) => [action, action, result])}
    />
    <p>
      While the answer of the card’s bank is missing, the response is still <code>authorized</code>. The event{' '}
      <code>payment.completed</code> or <code>payment.failed</code> reports the result.
    </p>
  </Section>
)

export const GoingLive = () => (
  <Section id="going-live" title="Going Live">
    <p>
      A gateway for real money gives each application two keys: one that begins with <code>mk_test_</code>,
      and one that begins with <code>mk_live_</code>, which the dashboard shows when the operator has approved
      your account. Test payments and live payments are separate, and so are their webhook endpoints.
    </p>
    <ol>
      <li>
        <strong>Test every end of a payment</strong> with the <a href="#test-numbers">test numbers</a>: paid,
        declined, without funds, and left alone until it expires.
      </li>
      <li>
        <strong>Deliver after a check only.</strong> Read the payment or verify its webhook, and compare
        status, amount and currency with your order. The address of your customer’s browser proves nothing.
      </li>
      <li>
        <strong>Send an Idempotency-Key</strong> with each payment, capture and refund, such as the number of
        your order.
      </li>
      <li>
        <strong>Branch on codes.</strong> Wait for <code>Retry-After</code> on 429 and 503, and repeat with
        the same key. Show your customer a sentence of your own.
      </li>
      <li>
        <strong>Create the webhook endpoint again with the live key,</strong> and store its new secret.
      </li>
      <li>
        <strong>Replace the key</strong> in <code>MURIPO_KEY</code> on your server, and take one small payment
        that you refund.
      </li>
    </ol>
    <p>
      The <Link to={paths.status}>status page</Link> shows the state of the gateway and of the providers. When
      you <Link to={paths.contact}>write to us</Link>, name the <code>requestId</code> of the error.
    </p>
  </Section>
)
