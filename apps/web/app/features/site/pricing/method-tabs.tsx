import { displayPrice, type PricedMethod, pricedMethods, pricing } from '@muripo/contract/pricing'
import { IconCheck } from '../../../components/icons.ts'
import { Tabs } from '../landing/tabs.tsx'
import { featureWords, methodSentences } from './costs.ts'
import styles from './method-tabs.module.css'

const Price = ({ method }: { readonly method: PricedMethod }) => (
  <article className={styles.card}>
    <h3 className={styles.name}>{pricing[method].label}</h3>
    <p className={styles.sentence}>{methodSentences[method]}</p>
    <p className={styles.fee}>{displayPrice(pricing[method])}</p>
    <p className={styles.per}>for each payment you receive</p>
    <ul className={styles.features}>
      {pricing[method].features.map((feature) => (
        <li key={feature}>
          <IconCheck size={20} stroke={2} aria-hidden />
          {featureWords[feature]}
        </li>
      ))}
    </ul>
  </article>
)

const tabOf = (method: PricedMethod) => ({
  value: method,
  label: pricing[method].label,
  content: <Price method={method} />,
})
const [first, ...rest] = pricedMethods.map(tabOf)

export const MethodTabs = () => first && <Tabs label="Payment method" tabs={[first, ...rest]} />
