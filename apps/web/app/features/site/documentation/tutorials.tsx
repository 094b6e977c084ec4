import checkPayment from '../../../../../../packages/sdk/examples/check-payment.ts?highlight'
import createPayment from '../../../../../../packages/sdk/examples/create-payment.ts?highlight'
import { CodeBlock } from '../code/code-block.tsx'
import getPayment from './samples/get-payment.sh?highlight'
import install from './samples/install.sh?highlight'
import { Part, Section } from './section.tsx'
import { Table } from './table.tsx'

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

const numbers = [
  ['077 111 1111', 'Pays after 5 seconds.'],
  ['077 222 2222', 'Pays after 30 seconds.'],
  ['077 333 3333', 'Cancels after 30 seconds.'],
  ['077 444 4444', 'Has too little money, and says so at once.'],
  ['any other 077, 078 or 071', 'Asks for a PIN on its phone.'],
] as const

const pins = [
  ['0000', 'Pays.'],
  ['1234', 'Pays.'],
  ['1111', 'Has too little money.'],
  ['2222', 'Is the wrong PIN.'],
  ['9999', 'Is over the wallet’s limit.'],
] as const

/** The behaviour of the simulated wallet for each number; a test runs each of them. */
const TestNumbers = () => (
  <>
    <Part id="test-numbers" title="Test numbers and PINs" />
    <p>
      A gateway that is started for development has a simulated wallet, and its keys begin with{' '}
      <code>mk_test_</code>. No money moves, and the payer’s page says that it is a test. On a live gateway
      each application has a test key besides the live one: what the two make never meets, and a test key
      rings test numbers only. These EcoCash numbers act by themselves, and so do the same numbers with
      OneMoney when they begin with 071:
    </p>
    <Table
      caption="Test numbers"
      head={['Number', 'What it does']}
      rows={numbers.map(([number, does]) => [number, number, does])}
    />
    <p>
      Any other number asks on a simulated phone, at <code>/dev/phone</code> of that gateway. Answer it with
      one of these PINs, or decline:
    </p>
    <Table
      caption="Test PINs"
      head={['PIN', 'What it does']}
      rows={pins.map(([pin, does]) => [pin, <code key="p">{pin}</code>, does])}
    />
  </>
)
