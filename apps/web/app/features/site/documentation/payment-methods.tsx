import { currencyNames, methodLabels } from './labels.ts'
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
      head={['Method', 'In the API', 'Your customer']}
      rows={facts.methods.map((method) => {
        const { name, payer } = methodLabels[method]
        return [method, name, <code key="m">{method}</code>, payer]
      })}
    />
    <p>
      Every method takes US dollars and Zimbabwe Gold. The payment page offers the methods for which this
      gateway has an account in the currency of the payment. A suggested method without an account is
      accepted, and not offered.
    </p>
  </Section>
)

export const InternationalPayments = ({ facts }: { readonly facts: Facts }) => (
  <Section id="international-payments" title="International Payments">
    <p>
      Create the payment in the currency of your customer. An amount is a number in units of its currency:{' '}
      <code>25</code> is twenty-five dollars, and <code>25.5</code> is twenty-five dollars and fifty cents. It
      has at most two decimals, and is greater than 0 and at most 999,999,999.99. The gateway stores whole
      cents, so that no rounding occurs.
    </p>
    <Table
      caption="Currencies"
      head={['Currency', 'Name']}
      rows={facts.currencies.map((currency) => [
        currency,
        <code key="c">{currency}</code>,
        currencyNames[currency],
      ])}
    />
    <p>The payment page offers only the methods that support the currency of the payment.</p>
  </Section>
)
