import checkPayment from '../../../../../../packages/sdk/examples/check-payment.ts?highlight'
import createPayment from '../../../../../../packages/sdk/examples/create-payment.ts?highlight'
import { CodeBlock } from '../code/code-block.tsx'
import getPayment from './samples/get-payment.sh?highlight'
import install from './samples/install.sh?highlight'
import { Part, Section } from './section.tsx'
import { TestNumbers } from './test-numbers.tsx'

export const Tutorials = () => (
  <Section id="tutorials" title="Tutorials">
    <Part id="with-curl" title="Take a payment with curl" />
    <ol>
      <li>
        Set <code>MURIPO_URL</code> and <code>MURIPO_KEY</code>, and create a payment, as in the{' '}
        <a href="#quick-start">quick start</a>.
      </li>
      <li>
        Open the answer’s <code>payment_url</code> in a browser. Choose a method, give a number and confirm.
      </li>
      <li>
        Keep the answer’s <code>id</code> in <code>PAYMENT_ID</code>, and ask how the payment stands:
      </li>
    </ol>
    <CodeBlock title="How does it stand?" sample={getPayment} name="how-it-stands" />

    <Part id="with-the-sdk" title="Take a payment with the SDK" />
    <p>
      <code>muripo</code> is a small package for Node 20 and later, typed, without dependencies. It comes with
      Muripo’s source: build it once, and install what you get.
    </p>
    <CodeBlock title="Install" sample={install} name="install" />
    <p>
      The client reads the gateway’s address from <code>MURIPO_URL</code>, or takes it as its second argument,{' '}
      <code>{'{ baseUrl }'}</code>. It gives each new payment an idempotency key, and asks again, up to twice,
      when an answer is lost.
    </p>
    <CodeBlock title="create-payment.ts" sample={createPayment} name="create-payment-sdk" />
    <p>
      When your customer comes back, read the payment. Whatever goes wrong is thrown as one kind of error:
    </p>
    <CodeBlock title="check-payment.ts" sample={checkPayment} name="check-payment-sdk" />

    <TestNumbers />
  </Section>
)
