import { IconPlus } from '../../../components/icons.ts'
import styles from './questions.module.css'

const questions = [
  [
    'Are there any setup fees?',
    'No. There are no setup fees, and no monthly ones: you pay a fee only when you are paid.',
  ],
  [
    'How long does settlement take?',
    'Settlement takes 1-2 business days, counted from the day on which your customer has paid.',
  ],
  [
    'Which countries are supported?',
    'Payments are supported from over 100 countries. Which methods a customer sees depends on the currency of the payment.',
  ],
  [
    'Can a fee be more than the payment?',
    'No. On a very small payment the fee is never more than the payment itself.',
  ],
] as const

export const Questions = () => (
  <section className={styles.questions} aria-labelledby="faq">
    <h2 id="faq" className={styles.title}>
      Frequently asked questions
    </h2>
    <div className={styles.list}>
      {questions.map(([question, answer], index) => (
        <details key={question} className={styles.item} open={index < 3}>
          <summary>
            <h3>{question}</h3>
            <IconPlus size={20} stroke={1.75} aria-hidden />
          </summary>
          <p>{answer}</p>
        </details>
      ))}
    </div>
  </section>
)
