import { Link } from 'react-router'
import quickStart from '../../../../../../packages/sdk/examples/quick-start.sh?highlight'
import { paths } from '../../../lib/paths.ts'
import { CodeBlock } from '../code/code-block.tsx'
import yourKey from './samples/your-key.sh?highlight'
import { Section, useAddress } from './section.tsx'

export function QuickStart() {
  const { fill } = useAddress()
  return (
    <Section id="quick-start" title="Quick Start">
      <ol>
        <li>
          <strong>Get an API key from the dashboard.</strong> <Link to={paths.signUp}>Open an account</Link>,
          sign in, and under Applications choose “Create New Application”. The key is shown at once; you can
          copy it again later.
        </li>
        <li>
          <strong>Authenticate with the bearer key.</strong> Every call carries it in the{' '}
          <code>Authorization</code> header. Keep it where your server reads its secrets:
        </li>
      </ol>
      <CodeBlock title="Your gateway and your key" sample={yourKey} name="your-key" fill={fill} />
      <ol start={3}>
        <li>
          <strong>Create a payment,</strong> and send your customer to the <code>payment_url</code> of the
          answer.
        </li>
      </ol>
      <CodeBlock title="Your first payment" sample={quickStart} name="quick-start" />
      <p>
        That page takes the payment on any phone, with or without JavaScript. When it is done, your customer
        comes back to your <code>success_url</code>, and the payment stands in your dashboard.
      </p>
    </Section>
  )
}
