import type { ComponentType } from 'react'
import {
  IconBolt,
  IconCode,
  IconCreditCard,
  IconReceipt,
  IconShield,
  IconWorld,
} from '../../../components/icons.ts'
import { font, grid, row, surface } from '../../../components/ui/classes.ts'
import { type PageHandle, pageMeta } from '../../../lib/page-meta.ts'
import { paths } from '../../../lib/paths.ts'
import { ActionLink, CallToAction } from '../action-link.tsx'
import { PageHero } from '../page-hero.tsx'
import type { Route } from './+types/documentation.ts'
import { ApiReference } from './api-chapter.tsx'
import { type CardChapterId, ContentsList, cardChapters } from './contents-list.tsx'
import styles from './documentation.module.css'
import { QuickStart, SecurityGuide, Tutorials } from './guides.tsx'
import { Captures, GoingLive, Refunds } from './money-chapters.tsx'
import { InternationalPayments, PaymentMethods } from './payment-methods.tsx'
import { readFacts } from './reference-data.server.ts'
import { Webhooks } from './webhooks-chapter.tsx'

export const meta = pageMeta({
  title: 'API Documentation · Muripo',
  description:
    'Take your first payment in three steps: quick start, API reference, security guide, currencies, payment methods and tutorials for the Muripo payment gateway.',
})

export const handle: PageHandle = { isEnglish: true }

export const loader = () => readFacts()

export default function Documentation({ loaderData: facts }: Route.ComponentProps) {
  return (
    <>
      <PageHero
        title="API Documentation"
        sentence="Everything it takes to accept payments from your own shop or program: one call to create a payment, one page where your customer pays."
      >
        <ActionLink to={paths.signUp}>Get Your API Key</ActionLink>
        <ActionLink to={paths.pricing} quiet>
          See the Pricing
        </ActionLink>
      </PageHero>
      <div className={styles.body}>
        <Cards />
        <div className={styles.columns}>
          <ContentsList />
          <div className={styles.manual}>
            <QuickStart />
            <ApiReference facts={facts} />
            <SecurityGuide />
            <InternationalPayments facts={facts} />
            <PaymentMethods facts={facts} />
            <Tutorials />
            <Webhooks facts={facts} />
            <Refunds />
            <Captures />
            <GoingLive />
          </div>
        </div>
      </div>
      <CallToAction
        title="Ready to take your first payment?"
        sentence="Opening an account is free. You pay a fee only when you are paid."
      >
        <ActionLink to={paths.signUp}>Create an Account</ActionLink>
        <ActionLink to={paths.pricing} quiet>
          View Pricing
        </ActionLink>
      </CallToAction>
    </>
  )
}

const icons: Readonly<Record<CardChapterId, ComponentType<{ size: number; stroke: number }>>> = {
  'quick-start': IconBolt,
  'api-reference': IconCode,
  'security-guide': IconShield,
  'international-payments': IconWorld,
  'payment-methods': IconCreditCard,
  tutorials: IconReceipt,
}

const Cards = () => (
  <ul className={`${styles.cards} ${grid('gap16', 'list')}`}>
    {cardChapters.map(({ id, title, sentence }) => {
      const Icon = icons[id]
      return (
        <li key={id}>
          <a href={`#${id}`} className={`${styles.card} ${row()} ${surface('surface')}`}>
            <Icon size={24} stroke={1.75} aria-hidden />
            <span>
              <span className={`${styles.title} ${font('lg', 'semibold')}`}>{title}</span>
              <span className={`${styles.title} ${font('md', 'quiet', 'above4')}`}>{sentence}</span>
            </span>
          </a>
        </li>
      )
    })}
  </ul>
)
