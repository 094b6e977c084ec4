import type { ComponentType } from 'react'
import {
  IconBolt,
  IconCode,
  IconCreditCard,
  IconReceipt,
  IconShield,
  IconWorld,
} from '../../../components/icons.ts'
import styles from './cards.module.css'
import { type ChapterId, chapters } from './contents.ts'

const icons: Readonly<Record<ChapterId, ComponentType<{ size: number; stroke: number }>>> = {
  'quick-start': IconBolt,
  'api-reference': IconCode,
  'security-guide': IconShield,
  'international-payments': IconWorld,
  'payment-methods': IconCreditCard,
  tutorials: IconReceipt,
}

export const Cards = () => (
  <ul className={styles.cards}>
    {chapters.map(({ id, title, sentence }) => {
      const Icon = icons[id]
      return (
        <li key={id}>
          <a href={`#${id}`} className={styles.card}>
            <Icon size={24} stroke={1.75} aria-hidden />
            <span>
              <span className={styles.title}>{title}</span>
              <span className={styles.sentence}>{sentence}</span>
            </span>
          </a>
        </li>
      )
    })}
  </ul>
)
