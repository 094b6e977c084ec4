import type { ReactNode } from 'react'
import { Stack } from '../../components/ui/flow.tsx'
import styles from './parts.module.css'

interface PartProps {
  readonly name: string
  readonly children: ReactNode
}

/** A part with its name in the code. */
export const Part = ({ name, children }: PartProps) => (
  <div className={styles.part}>
    <h2>{name}</h2>
    <Stack gap={16}>{children}</Stack>
  </div>
)
