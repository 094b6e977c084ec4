import type { ReactNode } from 'react'
import { stack, surface } from '../../components/ui/classes.ts'
import styles from './parts.module.css'

interface PartProps {
  readonly name: string
  readonly children: ReactNode
}

/** A part with its name in the code. */
export const Part = ({ name, children }: PartProps) => (
  <div className={`${styles.part} ${surface('surface')}`}>
    <h2>{name}</h2>
    <div className={stack('gap16')}>{children}</div>
  </div>
)
