import { Reveal } from '../reveal.tsx'
import { marks } from './method-marks.tsx'
import styles from './methods.module.css'

export const Methods = () => (
  <section className={styles.strip} aria-labelledby="methods">
    <Reveal className={styles.inner}>
      <h2 id="methods" className={styles.title}>
        Accepted payment methods
      </h2>
      <ul className={styles.marks}>
        {marks.map(({ name, mark: MethodMark }) => (
          <li key={name}>
            <MethodMark />
          </li>
        ))}
      </ul>
    </Reveal>
  </section>
)
