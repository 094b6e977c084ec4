import { Link } from 'react-router'
import onceOnly from '../../../../../../packages/sdk/examples/once-only.mjs?highlight'
import { paths } from '../../../lib/paths.ts'
import { CodeBlock } from '../code/code-block.tsx'
import { Endpoints } from './endpoints.tsx'
import { statusTexts } from './labels.ts'
import type { Facts } from './reference-data.server.ts'
import createPayment from './samples/create-payment.sh?highlight'
import getPayment from './samples/get-payment.sh?highlight'
import listPayments from './samples/list-payments.sh?highlight'
import payment from './samples/payment.json?highlight'
import problem from './samples/problem.json?highlight'
import wrongPayment from './samples/wrong-payment.sh?highlight'
import { Part, Section, useAddress } from './section.tsx'
import { CodeName, Table } from './table.tsx'

interface FactsProps {
  readonly facts: Facts
}

export function ApiReference({ facts }: FactsProps) {
  const { origin, fill } = useAddress()
  return (
    <Section id="api-reference" title="API Reference">
      <p>
        The API host is <code>{origin}</code>, and the path of every call begins with <code>/api/v1</code>.
        Requests and responses are JSON. The <Link to={paths.apiReference}>full API reference</Link> lists
        every field of v1 from the OpenAPI document.
      </p>
      <CreatePayment fill={fill} />
      <ReadPayments />
      <Customers />
      <Statuses facts={facts} />
      <Errors facts={facts} />
      <Idempotency />
      <Part id="all-calls" title="All calls" />
      <Endpoints facts={facts} />
    </Section>
  )
}

const CreatePayment = ({ fill }: { readonly fill: Readonly<Record<string, string>> }) => (
  <>
    <Part id="create-a-payment" title="Create a payment" />
    <p>
      <code>POST v1/payments</code> on the API host, with bearer authorisation and a JSON content type. The
      fields <code>amount</code>, <code>currency</code> and <code>description</code> are required; the
      customer and the two return addresses are optional. The whole path is <code>/api/v1/payments</code>. The
      API refuses unknown fields, so that a typing mistake is an error.
    </p>
    <CodeBlock title="Request" sample={createPayment} name="create-payment" fill={fill} />
    <CodeBlock title="Response, 201 Created" sample={payment} name="payment" fill={fill} />
    <p>
      Redirect your customer to <code>payment_url</code>. On the way back, <code>payment_id</code> and{' '}
      <code>status</code> are added to your address. They are no proof of payment: read the payment before you
      deliver.
    </p>
  </>
)

const ReadPayments = () => (
  <>
    <Part id="read-payments" title="Read payments" />
    <p>One payment by its id, or the payments of the key’s application, newest first:</p>
    <CodeBlock title="One payment" sample={getPayment} name="get-payment" />
    <CodeBlock title="A list" sample={listPayments} name="list-payments" />
    <p>
      A list contains <code>data</code>, <code>has_more</code> and <code>next_cursor</code>; send the latter
      as <code>cursor</code> for the next page. <code>limit</code> is 1 to 100, and 20 by default;{' '}
      <code>status</code>, <code>reference</code>, <code>created_after</code> and <code>created_before</code>{' '}
      filter a list of payments.
    </p>
  </>
)

const Customers = () => (
  <>
    <Part id="customers" title="Customers" />
    <p>
      A payment with an email belongs to the customer with that email, regardless of case; a payment with only
      a phone number belongs to the customer with that number, in any format; any other payment belongs to the
      customer with the number that pays it. All applications of a merchant share their customers. A customer
      keeps the first name and the first number, and customers are never merged, because several people may
      use one phone. <code>GET /api/v1/customers</code> filters by <code>email</code> and <code>phone</code>,
      and has the same pagination as payments.
    </p>
  </>
)

const Statuses = ({ facts }: FactsProps) => (
  <>
    <Part id="statuses" title="Statuses" />
    <Table
      caption="Statuses of a payment"
      head={['Status', 'Meaning']}
      rows={facts.statuses.map((status) => [status, <code key="s">{status}</code>, statusTexts[status]])}
    />
  </>
)

const Errors = ({ facts }: FactsProps) => (
  <>
    <Part id="errors" title="Errors" />
    <p>
      An error is a JSON document as in RFC 9457. Branch on <code>code</code>, show <code>message</code>, and
      quote <code>requestId</code> when you ask for help. <code>errors</code> contains the errors of single
      fields.
    </p>
    <CodeBlock title="A request with a mistake" sample={wrongPayment} name="wrong-payment" />
    <CodeBlock title="Its response, 422" sample={problem} name="problem" />
    <Table
      caption="Error codes"
      head={['Code', 'Status', 'Message']}
      rows={facts.errors.map(({ code, status, title }) => [
        code,
        <CodeName key="c" name={code} />,
        String(status),
        title,
      ])}
    />
  </>
)

const Idempotency = () => (
  <>
    <Part id="idempotency" title="Idempotency" />
    <p>
      Send an <code>Idempotency-Key</code> with each payment, such as the number of your order. For 30 days a
      repeated request with the same key returns the same response and creates no second payment; the repeated
      response has the header <code>Idempotency-Replayed: true</code>. A new order needs a new key. The same
      key with another request is refused with <code>idempotency_mismatch</code>, and while the first request
      runs, with <code>idempotency_in_flight</code>. After a time-out, send the request again.
    </p>
    <CodeBlock title="once-only.mjs" sample={onceOnly} name="once-only" />
  </>
)
