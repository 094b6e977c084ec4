import express from '../../../../../../packages/sdk/examples/webhook-express.mjs?highlight'
import next from '../../../../../../packages/sdk/examples/webhook-next.mjs?highlight'
import { CodeBlock } from '../code/code-block.tsx'
import type { Facts } from './reference-data.server.ts'
import createWebhook from './samples/create-webhook.sh?highlight'
import php from './samples/verify.php?highlight'
import python from './samples/verify.py?highlight'
import { Part, Section } from './section.tsx'
import { CodeName, Table } from './table.tsx'

export const Webhooks = ({ facts }: { readonly facts: Facts }) => (
  <Section id="webhooks" title="Webhooks">
    <p>
      A webhook is a signed request that reports an event about your payments. The gateway posts it to an
      address of your server, and retries until your server accepts it. Add endpoints on the dashboard, under
      Applications, or with a call. Only the response of the call contains the signing secret:
    </p>
    <CodeBlock title="Create a webhook endpoint" sample={createWebhook} name="create-webhook" />
    <Table
      caption="Types of events"
      head={['Type', 'When']}
      rows={facts.events.map(({ type, meaning }) => [type, <CodeName key="t" name={type} />, meaning])}
    />
    <p>
      The body is <code>{'{ id, type, created_at, sequence, data }'}</code>. For payments <code>data</code> is
      the payment, with <code>refund</code> in events about refunds and <code>reversal</code> in those about
      reversals. Later releases may add types and fields: answer 2xx to unknown types, and ignore unknown
      fields.
    </p>
    <Verify />
    <Deliveries />
  </Section>
)

const Verify = () => (
  <>
    <Part id="verify-a-webhook" title="Verify a webhook" />
    <p>
      Anybody can post to your address, so verify each request before you use it. The signatures follow{' '}
      <a href="https://www.standardwebhooks.com">Standard Webhooks</a>, for which libraries exist in many
      languages.
    </p>
    <ul>
      <li>
        The signed text is <code>webhook-id</code>, a dot, <code>webhook-timestamp</code>, a dot, and the body
        byte for byte. A body that was parsed and serialised again has another signature.
      </li>
      <li>
        The key is the base64 text of the secret after <code>whsec_</code>, decoded.
      </li>
      <li>
        <code>webhook-signature</code> is <code>v1,</code> and the base64 of the HMAC-SHA256. While you
        replace a secret it contains two signatures, separated by a space.
      </li>
      <li>
        Refuse a <code>webhook-timestamp</code> that differs from your clock by more than five minutes.
      </li>
    </ul>
    <p>
      The <a href="#with-the-sdk">SDK</a> does this in one call, and its types know the data of each event:
    </p>
    <CodeBlock title="Express 5" sample={express} name="webhook-express" />
    <CodeBlock title="Next.js" sample={next} name="webhook-next" />
    <CodeBlock title="PHP 7.4 or later" sample={php} name="verify-php" />
    <CodeBlock title="Python 3.9 or later" sample={python} name="verify-python" />
    <p>
      Compare signatures in constant time, as these samples do. In Django pass <code>request.body</code> and{' '}
      <code>request.headers</code>, in Flask <code>request.get_data()</code> and <code>request.headers</code>.
    </p>
  </>
)

const responses = [
  ['2xx within 15 seconds', 'The event is delivered.'],
  ['410', 'The gateway disables the endpoint at once.'],
  ['anything else, also a redirect', 'The gateway sends the event again.'],
] as const

const Deliveries = () => (
  <>
    <Part id="deliveries-and-retries" title="Deliveries and retries" />
    <Table
      caption="Responses of your server"
      head={['Your server answers', 'Effect']}
      rows={responses.map(([answer, effect]) => [answer, answer, effect])}
    />
    <p>
      The gateway sends an event again after 5 seconds, 5 minutes, 30 minutes, 2, 5, 10, 14, 20 and 24 hours,
      each up to a fifth shorter or longer. After the tenth failure it marks the endpoint as failing and
      emails the owner of the account.
    </p>
    <ul>
      <li>
        <strong>At least once.</strong> The same event may arrive again with the same <code>webhook-id</code>:
        store the ids of processed events.
      </li>
      <li>
        <strong>Not in order.</strong> <code>sequence</code> numbers the events of one payment from 1, without
        a gap: ignore a number that is lower than the last one. Or read the payment when an event arrives.
      </li>
      <li>
        <strong>Nothing is lost.</strong> After an outage read <code>GET /api/v1/events</code>, the latest
        first, until the first event that you have processed.{' '}
        <code>POST /api/v1/events/&#123;id&#125;/redeliver</code> sends one again.
      </li>
    </ul>
    <p>
      In production an endpoint has a public https address on port 443 or 8443. An endpoint that was created
      with a test key receives events of test payments only.
    </p>
  </>
)
