import { Link } from 'react-router'
import onceOnly from '../../../../../../packages/sdk/examples/once-only.ts?highlight'
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
import { Table } from './table.tsx'

interface FactsProps {
  readonly facts: Facts
}

export function ApiReference({ facts }: FactsProps) {
  const { origin, fill } = useAddress()
  return (
    <Section id="api-reference" title="API Reference">
      <p>
        The API host is <code>{origin}</code>. Requests and answers are JSON. The whole of v1, field by field,
        is drawn from its OpenAPI document in the <Link to={paths.apiReference}>full API reference</Link>.
      </p>
      <Endpoints />
      <CreatePayment fill={fill} />
      <ReadPayments />
      <Customers />
      <Statuses facts={facts} />
      <Errors facts={facts} />
      <Idempotency />
    </Section>
  )
}

const CreatePayment = ({ fill }: { readonly fill: Readonly<Record<string, string>> }) => (
  <>
    <Part id="create-a-payment" title="Create a payment" />
    <p>
      <code>POST v1/payments</code> on the API host, with bearer authorisation and a JSON content type. Needed
      are <code>amount</code>, <code>currency</code> and <code>description</code>; the customer and the two
      addresses to come back to are up to you. A field that the API does not know is refused, so that a typing
      mistake does not pass in silence.
    </p>
    <CodeBlock title="Request" sample={createPayment} name="create-payment" fill={fill} />
    <CodeBlock title="Answer, 201 Created" sample={payment} name="payment" fill={fill} />
    <p>
      Redirect your customer to <code>payment_url</code>. On the way back, <code>payment_id</code> and{' '}
      <code>status</code> are added to your address. They prove nothing: read the payment before you hand over
      the goods.
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
      A list answers <code>data</code>, <code>has_more</code> and <code>next_cursor</code>; hand the latter in
      as <code>cursor</code> for the next page. <code>limit</code> is 1 to 100, 20 when left out;{' '}
      <code>status</code>, <code>reference</code>, <code>created_after</code> and <code>created_before</code>{' '}
      narrow a list of payments.
    </p>
  </>
)

const Customers = () => (
  <>
    <Part id="customers" title="Customers" />
    <p>
      A payment that names an email belongs to the customer with that email, in capitals or not; one that
      names only a phone number to the customer with that number, however it is written; one that names
      neither to the number that pays it. Customers are shared by all applications of a merchant, keep the
      name and the number that were said first, and are never joined: a phone may be shared.{' '}
      <code>GET v1/customers</code> takes <code>email</code> and <code>phone</code>, and pages as payments do.
    </p>
  </>
)

const Statuses = ({ facts }: FactsProps) => (
  <>
    <Part id="statuses" title="Statuses" />
    <Table
      caption="Statuses of a payment"
      head={['Status', 'What it means']}
      rows={facts.statuses.map((status) => [status, <code key="s">{status}</code>, statusTexts[status]])}
    />
  </>
)

const Errors = ({ facts }: FactsProps) => (
  <>
    <Part id="errors" title="Errors" />
    <p>
      An error is a JSON document after RFC 9457. Decide by <code>code</code>, show <code>message</code>, and
      quote <code>requestId</code> when you ask for help. What is wrong with single fields stands in{' '}
      <code>errors</code>.
    </p>
    <CodeBlock title="A request with a mistake" sample={wrongPayment} name="wrong-payment" />
    <CodeBlock title="Its answer, 422" sample={problem} name="problem" />
    <Table
      caption="Error codes"
      head={['Code', 'Status', 'Message']}
      rows={facts.errors.map(({ code, status, title }) => [
        code,
        <code key="c">{code}</code>,
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
      Give each payment an <code>Idempotency-Key</code>, such as your order’s number. For 30 days the same key
      and the same request give the same answer and one payment only, however often you ask; the repeated
      answer carries <code>Idempotency-Replayed: true</code>. The same key with another request is refused
      with <code>idempotency_mismatch</code>; while the first request still runs, with{' '}
      <code>idempotency_in_flight</code>. So after a time-out, simply ask again.
    </p>
    <CodeBlock title="once-only.ts" sample={onceOnly} name="once-only" />
  </>
)
