import { methodLabels } from './labels.ts'
import type { Facts } from './reference-data.server.ts'
import { Section } from './section.tsx'
import { Table } from './table.tsx'

export const PaymentMethods = ({ facts }: { readonly facts: Facts }) => (
  <Section id="payment-methods" title="Payment Methods">
    <p>
      Your customer chooses on the payment page. To suggest one, give its <code>method</code> when you create
      the payment.
    </p>
    <Table
      caption="Payment methods"
      head={['Method', 'In the API', 'Takes today']}
      rows={facts.methods.map((method) => {
        const { name, takes } = methodLabels[method]
        return [
          method,
          name,
          <code key="m">{method}</code>,
          takes.length > 0 ? takes.join(', ') : 'Not connected',
        ]
      })}
    />
    <p>
      With EcoCash your customer gives a number and confirms with a PIN on the phone. A method that is not
      connected is part of the API and can be named, but this version has no line to its provider, and the
      payment page does not offer it.
    </p>
  </Section>
)
