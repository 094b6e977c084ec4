import { Skeleton } from '@mantine/core'
import styles from './form.module.css'

/** As high as a form with one field and a button. */
export const FieldSkeleton = () => (
  <div className={styles.form} aria-hidden="true">
    <div>
      <Skeleton h={14} w={96} my={5} />
      <Skeleton h={42} mt={11} />
      <Skeleton h={12} w={200} mt={10} mb={5} />
    </div>
    <Skeleton h={42} w={160} />
  </div>
)
